import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { createScriptedProvider, finish, hang, text, toolCall } from 'vue-llm/testing'
import type { Provider } from '../core'
import { bodyOf, scripted, serve, until, user } from './__tests__/handlerKit'
import {
  createLLMHandler,
  toNodeHandler,
  type HandlerFinishEvent,
  type LLMHandlerOptions,
  type NodeRequest,
} from './index'

const json = { 'content-type': 'application/json' }
const turn = () => new Promise<void>((resolve) => setTimeout(resolve))

interface Posted {
  method?: string
  headers?: Record<string, string>
  /** Sent one by one. */
  body?: (string | Uint8Array)[]
}

/** Everything that a client gets to see. */
async function ask(url: string, { method = 'POST', headers = json, body = [] }: Posted) {
  const request = httpRequest(url, { method, headers })
  // A refusal may come before all is sent.
  const answered = once(request, 'response')
  for (const piece of body) {
    request.write(piece)
    await turn()
  }
  request.end()
  const [response] = (await answered) as [IncomingMessage]
  let read = ''
  for await (const piece of response.setEncoding('utf8')) read += piece
  const { date: _, ...rest } = response.headers
  return { status: response.statusCode, headers: rest, read }
}

/** A handler of `createLLMHandler` itself, and a function around it, whose answer is a `Response`. */
async function bothWays(toOptions: () => Partial<LLMHandlerOptions>, posted: Posted) {
  const answers = []
  for (const isWrapped of [false, true]) {
    const { handler } = scripted(
      [
        [text('a ü'), toolCall('act', { of: 1 }, 'c1'), finish('tool-calls')],
        [text('b'), 'c', new Error('secret')],
      ],
      {
        tools: [{ name: 'act', execute: async () => ({ found: 'ü' }) }],
        onError: () => {},
        ...toOptions(),
      },
    )
    const node = toNodeHandler(isWrapped ? (request) => handler(request) : handler)
    answers.push(await ask(await serve(node), posted))
  }
  return answers
}

describe('an answer that is written without a `Response` is the same as one with', () => {
  const good = JSON.stringify(bodyOf([user('ü')]))
  const inBytes = [...Buffer.from(good)].map((byte) => Uint8Array.of(byte))
  it.each<[string, number, Posted, Partial<LLMHandlerOptions>?]>([
    ['whole, with a tool and an error', 200, { body: [good] }],
    ['to a body in pieces of a byte', 200, { body: inBytes }],
    ['to a body behind a byte order mark', 200, { body: [`\uFEFF${good}`] }],
    ['to another method', 405, { method: 'GET' }],
    ['to nothing', 400, {}],
    ['to what is no JSON', 400, { body: ['{'] }],
    ['to what is no UTF-8', 400, { body: [Uint8Array.of(0x22, 0xff, 0x22)] }],
    ['to what ends within a character', 400, { body: [Uint8Array.of(0x22, 0xc3)] }],
    ['to too much', 413, { body: [good, good] }, { maxBodyBytes: good.length }],
    [
      'to too much by its length',
      413,
      { body: [good], headers: { ...json, 'content-length': `${Buffer.byteLength(good)}` } },
      { maxBodyBytes: 9 },
    ],
    [
      'to a form of another site',
      415,
      { body: [good], headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' } },
    ],
    ['where authorize refuses', 401, { body: [good] }, { authorize: () => refused() }],
    ['where prepare refuses', 401, { body: [good] }, { prepare: () => refused() }],
    ['where prepare throws', 500, { body: [good] }, { prepare: () => Promise.reject(new Error()) }],
  ])('%s', async (_what, status, posted, options = {}) => {
    const [direct, wrapped] = await bothWays(() => options, posted)
    expect(direct).toEqual(wrapped)
    expect(direct?.status).toBe(status)
    expect(direct?.read.endsWith('data: [DONE]\n\n')).toBe(status === 200)
  })

  const refused = () => {
    throw new Response('no', { status: 401, headers: { 'set-cookie': 'a=1' } })
  }

  it('and what a caller’s own functions get is a `Request`', async () => {
    const seen: unknown[] = []
    const note = (request: Request) =>
      void seen.push(request instanceof Request, request.url, request.headers.get('x-a'))
    const { handler } = scripted(['x'], {
      authorize: note,
      prepare: ({ request }) => note(request),
    })
    const url = await serve(toNodeHandler(handler))
    await ask(`${url}/chat?a=1`, { body: [good], headers: { ...json, 'x-a': '1' } })
    expect(seen).toEqual([true, `${url}/chat?a=1`, '1', true, `${url}/chat?a=1`, '1'])
  })
})

/** A response of which nothing is real: full after each write if asked to be. */
function fakeExchange(isFull = false, more: object = {}) {
  const written: string[] = []
  const listeners: Record<string, (() => void)[]> = {}
  const state = { isFull, isEnded: false, destroyed: false }
  const body = [new TextEncoder().encode(JSON.stringify(bodyOf([user()])))]
  const request: NodeRequest = {
    method: 'POST',
    headers: { host: 'a', ...json },
    socket: {},
    readableDidRead: false,
    iterator: () => ({
      next: async () => ({ done: !body.length, value: body.shift() }) as IteratorResult<unknown>,
    }),
  }
  const emit = (event: string) => listeners[event]?.forEach((listener) => listener())
  const response = {
    headersSent: false,
    destroyed: false,
    get writableEnded() {
      return state.isEnded
    },
    writeHead: () => {},
    flushHeaders: () => written.push('headers'),
    write: (piece: string | Uint8Array) => written.push(`${piece}`) > 0 && !state.isFull,
    end: () => (state.isEnded = true),
    destroy: () => {
      state.destroyed = true
      emit('close')
    },
    on: (event: string, listener: () => void) => (listeners[event] ??= []).push(listener),
    ...more,
  }
  return { request, response, written, state, emit }
}

describe('what is written', () => {
  it('is what comes within one turn of the loop, in one piece', async () => {
    const { handler } = scripted([[text('a'), text('b'), turn, text('c'), text('d')]])
    const { request, response, written } = fakeExchange()
    await toNodeHandler(handler)(request, response)
    expect(written.map((piece) => eventsOf(piece))).toEqual([
      ['text-delta', 'text-delta'],
      ['text-delta', 'text-delta', 'step-end', '[DONE]'],
    ])
  })

  it('is the headers alone where the model takes its time', async () => {
    const { handler } = scripted([[turn, text('a')]])
    const { request, response, written } = fakeExchange()
    await toNodeHandler(handler)(request, response)
    expect([written.length, written[0]]).toEqual([2, 'headers'])
  })

  it('is no more than a bound before the reader has taken it', async () => {
    let taken = 0
    const provider: Provider = {
      name: 'endless',
      async *stream() {
        for (;;) yield (taken++, text('x'.repeat(1000)))
      },
    }
    const { request, response, written, emit } = fakeExchange(true)
    const done = toNodeHandler(createLLMHandler({ provider, model: 'm' }))(request, response)
    for (const round of [1, 2, 3]) {
      await turn()
      await turn()
      expect(written).toHaveLength(round)
      expect(taken).toBeLessThanOrEqual(17 * round)
      emit('drain')
    }
    await turn()
    emit('close')
    await done
  })

  it('are heartbeats while there is nothing to say, but not for a reader who is behind', async () => {
    for (const isFull of [false, true]) {
      const { handler } = scripted([[text('a'), turn, hang]], { heartbeatMs: 10 })
      const { request, response, written, emit } = fakeExchange(isFull)
      const done = toNodeHandler(handler)(request, response)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(written.includes(': ping\n\n')).toBe(!isFull)
      emit('close')
      await done
      const { length } = written
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect(written).toHaveLength(length)
    }
  })
})

/** The types of the events in a piece. */
const eventsOf = (piece: string) =>
  [...piece.matchAll(/^data: (?:\{"type":"([^"]+)".*|(\[DONE\]))$/gm)].map(
    ([, type, done]) => type ?? done,
  )

describe('a response that can’t be written to', () => {
  it.each<[string, object, boolean]>([
    ['was closed before', { destroyed: true }, false],
    ['was ended before', { writableEnded: true }, false],
    ['refuses its headers', { writeHead: refuse, headersSent: true }, true],
  ])('that %s: the model is not asked, and onFinish is told', async (_what, more, isDestroyed) => {
    const onFinish = vi.fn<(event: HandlerFinishEvent) => void>()
    const provider = createScriptedProvider(['x'])
    const handler = createLLMHandler({ provider, model: 'm', onFinish })
    const { request, response, written, state } = fakeExchange(false, more)
    await toNodeHandler(handler)(request, response)
    await until(() => onFinish.mock.calls.length)
    expect(onFinish.mock.calls[0]?.[0].isAbort).toBe(true)
    expect([provider.requests, written, state.destroyed]).toEqual([[], [], isDestroyed])
  })
})

it('headers that something refuses are answered with a 500, and onFinish is told', async () => {
  const onFinish = vi.fn<(event: HandlerFinishEvent) => void>()
  const { handler, requests } = scripted(['x'], { onFinish })
  const node = toNodeHandler(handler)
  const url = await serve((request, response) => {
    vi.spyOn(response, 'writeHead').mockImplementationOnce(refuse)
    void node(request, response)
  })
  const { status } = await ask(url, { body: [JSON.stringify(bodyOf([user()]))] })
  expect([status, requests]).toEqual([500, []])
  expect(onFinish.mock.calls[0]?.[0].isAbort).toBe(true)
})

it('a write that throws breaks the answer off and stops the model', async () => {
  for (const isWrapped of [false, true]) {
    const { handler, requests } = scripted([[text('a'), turn, text('b'), hang]])
    const node = toNodeHandler(isWrapped ? (request) => handler(request) : handler)
    const url = await serve((request, response) => {
      const write = response.write.bind(response) as () => boolean
      vi.spyOn(response, 'write').mockImplementationOnce(write).mockImplementation(refuse)
      void node(request, response)
    })
    await expect(ask(url, { body: [JSON.stringify(bodyOf([user()]))] })).rejects.toThrow('aborted')
    await until(() => requests[0]?.signal.aborted)
  }
})

function refuse(): never {
  throw new Error('refused')
}
