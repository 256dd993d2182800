import type { Message, ToolCallPart, ToolErrorCode } from './types'

/** @internal What a call's `error` says where the chat itself closed it. */
export const closingText: Record<
  'stopped' | 'limit' | 'declined' | 'unanswered' | 'interrupted' | 'cut',
  string
> = {
  stopped: 'stopped by the user',
  limit: 'tool round limit reached',
  declined: 'declined by the user',
  unanswered: 'no answer was given',
  interrupted: 'interrupted before there was a result',
  cut: 'the answer ended before this call could run',
}

/** @internal Whether a call still has no outcome. */
export function isOpenCall(call: ToolCallPart): boolean {
  return call.state !== 'result' && call.state !== 'error'
}

/** @internal The tool calls of a message in order; of one round if `step` is given. */
export function callsOf(message: Message | undefined, step?: number): ToolCallPart[] {
  const calls: ToolCallPart[] = []
  for (const part of message?.parts ?? []) {
    if (part.type === 'tool-call' && (step === undefined || part.step === step)) calls.push(part)
  }
  return calls
}

/** @internal The call with that id, looked for from the end. */
export function findCall(message: Message, toolCallId: string): ToolCallPart | undefined {
  for (let i = message.parts.length - 1; i >= 0; i--) {
    const part = message.parts[i]
    if (part?.type === 'tool-call' && part.toolCallId === toolCallId) return part
  }
  return undefined
}

/**
 * The calls of one round that concern this side: all but those that the model's side ran inside its own round without
 * asking anybody.
 *
 * @internal
 */
export function ownCalls(message: Message, step: number): ToolCallPart[] {
  return callsOf(message, step).filter((call) => !call.providerExecuted || call.approval)
}

/** @internal Whether a call has no outcome yet and this side is to give it: a result, or a person's word. */
export function isWaiting(call: ToolCallPart): boolean {
  return isOpenCall(call) && (!call.providerExecuted || awaitsApproval(call))
}

/** @internal Whether a call waits for a person to allow it. */
export function awaitsApproval(call: ToolCallPart): boolean {
  return call.state === 'pending' && call.approval?.state === 'requested'
}

/** @internal Whether a person allowed a call that has not run yet. */
export function isApproved(call: ToolCallPart): boolean {
  return call.state === 'pending' && call.approval?.state === 'approved'
}

/** @internal The chunk that closes a call with one of the chat's own reasons. */
export function closingChunk(toolCallId: string, errorCode: keyof typeof closingText) {
  return {
    type: 'tool-error' as const,
    toolCallId,
    error: closingText[errorCode],
    errorCode: errorCode satisfies ToolErrorCode,
  }
}

/**
 * How many closed rounds with calls there were since the last user message; calls that the model's side ran inside
 * its own round do not count.
 *
 * @internal
 */
export function countToolRounds(messages: readonly Message[]): number {
  let rounds = 0
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]
    if (message?.role !== 'assistant') break
    const steps = new Set<number>()
    for (const call of callsOf(message)) if (!call.providerExecuted) steps.add(call.step)
    for (const step of steps) if (step < message.steps.length) rounds++
  }
  return rounds
}
