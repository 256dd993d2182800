import { closingText, findCall } from './calls'
import { createPartialArgs, type PartialArgs } from './partialArgs'
import { defined, isPlainObject, seal } from './plain'
import type {
  Chunk,
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

/** Ends a text or reasoning that may still grow. @internal */
export function closeText({ parts }: Message): void {
  const last = parts.at(-1)
  if (last && 'text' in last) last.state = 'done'
}

/** Adds a part to the current round; a text before it is done. @internal */
export function addPart(message: Message, part: Omit<Part, 'step'>): void {
  closeText(message)
  // Data between two rounds opens none, and so belongs to the one before.
  const step = part.type === 'data' ? (message.parts.at(-1)?.step ?? 0) : message.steps.length
  const added = { ...part, step } as Part
  mergeMetadata(added, part)
  message.parts.push(added)
}

/** Keeps what the wire wants back. @internal */
export function mergeMetadata(part: PartBase, chunk: object): void {
  const { providerMetadata } = chunk as { providerMetadata?: ProviderMetadata }
  if (providerMetadata)
    part.providerMetadata = seal({ ...part.providerMetadata, ...providerMetadata })
}

/** Joins a delta to the last part where type, round and id agree, or starts a part. @internal */
export function writeText(
  message: Message,
  type: 'text' | 'reasoning',
  chunk: Chunk<'text-delta' | 'reasoning-delta'>,
): void {
  // Back ends of other people leave out what is empty.
  const { text = '', id, providerMetadata } = chunk
  const last = message.parts.at(-1) as TextPart | ReasoningPart | undefined
  if (last?.type === type && last.state === 'streaming' && last.id === id) {
    if (text) last.text += text
    mergeMetadata(last, chunk)
  } else if (text || providerMetadata) {
    addPart(message, defined({ type, text, state: 'streaming', id, providerMetadata }))
  }
}

/** Adds a call whose arguments are to come, unless the message holds it already. @internal */
export function addCall(message: Message, chunk: Chunk<'tool-call-start' | 'tool-call-end'>): void {
  const { toolCallId, toolName, providerExecuted, providerMetadata } = chunk
  if (findCall(message, toolCallId)) return
  addPart(
    message,
    defined({
      type: 'tool-call',
      toolCallId,
      toolName,
      args: seal({}),
      argsText: '',
      state: 'streaming',
      providerExecuted,
      providerMetadata,
    }),
  )
}

/** Adds to the arguments that stream, and shows what can be parsed of them. @internal */
export function growArgs(call: ToolCallPart, argsText: string): void {
  call.argsText += argsText
  let parser = parsers.get(call)
  if (parser) parser.push(argsText)
  else parsers.set(call, (parser = createPartialArgs(call.argsText)))
  if (parser.value !== call.args) call.args = parser.value
}

/** Makes the arguments whole, or tells the model what is wrong with them. @internal */
export function endArgs(call: ToolCallPart, args?: unknown): string | undefined {
  if (args !== undefined) call.argsText ||= typeof args === 'string' ? args : JSON.stringify(args)
  const text = args === undefined ? call.argsText : JSON.stringify(args === '' ? {} : args)
  const parser = args === undefined && parsers.get(call)
  const end = isPlainObject(args)
    ? { args: seal(args) }
    : (parser || createPartialArgs(text)).end(text)
  parsers.delete(call)
  if ('error' in end) return `invalid arguments for tool '${call.toolName}': ${end.error}`
  call.args = end.args
  return undefined
}

/** Gives a call its outcome. @internal */
export function closeCall(
  call: ToolCallPart,
  state: 'result' | 'error',
  outcome: { [K in 'result' | 'error' | 'errorCode' | 'answeredBy']?: ToolCallPart[K] | undefined },
): void {
  parsers.delete(call)
  if (call.approval?.state === 'requested') delete call.approval
  Object.assign(call, defined(outcome), { state })
}

/** Closes a call with one of the chat's own reasons. @internal */
export function failCall(
  call: ToolCallPart,
  errorCode: ToolErrorCode & keyof typeof closingText,
): void {
  closeCall(call, 'error', { error: closingText[errorCode], errorCode })
}
