import type { DemoReply } from './planReply'
import type { DemoCall, DemoRequest } from './readRequest'
import { writeQwenCalls } from './writeQwenCalls'

// 1 January 2026: the same request gives the same bytes, so no clock is read.
const created = 1767225600

interface ToolCallDelta {
  index: number
  id?: string
  type?: 'function'
  function: { name?: string; arguments: string }
}

interface Delta {
  role?: 'assistant'
  content?: string
  reasoning_content?: string
  tool_calls?: ToolCallDelta[]
}

interface Written {
  deltas: Delta[]
  finishReason: 'stop' | 'tool_calls' | 'length'
  tokens: number
}

/** A reply as Chat Completions chunks, each a few characters; a reply that is cut ends half-way. */
export function toCompletionChunks(reply: DemoReply, request: DemoRequest): object[] {
  const { deltas, finishReason, tokens } = write(reply, request)
  const chunk = (choices: object[], usage?: object): object => ({
    id: `chatcmpl-${request.id}`,
    object: 'chat.completion.chunk',
    created,
    model: request.model,
    choices,
    // With `include_usage` every chunk has the field, and the last one fills it.
    ...(request.includeUsage && { usage: usage ?? null }),
  })
  const choice = (delta: Delta, finish_reason: string | null = null): object =>
    chunk([{ index: 0, delta, finish_reason }])

  const chunks = [{ role: 'assistant', content: '' } as const, ...deltas].map((delta) =>
    choice(delta),
  )
  if (reply.cut) return chunks.slice(0, Math.ceil(chunks.length / 2))
  chunks.push(choice({}, finishReason))
  if (request.includeUsage) chunks.push(chunk([], usageOf(request, tokens)))
  return chunks
}

/** The same reply as one Chat Completions object. */
export function toCompletion(reply: DemoReply, request: DemoRequest): object {
  const { deltas, finishReason, tokens } = write(reply, request)
  const join = (key: 'content' | 'reasoning_content'): string =>
    deltas.map((delta) => delta[key] ?? '').join('')
  const reasoning = join('reasoning_content')
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] =
    []
  for (const { index, id = '', function: part } of deltas.flatMap(
    (delta) => delta.tool_calls ?? [],
  )) {
    const call = (calls[index] ??= { id, type: 'function', function: { name: '', arguments: '' } })
    call.function.name += part.name ?? ''
    call.function.arguments += part.arguments
  }
  const message = {
    role: 'assistant',
    content: join('content') || (calls.length ? null : ''),
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length && { tool_calls: calls }),
  }
  return {
    id: `chatcmpl-${request.id}`,
    object: 'chat.completion',
    created,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: usageOf(request, tokens),
  }
}

/** Cuts a reply into deltas, each of them a token; no more than the request allows. */
function write({ reasoning, text, calls }: DemoReply, request: DemoRequest): Written {
  const { id, maxTokens, stream, toolCalls } = request
  const isText = toolCalls === 'text'
  const deltas: Delta[] = [
    ...pieces(reasoning).map((piece) => ({ reasoning_content: piece })),
    ...pieces(isText ? text + writeQwenCalls(calls) : text).map((piece) => ({ content: piece })),
    ...(isText ? [] : calls.flatMap((call, index) => writeCall(call, index, id))),
  ]
  const isCut = deltas.length > maxTokens
  const made = isCut ? deltas.slice(0, maxTokens) : deltas
  // Lost on the way, not unmade: the tokens are paid for.
  const isSwallowed = toolCalls === 'swallowed' && stream
  const given = isSwallowed ? made.filter((delta) => !delta.tool_calls) : made
  const givesCalls = calls.length > 0 && !isText && !isSwallowed
  const finishReason = isCut ? 'length' : givesCalls ? 'tool_calls' : 'stop'
  return { deltas: given, finishReason, tokens: made.length }
}

function writeCall({ name, args }: DemoCall, index: number, id: string): Delta[] {
  const start = {
    index,
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: '' },
  } as const
  const rest = pieces(JSON.stringify(args)).map((piece) => ({
    tool_calls: [{ index, function: { arguments: piece } }],
  }))
  return [{ tool_calls: [start] }, ...rest]
}

// Lengths in characters, taken in turn: uneven, so that words and JSON are cut anywhere.
const lengths = [3, 6, 4, 9, 5, 8]

function pieces(text: string): string[] {
  const characters = [...text]
  const cut: string[] = []
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 5
    cut.push(characters.slice(at, at + length).join(''))
    at += length
  }
  return cut
}

function usageOf({ promptTokens }: DemoRequest, tokens: number): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: tokens,
    total_tokens: promptTokens + tokens,
  }
}
