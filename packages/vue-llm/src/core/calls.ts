import type { Message, ToolCallPart } from './types'

/** @internal What a call's `error` says where the chat itself closed it. */
export const closingText = {
  stopped: 'stopped by the user',
  limit: 'tool round limit reached',
  declined: 'declined by the user',
  unanswered: 'no answer was given',
  interrupted: 'interrupted before there was a result',
  cut: 'the answer ended before this call could run',
} as const

/** @internal Whether a call still has no outcome. */
export const isOpenCall = ({ state }: ToolCallPart): boolean =>
  state !== 'result' && state !== 'error'

/** @internal The tool calls of a message in order; of one round if `step` is given. */
export function callsOf(message: Message | undefined, step?: number): ToolCallPart[] {
  return (message?.parts ?? []).filter(
    (part): part is ToolCallPart =>
      part.type === 'tool-call' && (step === undefined || part.step === step),
  )
}

/** @internal The call with that id, looked for from the end. */
export function findCall({ parts }: Message, toolCallId: string): ToolCallPart | undefined {
  return parts.findLast(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.toolCallId === toolCallId,
  )
}

/**
 * @internal The calls of the last closed round that concern this side: all but those that the model's side ran inside
 * its own round without asking anybody.
 */
export function lastCalls(message: Message): ToolCallPart[] {
  return callsOf(message, message.steps.length - 1).filter(
    (call) => !call.providerExecuted || call.approval,
  )
}

/** @internal Whether a call has no outcome yet and this side is to give it: a result, or a person's word. */
export const isWaiting = (call: ToolCallPart): boolean =>
  isOpenCall(call) && (!call.providerExecuted || call.approval?.state === 'requested')

/** @internal Whether a person allowed a call of this side that has not run yet. */
export const isApproved = (call: ToolCallPart): boolean =>
  call.state === 'pending' && !call.providerExecuted && call.approval?.state === 'approved'

/** @internal The chunk that closes a call with one of the chat's own reasons. */
export const closingChunk = (toolCallId: string, errorCode: keyof typeof closingText) => ({
  type: 'tool-error' as const,
  toolCallId,
  error: closingText[errorCode] as string,
  errorCode,
})

/**
 * @internal How many closed rounds with calls there were since the last user message; calls that the model's side ran
 * inside its own round do not count.
 */
export function countToolRounds(messages: readonly Message[]): number {
  const rounds = new Set<string>()
  for (let i = messages.length - 1; messages[i]?.role === 'assistant'; i--) {
    for (const call of callsOf(messages[i])) {
      if (!call.providerExecuted && call.step < (messages[i]?.steps.length ?? 0)) {
        rounds.add(`${i} ${call.step}`)
      }
    }
  }
  return rounds.size
}
