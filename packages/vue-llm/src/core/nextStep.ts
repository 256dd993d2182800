import { callsOf, countToolRounds, isWaiting, ownCalls } from './calls'
import type { ChatLimits, Message } from './types'

/** After these reasons a chat does not go on by itself. */
const finalReasons = new Set(['length', 'error', 'truncated', 'stopped'])

/** Rounds with calls that run for one user message where nothing else is said (the page). */
export const defaultMaxToolRoundtrips = 5

/**
 * Decides from the transcript alone what comes next: `request` (the model is to be asked), `wait` (calls are open, or
 * a person's answers are recorded but not to be sent by themselves) or `done`.
 */
export function nextStep(
  messages: readonly Message[],
  limits: ChatLimits = {},
): 'request' | 'wait' | 'done' {
  const last = messages.at(-1)
  if (last?.role === 'user') return 'request'
  const step = last?.steps.at(-1)
  if (!last || !step || finalReasons.has(step.finishReason)) return 'done'
  if (callsOf(last).some(isWaiting)) return 'wait'
  const calls = ownCalls(last, last.steps.length - 1)
  const { maxToolRoundtrips = defaultMaxToolRoundtrips, autoSendToolResults = true } = limits
  if (
    !calls.length ||
    calls.some((call) => call.errorCode === 'limit' || call.errorCode === 'stopped') ||
    countToolRounds(messages) > maxToolRoundtrips
  ) {
    return 'done'
  }
  return !autoSendToolResults && calls.some((call) => call.answeredBy) ? 'wait' : 'request'
}
