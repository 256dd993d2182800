import { findCall, isOpenCall } from './calls'
import { createPartialArgs, type PartialArgs } from './partialArgs'
import { isPlainObject, seal } from './seal'
import type {
  ChunkFields,
  Message,
  Part,
  PartBase,
  ProviderMetadata,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolErrorCode,
} from './types'

/** The parser of each call whose arguments still stream; rebuilt from `argsText` where it is absent. */
const parsers = new WeakMap<ToolCallPart, PartialArgs>()

/** @internal Closes the text or reasoning that may still grow. */
export function closeText(message: Message): void {
  const last = message.parts.at(-1)
  if ((last?.type === 'text' || last?.type === 'reasoning') && last.state === 'streaming') {
    last.state = 'done'
  }
}

/** @internal Adds a part; a text before it is done. */
export function addPart(message: Message, part: Part): void {
  closeText(message)
  message.parts.push(part)
}

/** @internal Keeps what the wire wants back. */
export function mergeMetadata(
  part: PartBase,
  chunk: { providerMetadata?: ProviderMetadata },
): void {
  if (chunk.providerMetadata) {
    part.providerMetadata = seal({ ...part.providerMetadata, ...chunk.providerMetadata })
  }
}

/** @internal Joins a delta to the last part, or starts a part. */
export function writeText(
  message: Message,
  type: 'text' | 'reasoning',
  chunk: ChunkFields['text-delta'],
): void {
  const step = message.steps.length
  const last = message.parts.at(-1)
  if (
    (last?.type === 'text' || last?.type === 'reasoning') &&
    last.type === type &&
    last.state === 'streaming' &&
    last.step === step &&
    last.id === chunk.id
  ) {
    if (chunk.text) last.text += chunk.text
    mergeMetadata(last, chunk)
  } else if (chunk.text || chunk.providerMetadata) {
    const part: TextPart | ReasoningPart = { type, text: chunk.text, state: 'streaming', step }
    if (chunk.id !== undefined) part.id = chunk.id
    mergeMetadata(part, chunk)
    addPart(message, part)
  }
}

/** @internal Adds a call whose arguments are to come. */
export function addCall(message: Message, chunk: ChunkFields['tool-call-start']): void {
  const part: ToolCallPart = {
    type: 'tool-call',
    toolCallId: chunk.toolCallId,
    toolName: chunk.toolName,
    args: Object.freeze({}),
    argsText: '',
    state: 'streaming',
    step: message.steps.length,
  }
  if (chunk.providerExecuted) part.providerExecuted = true
  mergeMetadata(part, chunk)
  addPart(message, part)
}

/** @internal The call with that id, if it has no outcome yet. */
export function openCall(message: Message, toolCallId: string): ToolCallPart | undefined {
  const call = findCall(message, toolCallId)
  return call && isOpenCall(call) ? call : undefined
}

/** @internal Makes the arguments whole; returns what is wrong with them, if anything. */
export function endArgs(call: ToolCallPart, args?: unknown): string | undefined {
  const parser = parsers.get(call) ?? createPartialArgs(call.argsText)
  parsers.delete(call)
  if (args === undefined) {
    const end = parser.end()
    if ('error' in end) return end.error
    call.args = end.args
    return undefined
  }
  call.argsText ||= typeof args === 'string' ? args : JSON.stringify(args)
  if (args !== null && args !== '' && !isPlainObject(args)) {
    return 'the arguments must be a JSON object'
  }
  call.args = seal(args || {})
  return undefined
}

/** @internal Gives a call its outcome. */
export function closeCall(
  call: ToolCallPart,
  outcome: { result: unknown } | { error: string; errorCode?: ToolErrorCode },
  answeredBy?: 'person',
): void {
  parsers.delete(call)
  if (call.approval?.state === 'requested') delete call.approval
  if (answeredBy) call.answeredBy = answeredBy
  Object.assign(call, outcome)
  call.state = 'error' in outcome ? 'error' : 'result'
}

/** @internal Closes a call with a reason of the chat itself. */
export function fail(call: ToolCallPart, errorCode: ToolErrorCode, error: string): void {
  closeCall(call, { error, errorCode })
}

/** @internal Adds to the arguments that stream, and shows what can be parsed of them. */
export function growArgs(call: ToolCallPart, argsText: string): void {
  call.argsText += argsText
  let parser = parsers.get(call)
  if (parser) parser.push(argsText)
  else parsers.set(call, (parser = createPartialArgs(call.argsText)))
  if (parser.value !== call.args) call.args = parser.value
}
