import { applyChunk, callsOf, createMessage } from '../../core'
import type { AnyTool, ChatRequest, Chunk, FinishReason, Message } from '../../core'
import { withTextToolCalls, type TextToolCallOptions } from '../index'

/** How a text is given to {@link readPieces}. */
export interface ReadOptions extends TextToolCallOptions, Partial<Pick<ChatRequest, 'toolChoice'>> {
  tools?: readonly AnyTool[]
  finishReason?: FinishReason
}

/** What became of a text. */
export interface Outcome {
  text: string
  reasoning: string
  calls: unknown[]
  chunks: Chunk[]
  message: Message
}

/** The chunks of the wrapped answer. */
export async function readChunks(
  answer: readonly Chunk[],
  { tools = [], toolChoice, ...options }: ReadOptions = {},
): Promise<Chunk[]> {
  const provider = withTextToolCalls(
    {
      name: 'by hand',
      async *stream() {
        for (const chunk of answer) yield { ...chunk }
      },
    },
    options,
  )
  const chunks: Chunk[] = []
  const { signal } = new AbortController()
  const request: ChatRequest = { model: 'm', messages: [], tools, signal }
  if (toolChoice) request.toolChoice = toolChoice
  for await (const chunk of provider.stream(request)) chunks.push(structuredClone(chunk))
  return chunks
}

/** Reads a text that arrives in those pieces. */
export async function readPieces(
  pieces: readonly string[],
  options: ReadOptions = {},
): Promise<Outcome> {
  const { finishReason = 'stop' } = options
  const chunks = await readChunks(
    [
      ...pieces.map((text): Chunk => ({ type: 'text-delta', text })),
      { type: 'step-end', finishReason },
    ],
    options,
  )
  return outcomeOf(chunks)
}

/** What the chunks of an answer make of a message. */
export function outcomeOf(chunks: Chunk[]): Outcome {
  const message = createMessage('assistant')
  for (const chunk of chunks) applyChunk(message, chunk)
  const textOf = (type: 'text' | 'reasoning') =>
    message.parts.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = callsOf(message).map(({ toolName: name, state, args, argsText, errorCode }) =>
    state === 'pending' ? { name, args } : { name, argsText, errorCode },
  )
  return { text: textOf('text'), reasoning: textOf('reasoning'), calls, chunks, message }
}

/** A text cut at those places. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.toSorted((a, b) => a - b), text.length]
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end))
}

/** Mulberry32: the same numbers on every machine. */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

/** The ways to cut a text: whole, in its code units, once at every place, and at random places. */
export function* cuttings(text: string, random: number): Generator<string[]> {
  yield [text]
  yield text.split('')
  for (let at = 1; at < text.length; at++) yield cutAt(text, [at])
  const next = seeded(text.length)
  for (let run = 0; run < random; run++) {
    const count = 1 + Math.floor(next() * 12)
    yield cutAt(
      text,
      Array.from({ length: count }, () => Math.floor(next() * text.length)),
    )
  }
}
