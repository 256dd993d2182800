import {
  applyChunk,
  callsOf,
  closingChunk,
  isOpenCall,
  isPlainObject,
  normaliseMessages,
  type Message,
  type ToolCallPart,
  type ToolErrorCode,
} from '../core'
import type { StoredMessages } from './options'
import { invalid } from './refusal'

const failedReasons = new Set(['error', 'truncated', 'stopped'])
const errorCodes = new Set<string | undefined>([
  'stopped',
  'limit',
  'declined',
  'unanswered',
  'interrupted',
  'unknown-tool',
  'cut',
  'invalid-args',
  'timeout',
] satisfies ToolErrorCode[])

/**
 * The server's own copy of a chat with what a client may add to it: answers to calls that are open in the copy, and a
 * new user message. A client that asks again for the last user message drops the answer after it. Everything else of
 * the client's transcript is ignored. Throws a `Refusal` where the two do not fit together.
 * @internal
 */
export function mergeStored(
  stored: StoredMessages | undefined | null,
  client: readonly Message[],
  isOwnTool: (name: string) => boolean,
): Message[] {
  const list = stored && 'messages' in stored ? stored.messages : (stored ?? [])
  const copy = normaliseMessages(list as Message[])
  const isOwn = (call: ToolCallPart) => !!call.providerExecuted || isOwnTool(call.toolName)
  takeAnswers(copy.at(-1), client, isOwn)
  const asked = client.at(-1)
  if (asked?.role === 'user') takeUserMessage(copy, asked)
  else if (!asked || copy.at(-1)?.id !== asked.id) {
    const at = `/messages/${client.length - 1}`
    throw invalid(at, "is not the last message of the server's copy: load the chat anew")
  } else dropFailedSteps(copy.at(-1), asked.steps.length)
  return copy
}

function takeUserMessage(copy: Message[], asked: Message): void {
  const index = copy.findIndex(({ id }) => id === asked.id)
  if (index < 0) {
    const last = copy.at(-1)
    for (const call of callsOf(last)) {
      if (last && isOpenCall(call)) applyChunk(last, closingChunk(call.toolCallId, 'unanswered'))
    }
    copy.push(asked)
  } else if (copy.findLastIndex(({ role }) => role === 'user') === index) copy.splice(index + 1)
  else {
    throw invalid('/messages', "the server's copy has later messages: load the chat anew")
  }
}

/** A client that goes on after a failure has dropped the rounds that failed, unless they hold a result. */
function dropFailedSteps(message: Message | undefined, steps: number): void {
  while (message && message.steps.length > Math.max(steps, 1)) {
    const index = message.steps.length - 1
    const isFailed = failedReasons.has(message.steps[index]?.finishReason ?? '')
    if (!isFailed || callsOf(message, index).some(({ state }) => state === 'result')) return
    applyChunk(message, { type: 'step-reset' })
  }
}

function takeAnswers(
  message: Message | undefined,
  client: readonly Message[],
  isOwn: (call: ToolCallPart) => boolean,
): void {
  const open = callsOf(message).filter(isOpenCall)
  if (!message || !open.length) return
  const given = new Map(
    client.flatMap((each) => callsOf(each)).map((call) => [call.toolCallId, call] as const),
  )
  for (const call of open) {
    const answer = given.get(call.toolCallId)
    if (!answer) continue
    takeApproval(message, call, answer)
    if (isOpenCall(call) && !isOpenCall(answer)) takeOutcome(message, call, answer, isOwn)
  }
}

function takeApproval(message: Message, call: ToolCallPart, answer: ToolCallPart): void {
  const { state, reason } = answer.approval ?? {}
  if (state !== 'approved' && state !== 'declined') return
  const isEdited = JSON.stringify(answer.args) !== JSON.stringify(call.args)
  applyChunk(message, {
    type: 'tool-approval-response',
    toolCallId: call.toolCallId,
    approved: state === 'approved',
    ...(typeof reason === 'string' && { reason }),
    ...(isEdited && isPlainObject(answer.args) && { args: answer.args }),
  })
}

/** A call of a server tool has the server's result, or the word of the person who was asked for approval. */
function takeOutcome(
  message: Message,
  call: ToolCallPart,
  answer: ToolCallPart,
  isOwn: (call: ToolCallPart) => boolean,
): void {
  const { toolCallId } = call
  const { state, result, error = '', errorCode } = answer
  const answeredBy = answer.answeredBy === 'person' ? { answeredBy: answer.answeredBy } : {}
  const isPersons =
    call.approval?.state === 'requested' &&
    (answer.answeredBy === 'person' || errorCode === 'stopped' || errorCode === 'unanswered')
  if (isOwn(call) && !isPersons) return
  if (state === 'result') {
    applyChunk(message, { type: 'tool-result', toolCallId, result, ...answeredBy })
    return
  }
  const code = errorCodes.has(errorCode) && errorCode ? { errorCode } : {}
  applyChunk(message, { type: 'tool-error', toolCallId, error, ...code, ...answeredBy })
}
