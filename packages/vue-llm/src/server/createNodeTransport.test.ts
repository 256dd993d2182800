import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { HttpRequest, HttpTransportOptions } from '../http-tools'
import { serve, until } from './__tests__/handlerKit'
import { answer, startRawServer } from './__tests__/rawServer'
import { createNodeTransport, type NodeTransportOptions } from './createNodeTransport'

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  body: null,
  ...more,
})

/** Sends; the origin of the request stands in the definition unless said otherwise. */
const send = (
  request: HttpRequest,
  policy: Partial<HttpTransportOptions> = {},
  options: NodeTransportOptions = {},
) =>
  createNodeTransport(options)(request, {
    signal: new AbortController().signal,
    allowedOrigin: new URL(request.url).origin,
    allowedHosts: [],
    allowPrivateNetwork: false,
    ...policy,
  })

/** A call chose the host. */
const chosen = { allowedOrigin: '' }
const refused = (host: string) => `tool request failed: host '${host}' is not allowed`

describe('what goes out', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'TRACK', 'FOO', "X!#$%&'*+-.^_`|~9"])(
    '%s has no body and no content-type',
    async (method) => {
      const server = await startRawServer()
      await send(get(`${server.origin}/a?b=c`, { method }))
      expect(server.requests).toMatchObject([{ line: `${method} /a?b=c HTTP/1.1`, body: '' }])
      const { headers } = server.requests[0] ?? {}
      expect(headers).not.toHaveProperty('content-type')
      expect(headers).not.toHaveProperty('transfer-encoding')
    },
  )

  it.each(['POST', 'PUT', 'PATCH', 'PURGE', 'FOO'])('%s has its body, counted', async (method) => {
    const server = await startRawServer()
    const body = '{"a":"é"}'
    await send(get(server.origin, { method, body, headers: { 'content-type': 'x/y' } }))
    expect(server.requests).toMatchObject([
      {
        line: `${method} / HTTP/1.1`,
        body,
        headers: { 'content-type': 'x/y', 'content-length': '10' },
      },
    ])
  })

  it('asks for no compression, and says who asks, unless the definition does', async () => {
    const server = await startRawServer()
    await send(get(server.origin))
    await send(get(server.origin, { headers: { 'user-agent': 'me', accept: 'a/b' } }))
    expect(server.requests).toMatchObject([
      { headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'vue-llm' } },
      { headers: { accept: 'a/b', 'accept-encoding': 'identity', 'user-agent': 'me' } },
    ])
  })

  it('D14 CONNECT is sent nowhere', async () => {
    const server = await startRawServer()
    await expect(send(get(server.origin, { method: 'CONNECT' }))).rejects.toThrow(
      "tool request failed: HTTP method 'CONNECT' cannot be sent from this runtime",
    )
    expect(server.connections()).toBe(0)
  })
})

describe('what comes back', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is inflated where it comes as %s', async (encoding, compress) => {
    const server = await startRawServer(
      answer(200, { 'content-encoding': encoding }, compress('héllo')),
    )
    expect(await (await send(get(server.origin))).text()).toBe('héllo')
  })

  it.each([
    ['HEAD', 200, { 'content-length': '120', 'content-encoding': 'gzip' }],
    ['GET', 204, { 'content-encoding': 'gzip' }],
    ['GET', 304, {}],
    ['POST', 201, { 'content-encoding': 'gzip', 'content-length': '0' }],
  ])('is empty for %s with %i', async (method, status, headers) => {
    const server = await startRawServer(answer(status, headers))
    const response = await send(get(server.origin, { method }))
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
    await until(() => server.open() === 0)
  })

  it('an unknown encoding can not be read', async () => {
    const server = await startRawServer(answer(200, { 'content-encoding': 'toString' }, 'x'))
    await expect(send(get(server.origin))).rejects.toThrow('response could not be decoded')
    await until(() => server.open() === 0)
  })

  it('broken gzip is an error of the body', async () => {
    const server = await startRawServer(answer(200, { 'content-encoding': 'gzip' }, 'no gzip'))
    const response = await send(get(server.origin))
    await expect(response.text()).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
  })

  it('a body that is cut is an error', async () => {
    const server = await startRawServer(answer(200, { 'content-length': '100' }, 'short'))
    await expect((await send(get(server.origin))).text()).rejects.toThrow('aborted')
  })

  it('may have a status that no Response may have', async () => {
    const server = await startRawServer(answer(999, {}, 'odd'))
    const response = await send(get(server.origin))
    expect([response.status, response.ok, await response.text()]).toEqual([999, false, 'odd'])
  })

  it.each([
    ['nothing', Buffer.from('')],
    ['no HTTP', Buffer.from('SSH-2.0-x\r\n')],
    [
      'another protocol',
      Buffer.from('HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: y\r\n\r\n'),
    ],
  ])('%s is a network error', async (_, bytes) => {
    const server = await startRawServer(bytes)
    await expect(send(get(server.origin))).rejects.toThrow(
      /^tool request failed: network error( \([A-Z_]+\))?$/,
    )
  })

  it('a refused connection is a network error with its code', async () => {
    const { origin } = await startRawServer()
    // Of that address nobody listens.
    const closed = origin.replace('127.0.0.1', '127.9.9.9')
    await expect(send(get(closed))).rejects.toThrow(/network error \(ECONNREFUSED\)$/)
  })

  it('an unknown name is a network error with its code', async () => {
    await expect(send(get('http://nobody.invalid/'))).rejects.toThrow(
      /^tool request failed: network error \((ENOTFOUND|EAI_AGAIN)\)$/,
    )
  })

  it('a header value that can not be sent is no text of the error', async () => {
    const request = get('http://127.0.0.1:1/', { headers: { 'x-key': 'secr\u0000et' } })
    const error: unknown = await send(request).catch((thrown: unknown) => thrown)
    expect(`${error}`).toBe('ToolError: tool request failed: network error (ERR_INVALID_CHAR)')
  })
})

describe('D18 reading', () => {
  it('a gzip bomb is inflated no further than it is read', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 28, 'a'))
    const server = await startRawServer(answer(200, { 'content-encoding': 'gzip' }, bomb))
    const { rss } = process.memoryUsage()
    const reader = (await send(get(server.origin))).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(value?.length).toBeLessThanOrEqual(2 ** 16)
    await reader?.cancel()
    await until(() => server.open() === 0)
    expect(process.memoryUsage().rss - rss).toBeLessThan(2 ** 26)
  })

  it('a body that never ends is left when the reader has enough', async () => {
    let written = 0
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const fill = () => {
        while (socket.writable && socket.write('y'.repeat(1024))) written++
      }
      socket.on('drain', fill)
      fill()
    })
    const reader = (await send(get(server.origin))).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await until(() => server.open() === 0)
    // What the system's own buffers took.
    expect(written).toBeLessThan(32 * 1024)
  })
})

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    const server = await startRawServer()
    const reason = new Error('stop')
    await expect(send(get(server.origin), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    expect(server.connections()).toBe(0)
  })

  it('while the server is silent closes the connection', async () => {
    const server = await startRawServer(() => {})
    const gone = new AbortController()
    const sent = send(get(server.origin), { signal: gone.signal })
    await until(() => server.requests.length)
    const reason = new DOMException('over', 'TimeoutError')
    gone.abort(reason)
    await expect(sent).rejects.toBe(reason)
    await until(() => server.open() === 0)
  })

  it.each([
    ['plain', {}],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('while a %s body stalls ends the reading', async (_, headers) => {
    const server = await startRawServer((socket) => {
      socket.write(answer(200, { ...headers, 'content-length': '100' }))
    })
    const gone = new AbortController()
    const response = await send(get(server.origin), { signal: gone.signal })
    const text = response.text()
    const reason = new DOMException('over', 'TimeoutError')
    gone.abort(reason)
    await expect(text).rejects.toBe(reason)
    await until(() => server.open() === 0)
  })

  it('while the name is looked up is not held up by it', async () => {
    const gone = new AbortController()
    const reason = new Error('stop')
    const sent = send(
      get('http://slow.test/'),
      { signal: gone.signal },
      { resolve: () => new Promise(() => setTimeout(() => gone.abort(reason), 5)) },
    )
    await expect(sent).rejects.toBe(reason)
  })
})

describe('D10 hosts', () => {
  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '①②⑦.0.0.1',
    '127.1.',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '169.254.169.254',
    '10.0.0.1',
    '100.64.0.1',
    '192.0.2.1',
    '[fd00:ec2::254]',
  ])('%s, which a call chose, is refused before a connection is made', async (host) => {
    const resolve = vi.fn<() => Promise<string[]>>()
    const url = new URL(`http://${host}/`)
    await expect(send(get(url.href), chosen, { resolve })).rejects.toThrow(refused(url.hostname))
    expect(resolve).not.toHaveBeenCalled()
  })

  it.each(['localhost', 'LOCALHOST'])('%s is refused by its address', async (host) => {
    const { port, connections } = await startRawServer()
    await expect(send(get(`http://${host}:${port}/`), chosen)).rejects.toThrow(
      refused(host.toLowerCase()),
    )
    expect(connections()).toBe(0)
  })

  it('a name with a dot at its end is refused by its address', async () => {
    const resolve = async () => ['127.0.0.1']
    const sent = send(get('http://inside.test./'), chosen, { resolve })
    await expect(sent).rejects.toThrow(refused('inside.test.'))
  })

  it('a name with a private address among its addresses is refused', async () => {
    const { port, connections } = await startRawServer()
    const resolve = async () => ['8.8.8.8', '127.0.0.1']
    const sent = send(
      get(`http://two.test:${port}/`),
      { ...chosen, allowedHosts: ['two.test'] },
      { resolve },
    )
    await expect(sent).rejects.toThrow(refused('two.test'))
    expect(connections()).toBe(0)
  })

  it('is the origin that counts: another port of the trusted host is not trusted', async () => {
    const { origin, connections } = await startRawServer()
    await expect(send(get(origin), { allowedOrigin: 'http://127.0.0.1:1' })).rejects.toThrow(
      refused('127.0.0.1'),
    )
    expect(connections()).toBe(0)
  })

  it('the origin of a definition is trusted, private or not', async () => {
    const { port } = await startRawServer()
    const resolve = async () => ['127.0.0.1']
    const response = await send(get(`http://internal.test:${port}/`), {}, { resolve })
    expect(await response.text()).toBe('ok')
  })

  it('a trusted name with several addresses is reached at whichever answers', async () => {
    const { port } = await startRawServer()
    const response = await send(get(`http://localhost:${port}/`))
    expect(await response.text()).toBe('ok')
  })

  it('https is spoken to https origins: a server that does not is a network error', async () => {
    const url = (await serve(() => {})).replace('http', 'https')
    await expect(send(get(url))).rejects.toThrow(/^tool request failed: network error \([A-Z_]+\)$/)
  })

  it('allowPrivateNetwork opens it', async () => {
    const { origin } = await startRawServer()
    const response = await send(get(origin), { ...chosen, allowPrivateNetwork: true })
    expect(await response.text()).toBe('ok')
  })

  it('a DNS answer that changes after the check changes nothing: one look-up decides and connects', async () => {
    const { port, connections } = await startRawServer()
    // 192.0.0.8 would be refused; the first answer is public, and nobody is there.
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const resolve = vi.fn<() => Promise<string[]>>(async () => answers.shift() ?? [])
    const signal = AbortSignal.timeout(300)
    const sent = send(get(`http://rebind.test:${port}/`), { ...chosen, signal }, { resolve })
    await expect(sent).rejects.toThrow(/timeout|network error/)
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(connections()).toBe(0)
    const again = send(get(`http://rebind.test:${port}/`), chosen, { resolve })
    await expect(again).rejects.toThrow(refused('rebind.test'))
    expect(connections()).toBe(0)
  })

  it('the connection goes to the address that was checked', async () => {
    const { port, requests } = await startRawServer()
    const resolve = vi.fn<() => Promise<string[]>>(async () => ['127.0.0.1'])
    const policy = { ...chosen, allowPrivateNetwork: true }
    await send(get(`http://pinned.test:${port}/`), policy, { resolve })
    expect(requests).toMatchObject([{ headers: { host: `pinned.test:${port}` } }])
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it.each([[[]], [['no address']], [['127.0.0.1:80']]])(
    'a resolver that gives %j is a network error',
    async (addresses) => {
      const sent = send(get('http://odd.test/'), {}, { resolve: async () => addresses })
      await expect(sent).rejects.toThrow('tool request failed: network error (ENOTFOUND)')
    },
  )

  it.each(['file:///etc/passwd', 'data:text/plain,hi', 'ftp://h.test/'])(
    '%s has a scheme that is not allowed',
    async (url) => {
      const scheme = url.split(':')[0]
      await expect(send(get(url), chosen)).rejects.toThrow(
        `tool request failed: scheme '${scheme}' is not allowed`,
      )
    },
  )
})
