import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startRawServer, type RawServer } from '../../test/rawServer'
import { isLLMError, runChat, type Provider } from '../core'
import { callTool } from './__tests__/callTool'
import { createHttpTools } from './createHttpTools'
import { loadHttpTools } from './loadHttpTools'
import { requestError } from './credentials'
import type { HttpToolEvent, HttpTransport } from './types'

let server: Server
let origin: string
let listener: RequestListener = (_request, response) => response.end('ok')
let raw: RawServer

beforeAll(async () => {
  server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  raw = await startRawServer()
})

afterEach(() => {
  vi.useRealTimers()
  listener = (_request, response) => response.end('ok')
  raw.requests.length = 0
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await raw.close()
})

const tool = (path = '/', more: object = {}) => ({
  name: 't',
  url: origin + path,
  method: 'GET',
  ...more,
})

const failed = (detail: string) => `Error: tool request failed: ${detail}`

describe('the tools', () => {
  it('1, 5, 11: one for each definition; only name, description and parameters are for the model', () => {
    const parameters = { type: 'object', 'x-own': { b: 1, a: 2 }, properties: { b: {}, a: {} } }
    const tools = createHttpTools([
      {
        name: 'a',
        url: 'https://h.example/{b}',
        description: 'd',
        parameters,
        headers: { 'X-A': '1' },
      },
      { name: 'b', url: 'https://h.example/', method: null, description: null },
    ])
    expect(tools.map(({ execute, ...shown }) => ({ ...shown, runs: !!execute }))).toEqual([
      { name: 'a', description: 'd', parameters, runs: true },
      { name: 'b', parameters: { type: 'object', properties: {} }, runs: true },
    ])
    expect(JSON.stringify(tools[0]?.parameters)).toBe(JSON.stringify(parameters))
  })

  it('D26: definitions that are wrong are no tools', () => {
    expect(() => createHttpTools([{ name: 'a', url: 'nope' }])).toThrow(/\/0\/url/)
  })

  it('needs no process, which a page without a bundler lacks', () => {
    vi.stubGlobal('document', { baseURI: 'http://localhost/' })
    vi.stubGlobal('process', undefined)
    try {
      expect(
        createHttpTools([{ name: 'a', url: '/items', headers: { Cookie: 'a' } }]),
      ).toHaveLength(1)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('9: unknown fields and other warnings are told', () => {
    const seen: string[] = []
    const more = { description: 'd', x: 1 }
    createHttpTools([tool('/', more)], { onWarning: ({ path }) => seen.push(path) })
    expect(seen).toEqual(['/0/x'])
  })

  it('20, 27: a chat reads the text of every failure and goes on', async () => {
    listener = (_request, response) => response.writeHead(404).end('no such item')
    const asked: unknown[] = []
    const provider: Provider = {
      name: 'p',
      async *stream({ messages }) {
        const { parts = [] } = messages.at(-1) ?? {}
        asked.push(parts.map((part) => (part.type === 'tool-call' ? part.error : part.type)))
        if (asked.length > 1) return yield { type: 'text-delta', text: 'sorry' }
        yield { type: 'tool-call-end', toolCallId: 'c1', toolName: 't', args: {} }
        yield { type: 'tool-call-end', toolCallId: 'c2', toolName: 'nope', args: {} }
      },
    }
    const user = { id: 'u', role: 'user', parts: [], steps: [], createdAt: 0 } as const
    const messages = [{ ...user, parts: [], steps: [] }]
    for await (const _ of runChat({
      provider,
      messages,
      request: { model: 'm' },
      tools: createHttpTools([tool()]),
      signal: new AbortController().signal,
    } as Parameters<typeof runChat>[0])) {
      // Only to the end.
    }
    expect(asked.at(-1)).toEqual(['HTTP 404 — no such item', "unknown tool 'nope'"])
  })

  it('D34: nothing is asked twice', async () => {
    let count = 0
    listener = (_request, response) => {
      count++
      response.writeHead(503, { 'retry-after': '0' }).end()
    }
    expect(await callTool(tool())).toBe('Error: HTTP 503 — ')
    expect(count).toBe(1)
  })

  it('D38: results are as they are, unless wrapResult puts something around them', async () => {
    expect(await callTool(tool())).toBe('ok')
    const wrapResult = (text: string, name: string) => `<${name}>${text}</${name}>`
    expect(await callTool(tool(), {}, { wrapResult })).toBe('<t>ok</t>')
  })
})

describe('sending by fetch', () => {
  it.each(['TRACE', 'trace', 'TRACK', 'CONNECT'])('D14: %s is refused', async (method) => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    expect(await callTool(tool('/', { method }), {}, { fetch })).toBe(
      failed(`HTTP method '${method.toUpperCase()}' cannot be sent from this runtime`),
    )
    expect(fetch).not.toHaveBeenCalled()
  })

  it('D14: a transport of its own may send TRACE', async () => {
    const transport = vi.fn<HttpTransport>(async () => new Response('traced'))
    const options = { transport, allowedHosts: ['a.example'], redirect: 'follow' } as const
    expect(await callTool(tool('/x', { method: 'trace' }), { a: 1 }, options)).toBe('traced')
    expect(transport).toHaveBeenCalledWith(
      { method: 'TRACE', url: `${origin}/x?a=1`, headers: {}, body: null },
      expect.objectContaining({
        allowedOrigin: origin,
        allowedHosts: ['a.example'],
        allowPrivateNetwork: false,
        redirect: 'follow',
      }),
    )
  })

  it('D10: the transport knows that a call chose the host', async () => {
    const transport = vi.fn<HttpTransport>(async () => new Response())
    const definition = { name: 't', url: 'https://{h}/' }
    await callTool(definition, { h: 'a.example' }, { transport, allowedHosts: ['a.example'] })
    expect(transport.mock.lastCall?.[1].allowedOrigin).toBe('')
  })

  it.each([
    [{}, 'https://h.example/', {}, 'follow'],
    [{ accept: 'a/b', 'CONTENT-TYPE': 'application/json' }, 'https://h.example/', {}, 'follow'],
    [{ 'X-Api-Key': 'k' }, 'https://h.example/', {}, 'error'],
    [{}, 'https://user:pass@h.example/', {}, 'error'],
    [{}, 'https://{h}/', {}, 'error'],
    [{ 'X-Api-Key': 'k' }, 'https://h.example/', { redirect: 'follow' as const }, 'follow'],
    [{}, 'https://h.example/', { redirect: 'error' as const }, 'error'],
  ])('D22: redirects with %j to %s: %j', async (headers, url, options, redirect) => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response())
    const all = { fetch, allowedHosts: ['h.example'], ...options }
    await callTool({ name: 't', url, headers }, { h: 'h.example' }, all)
    expect(fetch.mock.lastCall?.[1]?.redirect).toBe(redirect)
  })

  it('D22: X-Api-Key goes to no other origin', async () => {
    listener = (_request, response) =>
      response.writeHead(302, { location: `${raw.origin}/steal` }).end()
    const headers = { 'X-Api-Key': 'k-123' }
    expect(await callTool(tool('/', { headers }))).toMatch(
      /^Error: tool request failed: network error/,
    )
    expect(raw.requests).toEqual([])
  })

  it('D13: what breaks a header reaches no wire', async () => {
    const definition = {
      name: 't',
      url: raw.origin,
      headers: { Authorization: 'Bearer {token}' },
      parameters: { type: 'object', properties: { token: {} } },
    }
    const text = await callTool(definition, { token: 's3cret\r\nX-Admin: 1' })
    expect(text).toBe(failed("argument 'token' has characters not allowed in a header"))
    expect(raw.requests).toEqual([])
  })
})

describe('24, D23: what fails', () => {
  it('a refused connection', async () => {
    const closed = await startRawServer()
    await closed.close()
    const definition = { name: 't', url: `${closed.origin}/s3cret?key=s3cret` }
    expect(await callTool(definition)).toBe(failed('network error (ECONNREFUSED)'))
  })

  it('a body that is cut, and one that is no gzip', async () => {
    raw.answer = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
    expect(await callTool({ name: 't', url: raw.origin })).toMatch(
      /^Error: tool request failed: network error \(\w+\)$/,
    )
    raw.answer = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope'
    expect(await callTool({ name: 't', url: raw.origin })).toBe(
      failed('response could not be decoded'),
    )
  })

  it('26: no answer within the time, which holds for the body too', async () => {
    raw.answer = () => {}
    expect(await callTool({ name: 't', url: raw.origin }, {}, { timeoutMs: 50 })).toBe(
      failed('timed out after 0.05 s'),
    )
    raw.answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')
    expect(await callTool({ name: 't', url: raw.origin }, {}, { timeoutMs: 50 })).toBe(
      failed('timed out after 0.05 s'),
    )
  })

  it('26: the time is 15 seconds by default, for one call', async () => {
    vi.useFakeTimers()
    const transport = () => new Promise<Response>(() => {})
    const call = callTool(tool(), {}, { transport })
    const seen = vi.fn<(text: string) => void>()
    void call.then(seen)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(seen).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await call).toBe(failed('timed out after 15 s'))
  })

  it('26: a time without end is none', async () => {
    expect(await callTool(tool(), {}, { timeoutMs: Infinity })).toBe('ok')
  })

  it("the caller's abort is no failure: it rejects with its reason, and the socket closes", async () => {
    const controller = new AbortController()
    const reason = new DOMException('stop', 'AbortError')
    const closed = new Promise((resolve) => {
      raw.answer = (socket) => {
        socket.on('close', resolve)
        controller.abort(reason)
      }
    })
    const call = callTool({ name: 't', url: raw.origin }, {}, {}, controller.signal)
    await expect(call).rejects.toBe(reason)
    await closed
    await expect(callTool(tool(), {}, {}, controller.signal)).rejects.toBe(reason)
  })

  it('what a transport says is said', async () => {
    const transport = () => Promise.reject(requestError('redirect to another origin refused'))
    expect(await callTool(tool(), {}, { transport })).toBe(
      failed('redirect to another origin refused'),
    )
  })

  it('no URL, no header, no argument is in any text', async () => {
    const fetch = async () => {
      throw new TypeError('Failed: https://h.example/s3cret with Bearer s3cret')
    }
    const definition = {
      name: 't',
      url: 'https://h.example/{a}?key=s3cret',
      headers: { Authorization: 'Bearer s3cret' },
    }
    expect(await callTool(definition, { a: 's3cret' }, { fetch })).toBe(failed('network error'))
  })

  it('a credential that the server echoes with its failure is not told', async () => {
    listener = ({ headers, url }, response) => {
      response.writeHead(401).end(`${headers.authorization} / ${headers['x-api-key']} / ${url}`)
    }
    const headers = { Authorization: 'Bearer s3cret-token', 'X-Api-Key': 's3cret-key' }
    const text = await callTool(tool('/?access_token=s3cret-query', { headers }))
    expect(text).toBe('Error: HTTP 401 — *** / *** / /?access_token=***')
  })

  it.each([
    ['?api_key=s3cret%2Fab%3D', {}, 'no such key: s3cret/ab='],
    ['', { Authorization: `Basic ${btoa('user:s3cret')}` }, 'user:s3cret'],
    ['', { Authorization: 'Bearer  s3cret' }, '(s3cret)'],
    ['', { Cookie: 'theme=dark; session=s3cret' }, 's3cret is over'],
    ['', { 'X-Api-Key': 's3cret=' }, '[s3cret=]'],
  ])('nor in another form: %s %j', async (query, headers, body) => {
    listener = (_request, response) => response.writeHead(401).end(body)
    const text = await callTool(tool(`/${query}`, { headers }))
    expect(text).toBe(`Error: HTTP 401 — ${body.replace(/s3cret(\/ab)?=?/, '***')}`)
  })

  it('nor the password of its URL', async () => {
    listener = (_request, response) => response.writeHead(401).end('s3cret is wrong')
    const url = origin.replace('//', '//user:s3cret@')
    expect(await callTool({ name: 't', url })).toBe('Error: HTTP 401 — *** is wrong')
  })
})

describe('D18: answers without end', () => {
  it('a gzip bomb costs as little as any answer', async () => {
    const bomb = gzipSync(new Uint8Array(100_000_000))
    listener = (_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
        .end(bomb)
    }
    const before = process.memoryUsage().rss
    const text = await callTool(tool(), {}, { resultMaxChars: 10 })
    expect(text).toBe(`${'\0'.repeat(10)}… [truncated]`)
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  it('a body that never ends is left at the limit', async () => {
    const closed = new Promise((resolve) => {
      listener = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const timer = setInterval(() => response.write('x'.repeat(100)), 1)
        response.on('close', () => {
          clearInterval(timer)
          resolve('closed')
        })
      }
    })
    expect(await callTool(tool(), {}, { resultMaxChars: 250 })).toBe(
      `${'x'.repeat(250)}… [truncated]`,
    )
    expect(await closed).toBe('closed')
  })
})

describe('onRequest', () => {
  const eventOf = async (definition: object, args: object = {}) => {
    const events: HttpToolEvent[] = []
    await callTool(definition as never, args, { onRequest: (event) => events.push(event) })
    return events
  }

  it('tells what was sent, without credentials, and what the model reads', async () => {
    listener = (_request, response) => response.writeHead(201).end('made')
    const headers = { Authorization: 'Bearer {token}', 'X-Tool': 'x' }
    const parameters = { type: 'object', properties: { token: {} } }
    const definition = tool('/?api_key=s3cret&b=1', { method: 'POST', headers, parameters })
    expect(await eventOf(definition, { token: 'abcdef', a: 1 })).toEqual([
      {
        toolCallId: 'call_1',
        toolName: 't',
        request: {
          method: 'POST',
          url: `${origin}/?api_key=***&b=1`,
          headers: { authorization: '***', 'x-tool': 'x', 'content-type': 'application/json' },
          body: '{"token":"abcdef","a":1}',
        },
        status: 201,
        text: 'made',
      },
    ])
  })

  it('tells of failures, and of calls that were never sent', async () => {
    listener = (_request, response) => response.writeHead(404).end('no')
    expect(await eventOf(tool())).toMatchObject([{ status: 404, text: 'Error: HTTP 404 — no' }])
    expect(await eventOf(tool('/{id}'))).toEqual([
      { toolCallId: 'call_1', toolName: 't', text: failed("missing argument 'id'") },
    ])
  })
})

describe('loadHttpTools', () => {
  it('reads a file by fetch', async () => {
    listener = (_request, response) => response.end(`\ufeff${JSON.stringify([tool()])}`)
    const tools = await loadHttpTools(`${origin}/tools.json`)
    expect(tools.map(({ name }) => name)).toEqual(['t'])
  })

  it('says what is wrong about it, without credentials of its URL', async () => {
    const load = async (url: string) => {
      const error: unknown = await loadHttpTools(url).catch((one: unknown) => one)
      return isLLMError(error) ? `${error.code}: ${error.message}` : error
    }
    listener = (_request, response) => response.writeHead(404).end()
    expect(await load(`${origin}/x.json?key=s3cret`)).toBe(
      `http: no tool definitions from ${origin}/x.json (HTTP 404): check the URL`,
    )
    expect(await load('http://user:s3cret@127.0.0.1:1/x.json')).toBe(
      'network: no tool definitions from http://127.0.0.1:1/x.json (no answer): check the URL',
    )
    // What a development server gives in place of a file that is not there.
    listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    expect(await load(`${origin}/x.json`)).toBe(
      `http: no tool definitions from ${origin}/x.json (HTTP 200): check the URL`,
    )
    listener = (_request, response) => response.end(Buffer.from([0x5b, 0xff, 0x5d]))
    expect(await load(origin)).toBe('invalid-definition: Invalid tool definitions: file: not UTF-8')
  })
})
