import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
} from '../core'
import { createOpenAIProvider } from './index'

/** Real streams with the right outcome; not part of this repository, see CONTRIBUTING. */
const kit = process.env['VUE_LLM_CONFORMANCE'] ?? resolve('../shared/conformance')
const missing = !existsSync(join(kit, 'streams.json'))
const cuts = process.env['PROPERTY_RUNS'] ? 200 : 20

interface ExpectedCall {
  id?: string
  name: string
  args: unknown
}

interface Expected {
  text: string
  reasoning?: string
  refusal?: string
  toolCalls: ExpectedCall[]
  incompleteToolCalls?: ExpectedCall[]
  finish?: string | null
  usage?: { input?: number; output?: number; total_tokens?: number } | null
  error?: string
  hasError: boolean
  distinctIds?: boolean
}

interface Entry {
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
  request: { tools?: string[] } | null
  expect: Omit<Expected, 'error' | 'finish'> & {
    finishReason: string | null
    error?: { message: string }
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

function readJSON<T>(file: string): T[] {
  return JSON.parse(readFileSync(join(kit, file), 'utf8'))
}

function streamEntries(): Entry[] {
  const entries = readJSON<StreamEntry>('streams.json').filter((e) => e.format === 'openai-chat')
  return entries.map(({ name, file, status, contentType, request, expect: outcome }) => {
    let body = readFileSync(join(kit, 'streams', file))
    if (file.endsWith('.chunks.txt')) {
      const lines = body.toString().split('\n').filter(Boolean)
      body = Buffer.from([...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
    }
    const { error, finishReason, ...rest } = outcome
    return {
      name,
      body,
      status,
      contentType: contentType ?? 'text/event-stream',
      tools: request?.tools ?? [],
      expected: {
        ...rest,
        finish: finishReason,
        hasError: error !== undefined,
        // An SDK put the status before the provider's own message.
        ...(error && { error: error.message.replace(/^\d{3} /, '') }),
      },
    }
  })
}

function reportedCases(): Entry[] {
  const cases = readJSON<ReportedCase>('reported-cases.json').filter(
    (e) => e.format === 'openai-chat',
  )
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

interface Outcome {
  message: Message
  error: ErrorInfo | undefined
  ended: Set<string>
}

async function read(entry: Entry, pieces: Uint8Array[]): Promise<Outcome> {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[sent++]
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  const headers = { 'content-type': entry.contentType }
  const provider = createOpenAIProvider({
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
  const calls = callsOf(message)
  const whole = calls.filter((call) => call.state === 'pending')
  const step = message.steps[0]
  const { inputTokens = 0, outputTokens = 0 } = step?.usage ?? {}
  const { usage, finish, reasoning, toolCalls } = expected
  return {
    text: textOf(message, 'text'),
    reasoning: reasoning === undefined ? undefined : textOf(message, 'reasoning'),
    toolCalls: whole.map(({ toolCallId, toolName, args }, index) => ({
      id: toolCalls[index]?.id === undefined ? undefined : toolCallId,
      name: toolName,
      args,
    })),
    cut: calls
      .filter((call) => call.state === 'error')
      .map((call) => [call.toolName, call.errorCode, ended.has(call.toolCallId)]),
    ids: new Set(calls.map((call) => call.toolCallId)).size,
    finish: finish === undefined || finish === null ? undefined : step?.rawFinishReason,
    input: usage?.input === undefined ? undefined : inputTokens,
    output: usage?.output === undefined ? undefined : outputTokens,
    total: usage?.total_tokens === undefined ? undefined : inputTokens + outputTokens,
    hasError: error !== undefined,
    error:
      expected.error !== undefined && error?.message.includes(expected.error)
        ? expected.error
        : error?.message,
  }
}

function wanted(expected: Expected): unknown {
  const { text, refusal = '', reasoning, toolCalls, incompleteToolCalls = [], usage } = expected
  return {
    text: text + refusal,
    reasoning,
    toolCalls: toolCalls.map(({ id, name, args }) => ({ id, name, args })),
    cut: incompleteToolCalls.map(({ name }) => [name, 'cut', false]),
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

const entries = missing ? [] : [...streamEntries(), ...reportedCases()]
if (missing)
  console.log(`No conformance kit at ${kit} (VUE_LLM_CONFORMANCE): its suite is left out.`)

describe.skipIf(missing)('recorded Chat Completions streams', () => {
  it('are there', () => {
    expect(entries.length).toBeGreaterThan(40)
  })

  it.each(entries)('$name, whole', async (entry) => {
    const outcome = await read(entry, [entry.body])
    expect(judged(outcome, entry.expected)).toEqual(wanted(entry.expected))
  })

  it.each(entries)('$name, byte by byte', async (entry) => {
    const { body } = entry
    const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1))
    const outcome = await read(entry, bytes)
    expect(judged(outcome, entry.expected)).toEqual(wanted(entry.expected))
    expect(plain(outcome)).toEqual(plain(await read(entry, [body])))
  })

  it.each(entries)('$name, at random cuts', async (entry) => {
    const { body } = entry
    const next = random(body.length)
    const whole = plain(await read(entry, [body]))
    expect.assertions(cuts)
    for (let run = 0; run < cuts; run++) {
      const places = Array.from({ length: 1 + Math.floor(next() * 40) }, () =>
        Math.floor(next() * body.length),
      )
      expect(plain(await read(entry, cutAt(body, places)))).toEqual(whole)
    }
  })
})
