import { callsOf, isApproved, isWaiting, nextStep } from '../core'
import type { ChatLimits, Chunk, Message } from '../core'

const failedReasons = new Set(['error', 'truncated', 'stopped'])

/** Whether a chat that has ended or paused has something to do by itself after all. @internal */
export function hasWork(messages: Message[], limits: ChatLimits): boolean {
  const last = messages.at(-1)
  return (
    last?.role === 'assistant' &&
    (nextStep(messages, limits) === 'request' || callsOf(last).some(isApproved))
  )
}

/** Whether asking again makes sense: an unanswered user, recorded answers, or a round that failed. @internal */
export function isResumable(messages: Message[]): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return !!last
  const step = last.steps.at(-1)
  if (!step || callsOf(last).some(isWaiting)) return false
  return (
    failedReasons.has(step.finishReason) ||
    // Also calls of the other side that were closed before they had a result.
    callsOf(last, last.steps.length - 1).some(
      (call) => !call.providerExecuted || call.approval || call.errorCode,
    )
  )
}

/**
 * Removes a last round that failed, and rounds without calls before it, after which no model can be asked;
 * but never one that holds a result: a side effect is not repeated.
 * @internal
 */
export function dropFailedStep(
  messages: Message[],
  apply: (message: Message, chunk: Chunk) => void,
): void {
  const last = messages.at(-1)
  for (let index = last?.steps.length ?? 0; last && index--;) {
    const calls = callsOf(last, index)
    const isKept = calls.length && !failedReasons.has(last.steps[index]?.finishReason ?? '')
    if (isKept || calls.some(({ state }) => state === 'result')) return
    // A message is never left without a round.
    if (!index) return void messages.pop()
    apply(last, { type: 'step-reset' })
  }
}
