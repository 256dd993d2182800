// long: how entries are read, judged and cut, for every wire
import { describe, expect, it } from 'vitest'
import {
  applyChunk,
  callsOf,
  createMessage,
  isLLMError,
  type AnyTool,
  type Chunk,
  type ErrorInfo,
  type Message,
  type Provider,
} from '../src/core'
import { hasKit, readEntries, readKit } from './conformanceKit'

const cuts = process.env['PROPERTY_RUNS'] ? 200 : 20

interface ExpectedCall {
  id?: string | null
  name: string
  args: unknown
}

interface Expected {
  text: string
  reasoning?: string
  refusal?: string
  toolCalls: ExpectedCall[]
  incompleteToolCalls?: ExpectedCall[]
  /** Calls that the model's side ran itself. */
  serverToolCalls?: ExpectedCall[]
  finish?: string | null
  usage?: { input?: number; output?: number; total_tokens?: number } | null
  error?: string
  hasError: boolean
  distinctIds?: boolean
}

/** One recorded stream, or reported case. */
export interface Entry {
  name: string
  body: Buffer
  status: number
  contentType: string
  tools: string[]
  expected: Expected
}

interface StreamEntry {
  name: string
  format: string
  file: string
  status: number
  contentType: string | null
  request: { tools?: (string | null)[] } | null
  expect: Omit<Expected, 'error' | 'finish'> & {
    finishReason: string | null
    error?: { name?: string; message: string }
  }
}

interface ReportedCase {
  id: string
  format: string
  about: string
  contentType?: string
  tools?: { name: string }[]
  chunks: (string | { b64: string })[]
  expect: Omit<Expected, 'error'> & {
    error?: { messageIncludes?: string; preferablyIncludes?: string }
  }
}

/** How the payloads of a `.chunks.txt` become a body. */
function toBody(format: string, lines: string[]): string {
  const ends = format === 'openai-chat' ? ['[DONE]'] : []
  return [...lines, ...ends]
    .map((line) => {
      const type = format === 'anthropic' ? `event: ${JSON.parse(line).type}\n` : ''
      return format === 'ollama' ? `${line}\n` : `${type}data: ${line}\n\n`
    })
    .join('')
}

/** What the provider itself said, in what its SDK made of it: `404 {json}`, or text. */
function saidByProvider({ name, message }: { name?: string; message: string }): string | undefined {
  // The client's own complaint about the order of events.
  if (name === 'AnthropicError') return undefined
  const text = message.replace(/^\d{3} /, '')
  return text.startsWith('{') ? JSON.parse(text).error.message : text
}

/** The recorded streams of a format. */
export function streamEntries(format: string): Entry[] {
  const entries = readEntries<StreamEntry>('streams.json').filter((e) => e.format === format)
  return entries.map(({ name, file, status, contentType, request, expect: outcome }) => {
    let body = readKit(`streams/${file}`)
    if (file.endsWith('.chunks.txt')) {
      body = Buffer.from(toBody(format, body.toString().split('\n').filter(Boolean)))
    }
    const { error, finishReason, ...rest } = outcome
    const said = error && saidByProvider(error)
    return {
      name,
      body,
      status,
      contentType: contentType ?? 'text/event-stream',
      tools: (request?.tools ?? []).filter((tool) => tool !== null),
      expected: {
        ...rest,
        finish: finishReason,
        hasError: error !== undefined,
        ...(said !== undefined && { error: said }),
      },
    }
  })
}

function reportedCases(format: string): Entry[] {
  const cases = readEntries<ReportedCase>('reported-cases.json').filter((e) => e.format === format)
  return cases.map(({ id, about, contentType, tools = [], chunks, expect: outcome }) => {
    const { error, ...rest } = outcome
    const said = error?.messageIncludes ?? error?.preferablyIncludes
    return {
      name: `${id}: ${about}`,
      body: Buffer.concat(
        chunks.map((c) => (typeof c === 'string' ? Buffer.from(c) : Buffer.from(c.b64, 'base64'))),
      ),
      status: 200,
      contentType: contentType ?? 'text/event-stream',
      tools: tools.map(({ name }) => name),
      expected: { ...rest, hasError: !!error, ...(said !== undefined && { error: said }) },
    }
  })
}

/** Creates the provider whose reading is judged. */
export type CreateProvider = (options: {
  maxRetries: number
  fetch: () => Promise<Response>
}) => Provider

interface Outcome {
  message: Message
  error: ErrorInfo | undefined
  ended: Set<string>
}

async function read(create: CreateProvider, entry: Entry, pieces: Uint8Array[]): Promise<Outcome> {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[sent++]
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  const headers = { 'content-type': entry.contentType }
  const provider = create({
    maxRetries: 0,
    fetch: async () => new Response(body, { status: entry.status, headers }),
  })
  const message = createMessage('assistant')
  const ended = new Set<string>()
  let error: ErrorInfo | undefined
  try {
    const request = {
      model: 'm',
      messages: [],
      tools: entry.tools.map((name): AnyTool => ({ name })),
      signal: new AbortController().signal,
    }
    for await (const chunk of provider.stream(request) as AsyncIterable<Chunk>) {
      if (chunk.type === 'error') error = chunk
      if (chunk.type === 'tool-call-end') ended.add(chunk.toolCallId)
      if (chunk.type === 'step-end') error ??= chunk.error
      applyChunk(message, chunk)
    }
  } catch (thrown) {
    if (!isLLMError(thrown)) throw thrown
    error = thrown
  }
  if (!message.steps.length) applyChunk(message, { type: 'step-end', finishReason: 'error' })
  return { message, error, ended }
}

function textOf(message: Message, type: 'text' | 'reasoning'): string {
  return message.parts.map((part) => (part.type === type ? part.text : '')).join('')
}

/** One outcome in a form that two readings of the same bytes must share; made ids differ. */
function plain({ message, error, ended }: Outcome): unknown {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call'
      ? { ...part, toolCallId: '', ended: ended.has(part.toolCallId) }
      : part,
  )
  return { parts, steps: message.steps, error: error && { code: error.code, text: error.message } }
}

/** What is judged of an entry, as its outcome gave it: made comparable with {@link wanted}. */
function judged({ message, error, ended }: Outcome, expected: Expected): unknown {
  const calls = callsOf(message).filter((call) => !call.providerExecuted)
  const server = callsOf(message).filter((call) => call.providerExecuted)
  const whole = calls.filter((call) => call.state === 'pending')
  const step = message.steps[0]
  const { inputTokens = 0, outputTokens = 0 } = step?.usage ?? {}
  const { usage, finish, reasoning, toolCalls } = expected
  return {
    text: textOf(message, 'text'),
    reasoning: reasoning === undefined ? undefined : textOf(message, 'reasoning'),
    toolCalls: whole.map(({ toolCallId, toolName, args }, index) => ({
      id: toolCalls[index]?.id ? toolCallId : undefined,
      name: toolName,
      args,
    })),
    cut: calls
      .filter((call) => call.state === 'error')
      .map((call) => [call.toolName, call.errorCode, ended.has(call.toolCallId)]),
    server: server.map(({ toolName, args }) => [toolName, args]),
    ids: new Set(calls.map((call) => call.toolCallId)).size,
    finish: finish === undefined || finish === null ? undefined : step?.rawFinishReason,
    input: usage?.input === undefined ? undefined : inputTokens,
    output: usage?.output === undefined ? undefined : outputTokens,
    total: usage?.total_tokens === undefined ? undefined : inputTokens + outputTokens,
    hasError: error !== undefined,
    error:
      expected.error === undefined || error?.message.includes(expected.error)
        ? expected.error
        : error?.message,
  }
}

function wanted(expected: Expected): unknown {
  const { text, refusal = '', reasoning, toolCalls, incompleteToolCalls = [], usage } = expected
  return {
    text: text + refusal,
    reasoning,
    toolCalls: toolCalls.map(({ id, name, args }) => ({ id: id ?? undefined, name, args })),
    cut: incompleteToolCalls.map(({ name }) => [name, 'cut', false]),
    server: (expected.serverToolCalls ?? []).map(({ name, args }) => [name, args]),
    ids: toolCalls.length + incompleteToolCalls.length,
    finish: expected.finish ?? undefined,
    input: usage?.input,
    output: usage?.output,
    total: usage?.total_tokens,
    hasError: expected.hasError,
    error: expected.error,
  }
}

/** Mulberry32: the same cuts on every machine. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

function cutAt(body: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [0, ...places.toSorted((a, b) => a - b), body.length]
  return sorted.slice(1).map((end, index) => body.subarray(sorted[index], end))
}

/** The suite of one wire format: its recorded streams and reported cases, however the network cuts them. */
export function describeRecordedStreams(
  format: string,
  create: CreateProvider,
  atLeast: number,
): void {
  const entries = hasKit ? [...streamEntries(format), ...reportedCases(format)] : []

  describe.skipIf(!hasKit)(`recorded streams: ${format}`, () => {
    it('are there', () => {
      expect(entries.length).toBeGreaterThanOrEqual(atLeast)
    })

    it.each(entries)('$name, whole', async (entry) => {
      const outcome = await read(create, entry, [entry.body])
      expect(judged(outcome, entry.expected)).toEqual(wanted(entry.expected))
    })

    it.each(entries)('$name, byte by byte', async (entry) => {
      const { body } = entry
      const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1))
      const outcome = await read(create, entry, bytes)
      expect(judged(outcome, entry.expected)).toEqual(wanted(entry.expected))
      expect(plain(outcome)).toEqual(plain(await read(create, entry, [body])))
    })

    it.each(entries)('$name, at random cuts', async (entry) => {
      const { body } = entry
      const next = random(body.length)
      const whole = plain(await read(create, entry, [body]))
      expect.assertions(cuts)
      for (let run = 0; run < cuts; run++) {
        const places = Array.from({ length: 1 + Math.floor(next() * 40) }, () =>
          Math.floor(next() * body.length),
        )
        expect(plain(await read(create, entry, cutAt(body, places)))).toEqual(whole)
      }
    })
  })
}
