import type { AnyTool, Message, ToolCallPart } from './types'

/** What a call's `error` says where the chat itself closed it. @internal */
export const closingText = {
  stopped: 'stopped by the user',
  limit: 'tool round limit reached',
  declined: 'declined by the user',
  unanswered: 'no answer was given',
  interrupted: 'interrupted before there was a result',
  cut: 'the answer ended before this call could run',
} as const

/** Whether a call still has no outcome. @internal */
export const isOpenCall = ({ state }: ToolCallPart): boolean =>
  state !== 'result' && state !== 'error'

/** The tool calls of a message in order; of one round if `step` is given. @internal */
export function callsOf(message: Message | undefined, step?: number): ToolCallPart[] {
  return (message?.parts ?? []).filter(
    (part): part is ToolCallPart =>
      part.type === 'tool-call' && (step === undefined || part.step === step),
  )
}

/** The call with that id, looked for from the end. @internal */
export function findCall({ parts }: Message, toolCallId: string): ToolCallPart | undefined {
  return parts.findLast(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.toolCallId === toolCallId,
  )
}

/**
 * The calls of the last closed round that concern this side: all but those that the model's side ran inside
 * its own round without asking anybody.
 * @internal
 */
export function lastCalls(message: Message): ToolCallPart[] {
  return callsOf(message, message.steps.length - 1).filter(
    (call) => !call.providerExecuted || call.approval,
  )
}

/** Whether a call has no outcome yet and this side is to give it: a result, or a person's word. @internal */
export const isWaiting = (call: ToolCallPart): boolean =>
  isOpenCall(call) && (!call.providerExecuted || call.approval?.state === 'requested')

/** Whether a person allowed a call of this side that has not run yet. @internal */
export const isApproved = (call: ToolCallPart): boolean =>
  call.state === 'pending' && !call.providerExecuted && call.approval?.state === 'approved'

/** Whether a call that has not run yet runs without a person: an approved one, or one of a tool with `execute`. @internal */
export const startsByItself = (call: ToolCallPart, tools: readonly AnyTool[]): boolean =>
  isApproved(call) ||
  (call.state === 'pending' &&
    !call.providerExecuted &&
    !call.approval &&
    tools.some(({ name, execute }) => name === call.toolName && execute))

/** The chunk that closes a call with one of the chat's own reasons. @internal */
export const closingChunk = (toolCallId: string, errorCode: keyof typeof closingText) => ({
  type: 'tool-error' as const,
  toolCallId,
  error: closingText[errorCode] as string,
  errorCode,
})

/**
 * How many closed rounds with calls there were since the last user message; calls that the model's side ran
 * inside its own round do not count.
 * @internal
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
