import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectHTTP2, createServer as createHTTP2Server } from 'node:http2'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { finish, hang, text, toolCall } from 'vue-llm/testing'
import type { AnyTool, ChatRequest, Provider, ToolContext } from '../core'
import {
  bodyOf,
  gate,
  parseStream,
  received,
  scripted,
  serve,
  until,
  user,
} from './__tests__/handlerKit'
import { createLLMHandler, toNodeHandler, type NodeRequest } from './index'

const json = { 'content-type': 'application/json' }
const send = (url: string, body: unknown, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body), ...init })

describe('over a real socket', () => {
  it('streams: what was said is read while the model still thinks', async () => {
    const opened = gate()
    const { handler } = scripted([[text('a'), async () => void (await opened.promise), text('b')]])
    const response = await send(await serve(toNodeHandler(handler)), bodyOf([user()]))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let read = (await reader.read()).value ?? ''
    expect(read).toContain('"text":"a"')
    opened.open()
    for (let next; !(next = await reader.read()).done;) read += next.value
    const { chunks, done } = parseStream(read)
    expect([received(chunks).parts.length, done]).toEqual([1, true])
  })

  it('sends the headers before the first chunk', async () => {
    const { handler } = scripted([[hang]])
    const response = await send(await serve(toNodeHandler(handler)), bodyOf([user()]))
    expect(response.status).toBe(200)
    await response.body!.cancel()
  })

  it('gives the handler URL, method, headers and body', async () => {
    const seen: unknown[] = []
    const url = await serve(
      toNodeHandler(async (request) => {
        seen.push(request.url, request.method, request.headers.get('x-a'), await request.text())
        return new Response(null, { status: 204 })
      }),
    )
    const response = await send(`${url}/chat?x=1`, { a: 1 }, { headers: { ...json, 'x-a': 'ä' } })
    expect(response.status).toBe(204)
    expect(seen).toEqual([`${url}/chat?x=1`, 'POST', 'ä', '{"a":1}'])
  })

  it.each(['TRACE', 'TRACK'])('answers %s, which no Request may be, with a 405', async (method) => {
    const handler = vi.fn<() => Promise<Response>>()
    const { hostname, port } = new URL(await serve(toNodeHandler(handler)))
    const socket = connect(Number(port), hostname)
    socket.end(`${method} / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    let read = ''
    for await (const bytes of socket) read += bytes
    // TRACK is no verb of Node's own parser, which answers by itself.
    expect(read).toMatch(method === 'TRACE' ? /^HTTP\/1.1 405 / : /^HTTP\/1.1 4/)
    expect(handler).not.toHaveBeenCalled()
  })

  it('takes any host and any path that a client may send', async () => {
    const urls: string[] = []
    const base = await serve(
      toNodeHandler(async ({ url }) => {
        urls.push(url)
        return new Response('ok')
      }),
    )
    const { port } = new URL(base)
    for (const [path, host] of [
      ['//evil.test/x', 'a'],
      ['/x', 'no host at all'],
      ['http://other.test/y', 'a'],
      ['*', 'a'],
    ]) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`OPTIONS ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      let read = ''
      for await (const piece of socket) read += String(piece)
      expect(read).toMatch(/^HTTP\/1.1 200/)
    }
    expect(urls[0]).toBe('http://a//evil.test/x')
    expect(urls).toHaveLength(4)
  })

  it('keeps several cookies apart', async () => {
    const headers = new Headers({ 'x-a': '1' })
    headers.append('set-cookie', 'a=1; Path=/')
    headers.append('set-cookie', 'b=2')
    const url = await serve(toNodeHandler(async () => new Response('ok', { headers })))
    const response = await fetch(url)
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
    expect(await response.text()).toBe('ok')
  })

  it('refuses 10 MB with a 413 that arrives, and the connection lives on', async () => {
    const { handler } = scripted(['x'])
    const url = await serve(toNodeHandler(handler))
    const whole = await send(url, bodyOf([user('x'.repeat(10 * 2 ** 20))]))
    expect([whole.status, (await whole.json()).error.code]).toEqual([413, 'too-large'])
    // In pieces, without a length.
    const request = httpRequest(url, { method: 'POST', headers: json })
    // The server ends with the test, while the rest is still on its way.
    request.on('error', () => {})
    const answered = once(request, 'response')
    const piece = Buffer.alloc(65_536, 'x')
    for (let sent = 0; sent < 160; sent++) request.write(piece)
    request.end()
    const [response] = (await answered) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    response.resume()
    expect((await send(url, bodyOf([user()]))).status).toBe(200)
  })

  it('answers what a handler throws with a masked 500, or gives it to next', async () => {
    const broken = toNodeHandler(() => Promise.reject(new Error('secret')))
    const response = await send(await serve(broken), {})
    expect([response.status, await response.text()]).toEqual([
      500,
      '{"error":{"code":"internal","message":"the server could not answer"}}',
    ])
    const next = vi.fn<(error: unknown) => void>()
    const url = await serve((request, answer) => {
      void broken(request, answer, (error) => {
        next(error)
        answer.end('from next')
      })
    })
    expect(await (await send(url, {})).text()).toBe('from next')
    expect(next.mock.calls).toEqual([[new Error('secret')]])
  })

  it('answers HEAD without the body, also where Node lets nobody write one', async () => {
    const cancel = vi.fn<() => void>()
    const body = () => new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(9)), cancel })
    const node = toNodeHandler(async () => new Response(body(), { headers: { 'x-a': '1' } }))
    const server = createServer({ rejectNonStandardBodyWrites: true }, node)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'HEAD' })
    expect([response.status, response.headers.get('x-a')]).toEqual([200, '1'])
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('breaks off where the body of an answer fails', async () => {
    const body = new ReadableStream({ pull: (out) => out.error(new Error('x')) })
    const url = await serve(toNodeHandler(async () => new Response(body)))
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow(
      /terminated|failed/,
    )
  })
})

describe('a client that goes away', () => {
  it('aborts the model within 100 ms, and its tools, over 200 clients that leave at random points', async () => {
    const unhandled = vi.fn<(reason: unknown) => void>()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    const running = new Set<string>()
    const asked: ChatRequest[] = []
    const finished: boolean[] = []
    const provider: Provider = {
      name: 'endless',
      async *stream(request) {
        asked.push(request)
        const round = request.messages.at(-1)?.steps.length ?? 0
        for (let i = 0; i < 5 && !request.signal.aborted; i++) {
          yield text(`${i}`)
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        yield toolCall('act', {}, `c${round}`)
        yield finish('tool-calls')
      },
    }
    const tool: AnyTool = {
      name: 'act',
      async execute(_args: unknown, { signal, toolCallId, context }: ToolContext) {
        const key = `${context as number} ${toolCallId}`
        running.add(key)
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 10)
          signal.addEventListener('abort', () => {
            clearTimeout(timer)
            resolve(undefined)
          })
        })
        running.delete(key)
      },
    }
    let clients = 0
    const handler = createLLMHandler({
      provider,
      model: 'm',
      tools: [tool],
      maxToolRoundtrips: 1e6,
      authorize: () => ++clients,
      onFinish: ({ isAbort }) => void finished.push(isAbort),
    })
    const node = toNodeHandler(handler)
    const closed = new Map<unknown, number>()
    const url = await serve((request, response) => {
      response.on('close', () => closed.set(request.headers['x-id'], performance.now()))
      void node(request, response)
    })
    /** Milliseconds from the client's leaving, and from the close of its connection, to the model's abort. */
    const late: number[] = []
    const lateOnServer: number[] = []
    async function client(index: number): Promise<void> {
      const id = `${index}`
      const left = new AbortController()
      const init = { signal: left.signal, headers: { ...json, 'x-id': id } }
      const response = await send(url, bodyOf([user()], { id }), init)
      const reading = response.text().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, (index * 7919) % 60))
      const start = performance.now()
      asked
        .findLast(({ chatId }) => chatId === id)
        ?.signal.addEventListener('abort', () => {
          late.push(performance.now() - start)
          lateOnServer.push(performance.now() - (closed.get(id) ?? 0))
        })
      left.abort()
      await reading
    }
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => client(batch * 20 + i)))
    }
    await until(() => finished.length === clients && !running.size)
    expect(clients).toBe(200)
    expect(finished.every(Boolean)).toBe(true)
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true)
    expect(late.length).toBeGreaterThan(150)
    expect(Math.max(...lateOnServer)).toBeLessThan(100)
    // All in one process, on a machine that may be busy with other tests.
    expect(late.sort((a, b) => a - b)[Math.floor(late.length / 2)]).toBeLessThan(100)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('or whose response something else has ended, such as a time limit, stops the model', async () => {
    for (const isWrapped of [false, true]) {
      const { handler: chat, requests } = scripted([[text('a'), hang]])
      const node = toNodeHandler(isWrapped ? (request) => chat(request) : chat)
      const url = await serve((request, response) => {
        void node(request, response)
        void until(() => requests.length).then(() => response.end())
      })
      expect(await (await send(url, bodyOf([user()]))).text()).not.toContain('[DONE]')
      await until(() => requests[0]?.signal.aborted)
    }
  })

  it('while it still sends: nothing is asked, and nothing crashes', async () => {
    const onError = vi.fn<(error: unknown, event: object) => void>()
    const { handler, requests } = scripted(['x'], { onError })
    let ended = 0
    const node = toNodeHandler(handler)
    const url = await serve((request, response) => void node(request, response).then(() => ended++))
    const request = httpRequest(url, {
      method: 'POST',
      headers: { ...json, 'content-length': 100 },
    })
    request.on('error', () => {})
    request.write('{"messages":[')
    await new Promise((resolve) => setTimeout(resolve, 30))
    request.destroy()
    await until(() => ended)
    expect([requests, onError.mock.calls]).toEqual([[], []])
  })

  it('that stops reading stops the model: 100 clients, and a stated bound for each', async () => {
    const taken = new Map<string, number>()
    const piece = 'x'.repeat(10_000)
    const provider: Provider = {
      name: 'endless',
      async *stream({ chatId = '' }) {
        for (;;) {
          taken.set(chatId, (taken.get(chatId) ?? 0) + 1)
          yield text(piece)
        }
      },
    }
    const url = await serve(toNodeHandler(createLLMHandler({ provider, model: 'm' })))
    const { port } = new URL(url)
    const sockets = Array.from({ length: 100 }, (_, index) => {
      const body = JSON.stringify(bodyOf([user()], { id: `${index}` }))
      const socket = connect(Number(port), '127.0.0.1')
      // Nothing is read: the socket stays paused.
      socket.on('error', () => {})
      socket.write(
        `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      return socket
    })
    const total = () => [...taken.values()].reduce((sum, count) => sum + count, 0)
    let before = -1
    await vi.waitFor(
      () => {
        const now = total()
        const isStill = now === before && taken.size === 100
        before = now
        if (!isStill) throw new Error(`still reading: ${now}`)
      },
      { timeout: 20_000, interval: 100 },
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(total()).toBe(before)
    // What the kernel's buffers and Node's own hold; beyond them the handler keeps one chunk.
    expect(Math.max(...taken.values())).toBeLessThan(800)
    for (const socket of sockets) socket.destroy()
  }, 30_000)
})

describe('what is written', () => {
  /** Answers with a body, to a response that may be full after every write; `drain` empties it. */
  function answer(isFull: boolean, body: ReadableStream<Uint8Array>) {
    const written: string[] = []
    const listeners = new Map<string, () => void>()
    let isEnded = false
    const request: NodeRequest = {
      method: 'GET',
      headers: { host: 'a' },
      socket: {},
      readableDidRead: false,
      iterator: () => ({ next: async () => ({ done: true, value: undefined }) }),
    }
    const done = toNodeHandler(async () => new Response(body))(request, {
      headersSent: false,
      destroyed: false,
      get writableEnded() {
        return isEnded
      },
      writeHead() {},
      write: (piece) => written.push(Buffer.from(piece).toString()) > 0 && !isFull,
      end: () => (isEnded = true),
      destroy() {},
      on: (event, listener) => listeners.set(event, listener),
    })
    return { written, done, drain: () => listeners.get('drain')?.() }
  }
  const bytes = (value: string) => new TextEncoder().encode(value)
  const turn = () => new Promise((resolve) => setTimeout(resolve))

  it('is what comes within one turn of the loop, in one piece', async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => `piece ${index} `)
    const { written, done } = answer(
      false,
      new ReadableStream({
        async pull(out) {
          const piece = pieces.shift()
          if (piece === 'piece 30 ') await turn()
          if (piece) out.enqueue(bytes(piece))
          else out.close()
        },
      }),
    )
    await done
    const numbers = written.map((piece) => piece.match(/\d+/g)?.map(Number))
    const all = Array.from({ length: 50 }, (_, index) => index)
    expect(numbers).toEqual([all.slice(0, 30), all.slice(30)])
  })

  it('is no more than a bound before the reader has taken it', async () => {
    let pulled = 0
    const { written, drain } = answer(
      true,
      new ReadableStream(
        { pull: (out) => (pulled++, out.enqueue(bytes('x'.repeat(1000)))) },
        { highWaterMark: 0 },
      ),
    )
    for (const round of [1, 2, 3]) {
      await turn()
      await turn()
      expect([written.length, pulled]).toEqual([round, 17 * round])
      drain()
    }
  })
})

describe('in frameworks', () => {
  const handler = async (request: Request) =>
    Response.json({ url: request.url, body: await request.text() })

  /** A server whose listener changes the request, as a framework's middleware does. */
  async function behind(change: (request: IncomingMessage) => object | Promise<object>) {
    const node = toNodeHandler(handler)
    const server = createServer((request, response) => {
      void (async () => node(Object.assign(request, await change(request)), response))()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as { port: number }
    return `http://127.0.0.1:${port}/sub`
  }
  const read = async (request: IncomingMessage): Promise<string> => {
    let all = ''
    for await (const part of request) all += String(part)
    return all
  }

  it('Express: the whole path is used, where a router has cut it', async () => {
    const url = await behind(() => ({ url: '/sub', originalUrl: '/api/sub' }))
    expect((await (await send(url, {})).json()).url).toMatch(/\/api\/sub$/)
  })

  it.each([
    ['an object', (body: string) => JSON.parse(body) as unknown],
    ['text', (body: string) => body],
    ['bytes', (body: string) => Buffer.from(body)],
  ])('a body that was parsed already is used: %s', async (_as, parse) => {
    const url = await behind(async (request) => ({ body: parse(await read(request)) }))
    expect((await (await send(url, { a: 'ä' })).json()).body).toBe('{"a":"ä"}')
  })

  it('a body that no parser took is read, whatever stands in its place', async () => {
    const url = await behind(() => ({ body: {} }))
    expect((await (await send(url, { a: 1 })).json()).body).toBe('{"a":1}')
  })

  it('Fastify: its request and reply are taken as they are, with the headers of plugins', async () => {
    const node = toNodeHandler(handler)
    const hijack = vi.fn<() => void>()
    const url = await serve((request, response) => {
      void (async () => {
        const body = JSON.parse(await read(request)) as unknown
        const getHeaders = () => ({ 'access-control-allow-origin': '*', 'x-n': 1 })
        const reply = { raw: response, hijack, getHeaders }
        await node({ raw: request, body } satisfies NodeRequest, reply)
      })()
    })
    const response = await send(url, { a: 1 })
    expect((await response.json()).body).toBe('{"a":1}')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(hijack).toHaveBeenCalledOnce()
  })

  it('HTTP/2: a request without a host header, and streams that reset', async () => {
    const { handler: chat, requests } = scripted([[text('a'), hang]])
    const server = createHTTP2Server(toNodeHandler(chat))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const client = connectHTTP2(`http://127.0.0.1:${port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const stream = client.request({ ':method': 'POST', ':path': '/api/chat', ...json })
    stream.end(JSON.stringify(bodyOf([user()])))
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(headers[':status']).toBe(200)
    expect(String((await once(stream, 'data'))[0])).toContain('text-delta')
    expect(requests[0]?.signal.aborted).toBe(false)
    stream.close()
    await until(() => requests[0]?.signal.aborted)
  })
})
