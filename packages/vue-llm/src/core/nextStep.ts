import { callsOf, countToolRounds, isWaiting, lastCalls } from './calls'
import type { ChatLimits, FinishReason, Message } from './types'

/** Whether a round ended so that nothing goes on by itself, and its open calls never run. @internal */
export const isCut = (reason: FinishReason): boolean =>
  ['length', 'error', 'truncated', 'stopped'].includes(reason)

/** Whether more rounds with calls were made for the last user message than may run; 5 by default (the page). @internal */
export const isOverLimit = (
  messages: readonly Message[],
  { maxToolRoundtrips = 5 }: ChatLimits = {},
): boolean => countToolRounds(messages) > maxToolRoundtrips

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
  if (!last || !step || isCut(step.finishReason)) return 'done'
  if (callsOf(last).some(isWaiting)) return 'wait'
  const calls = lastCalls(last)
  // Whichever side closed it, and whoever was to run it.
  const ended = callsOf(last, last.steps.length - 1).some(
    ({ errorCode }) => errorCode === 'limit' || errorCode === 'stopped',
  )
  if (!calls.length || ended || isOverLimit(messages, limits)) return 'done'
  return limits.autoSendToolResults === false && calls.some((call) => call.answeredBy)
    ? 'wait'
    : 'request'
}
