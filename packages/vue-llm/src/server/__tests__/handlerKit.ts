import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { createScriptedProvider, type Script } from 'vue-llm/testing'
import { applyChunk, type Chunk, type Message, type Part, type ToolCallPart } from '../../core'
import { createLLMHandler, type LLMHandler, type LLMHandlerOptions } from '../index'

/** A message of the user, as a client sends it. */
export const user = (text = 'hi', id = 'u1'): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text, state: 'done', step: 0 }],
  steps: [],
  createdAt: 1,
})

/** A call of a client's transcript; closed with a result unless said otherwise. */
export const call = (more: Partial<ToolCallPart> = {}): ToolCallPart => {
  const { args = {} } = more
  return {
    type: 'tool-call',
    toolCallId: 'call_1',
    toolName: 'lookup',
    args,
    argsText: JSON.stringify(args),
    state: 'result',
    step: 0,
    ...(more.state === undefined && { result: 'found' }),
    ...more,
  }
}

/** An answer of a client's transcript, with a closed round for each of its steps. */
export const assistant = (parts: Part[], id = 'a1'): Message => ({
  id,
  role: 'assistant',
  parts,
  steps: Array.from({ length: Math.max(0, ...parts.map(({ step }) => step)) + 1 }, () => ({
    finishReason: 'tool-calls',
  })),
  createdAt: 2,
})

/** A request as a client posts it. */
export function post(body: unknown, init: RequestInit = {}): Request {
  return new Request('http://localhost/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
}

/** A body with what every request holds. */
export const bodyOf = (messages: unknown, more: object = {}): object => ({
  id: 'chat_1',
  messageId: 'a_new',
  messages,
  ...more,
})

/** What came over the wire. */
export interface Answer {
  status: number
  headers: Headers
  /** The body as it came. */
  text: string
  chunks: Chunk[]
  ids: string[]
  /** Whether `[DONE]` came, as the last event. */
  done: boolean
  /** Comments between the events. */
  comments: string[]
}

/** Reads an event stream strictly: whatever is not written as the protocol says throws. */
export function parseStream(text: string): Omit<Answer, 'status' | 'headers' | 'text'> {
  const answer = { chunks: [] as Chunk[], ids: [] as string[], comments: [] as string[] }
  let done = false
  const events = text.split('\n\n')
  if (events.pop() !== '') throw new Error(`the stream ends within an event: ${text.slice(-80)}`)
  for (const event of events) {
    if (done) throw new Error(`after [DONE]: ${event}`)
    if (event.startsWith(':')) answer.comments.push(event)
    else if (event === 'data: [DONE]') done = true
    else {
      const [, id, data] = /^id: (\d+)\ndata: ([^\n]+)$/.exec(event) ?? []
      if (id === undefined || data === undefined) throw new Error(`no event: ${event}`)
      answer.ids.push(id)
      answer.chunks.push(JSON.parse(data) as Chunk)
    }
  }
  return { ...answer, done }
}

/** The answer of a handler, read to its end. */
export async function exchange(handler: LLMHandler, request: Request): Promise<Answer> {
  const response = await handler(request)
  const { status, headers } = response
  const text = await response.text()
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  return { status, headers, text, ...parseStream(isStream ? text : '') }
}

/** A handler on a scripted model, and what the model was asked. */
export function scripted<Context = unknown>(
  script: Script,
  options: Partial<LLMHandlerOptions<Context>> = {},
) {
  const provider = createScriptedProvider(script)
  const handler = createLLMHandler<Context>({ provider, model: 'the-model', ...options })
  return {
    provider,
    handler,
    requests: provider.requests,
    /** Posts a transcript. */
    ask: (messages: unknown, more: object = {}) => exchange(handler, post(bodyOf(messages, more))),
  }
}

/** The message that a client ends with: the chunks applied to what it had. */
export function received(chunks: readonly Chunk[], message = assistant([], 'a_new')): Message {
  const copy: Message = structuredClone(message)
  if (message.parts.length === 0) copy.steps = []
  for (const chunk of chunks) applyChunk(copy, chunk)
  return copy
}

/** The types of chunks, in order. */
export const typesOf = ({ chunks }: { chunks: readonly Chunk[] }): string[] =>
  chunks.map(({ type }) => type)

/** Starts a server that ends with the test; gives its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Waits until something holds, however busy the machine is. */
export const until = (holds: () => unknown): Promise<void> =>
  vi.waitFor(
    () => {
      if (!holds()) throw new Error(`it never came about: ${holds}`)
    },
    { timeout: 4000, interval: 2 },
  )

/** A promise to be settled from outside. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => (open = resolve))
  return { promise, open }
}
