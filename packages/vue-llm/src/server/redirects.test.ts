import { describe, expect, it } from 'vitest'
import type { HttpRequest, HttpTransportOptions } from '../http-tools'
import { until } from './__tests__/handlerKit'
import { answer, startRawServer } from './__tests__/rawServer'
import { createNodeTransport } from './createNodeTransport'

const send = (
  request: Partial<HttpRequest> & { url: string },
  policy: Partial<HttpTransportOptions> = {},
  resolve?: (hostname: string) => Promise<string[]>,
) =>
  createNodeTransport({ resolve })(
    { method: 'GET', headers: {}, body: null, ...request },
    {
      signal: new AbortController().signal,
      allowedOrigin: new URL(request.url).origin,
      allowedHosts: [],
      allowPrivateNetwork: false,
      ...policy,
    },
  )

/** A server that leads elsewhere from `/go`, and answers any other path. */
const leadingTo = (location: string, status = 302) =>
  startRawServer((socket, { line }) =>
    socket.end(
      line.includes(' /go') ? answer(status, { location }, 'moved') : answer(200, {}, 'there'),
    ),
  )

/** Names of another origin that may be private, as an operator would name it. */
const open = { allowedHosts: ['127.0.0.1'] }
const secret = { authorization: 'Bearer t', 'x-api-key': 'k', cookie: 'c', 'user-agent': 'me' }
const refusal = 'tool request failed: redirect to another origin refused'

describe('D22 a redirect within the origin', () => {
  it('is followed with the headers of the definition', async () => {
    const server = await leadingTo('/there?a=b#c')
    const response = await send({ url: `${server.origin}/go`, headers: secret })
    expect(await response.text()).toBe('there')
    expect(server.requests).toMatchObject([
      { line: 'GET /go HTTP/1.1' },
      { line: 'GET /there?a=b HTTP/1.1', headers: secret },
    ])
  })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'HEAD', 'HEAD'],
  ])('%i after %s is asked as %s, without a body', async (status, method, next) => {
    const server = await leadingTo('/there', status)
    const body = method === 'HEAD' || method === 'DELETE' ? null : '{"a":1}'
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k' }
    await send({ url: `${server.origin}/go`, method, body, headers })
    expect(server.requests[1]).toMatchObject({ line: `${next} /there HTTP/1.1`, body: '' })
    expect(server.requests[1]?.headers).toMatchObject({ 'x-api-key': 'k' })
    expect(Object.keys(server.requests[1]?.headers ?? {})).toEqual(
      expect.not.arrayContaining([next === 'GET' ? 'content-type' : 'content-length']),
    )
  })

  it.each([
    [307, 'POST'],
    [308, 'PATCH'],
    [301, 'PUT'],
    [302, 'PURGE'],
  ])('%i after %s keeps the verb and the body', async (status, method) => {
    const server = await leadingTo('/there', status)
    const sent = { body: '{"a":1}', headers: { 'content-type': 'application/json' } }
    await send({ url: `${server.origin}/go`, method, ...sent })
    expect(server.requests[1]).toMatchObject({ line: `${method} /there HTTP/1.1`, ...sent })
  })

  it('is followed ten times, and no more', async () => {
    const server = await startRawServer((socket, { line }) => {
      const hop = Number(/\d+/.exec(line)?.[0])
      socket.end(hop < 10 ? answer(302, { location: `/${hop + 1}` }) : answer(200, {}, 'there'))
    })
    expect(await (await send({ url: `${server.origin}/0` })).text()).toBe('there')
    const round = await leadingTo('/go')
    await expect(send({ url: `${round.origin}/go` })).rejects.toThrow(
      'tool request failed: redirect limit of 10 reached',
    )
    expect(round.requests).toHaveLength(11)
    await until(() => round.open() === 0)
  })

  it.each([
    [302, {}],
    [300, { location: '/there' }],
    [304, { location: '/there' }],
  ])('is none for %i with %j', async (status, headers) => {
    const server = await startRawServer(answer(status, headers))
    expect((await send({ url: server.origin })).status).toBe(status)
    expect(server.requests).toHaveLength(1)
  })

  it('is refused where the tools follow none', async () => {
    const server = await leadingTo('/there')
    await expect(send({ url: `${server.origin}/go` }, { redirect: 'error' })).rejects.toThrow(
      'tool request failed: redirect refused',
    )
    expect(server.requests).toHaveLength(1)
  })
})

describe('D22 a redirect to another origin', () => {
  it('loses every header of the definition but User-Agent', async () => {
    const other = await startRawServer()
    const server = await leadingTo(`${other.origin}/steal`)
    const headers = { ...secret, accept: 'a/b', 'x-other': 'o' }
    expect(await (await send({ url: `${server.origin}/go`, headers }, open)).text()).toBe('ok')
    expect(other.requests[0]?.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'me',
      host: `127.0.0.1:${other.port}`,
      connection: 'close',
    })
  })

  it('and back again does not bring them back', async () => {
    const back = { origin: '' }
    const other = await startRawServer((socket) =>
      socket.end(answer(302, { location: `${back.origin}/end` })),
    )
    const server = await leadingTo(other.origin)
    back.origin = server.origin
    await send({ url: `${server.origin}/go`, headers: secret }, open)
    expect(server.requests[1]?.line).toBe('GET /end HTTP/1.1')
    expect(server.requests[1]?.headers).not.toHaveProperty('x-api-key')
  })

  it('gets no credentials of the URL that it leads to', async () => {
    const other = await startRawServer()
    const server = await leadingTo(`http://user:pass@127.0.0.1:${other.port}/`)
    await send({ url: `${server.origin}/go` }, open)
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [302, 'PUT'],
    [301, 'PURGE'],
  ])('%i after %s with a body is refused', async (status, method) => {
    const other = await startRawServer()
    const server = await leadingTo(other.origin, status)
    const sent = send({ url: `${server.origin}/go`, method, body: '{"a":"secret"}' }, open)
    await expect(sent).rejects.toThrow(refusal)
    expect(other.connections()).toBe(0)
  })

  it.each([302, 303])('%i after POST is asked as GET, without the body', async (status) => {
    const other = await startRawServer()
    const server = await leadingTo(other.origin, status)
    await send({ url: `${server.origin}/go`, method: 'POST', body: '{"a":"secret"}' }, open)
    expect(other.requests).toMatchObject([{ line: 'GET / HTTP/1.1', body: '' }])
  })

  it.each([
    ['http://127.0.0.1:1/x', '127.0.0.1'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['//0x7f.1/x', '127.0.0.1'],
    ['http://[::ffff:a9fe:a9fe]/', '[::ffff:a9fe:a9fe]'],
    ['http://10.0.0.1/', '10.0.0.1'],
    ['http://metadata.test/', 'metadata.test'],
    ['http://localhost:1/', 'localhost'],
  ])(
    'that leads to the private %s is refused before a connection is made',
    async (location, host) => {
      const server = await leadingTo(location)
      const resolve = async (name: string) => [
        name === 'metadata.test' ? '169.254.169.254' : '127.0.0.1',
      ]
      await expect(send({ url: `${server.origin}/go` }, {}, resolve)).rejects.toThrow(
        `tool request failed: host '${host}' is not allowed`,
      )
    },
  )

  it('that leads within the machine of the trusted origin, but to another port, is refused', async () => {
    const other = await startRawServer()
    const server = await leadingTo(other.origin)
    await expect(send({ url: `${server.origin}/go` })).rejects.toThrow(
      "tool request failed: host '127.0.0.1' is not allowed",
    )
    expect(other.connections()).toBe(0)
  })

  it('may be private where the hosts that are allowed name it, but not by a call that chose the host', async () => {
    const other = await startRawServer()
    const server = await leadingTo(`http://other.test:${other.port}/`)
    const resolve = async () => ['127.0.0.1']
    const allowedHosts = ['other.test', 'chosen.test']
    await send({ url: `${server.origin}/go` }, { allowedHosts }, resolve)
    expect(other.requests).toHaveLength(1)
    // The name's first answer is public; the server leads to its own name, whose next answer is not.
    const chosen = { allowedHosts, allowedOrigin: '' }
    await expect(send({ url: `${server.origin}/go` }, chosen, resolve)).rejects.toThrow(
      'not allowed',
    )
  })

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'gopher://x/'])(
    'that leads to %s is refused',
    async (location) => {
      const server = await leadingTo(location)
      await expect(send({ url: `${server.origin}/go` })).rejects.toThrow(
        `tool request failed: scheme '${location.split(':')[0]}' is not allowed`,
      )
    },
  )

  it('that leads to no URL at all is refused, and shows nothing of it', async () => {
    const server = await leadingTo('http://[secret')
    await expect(send({ url: `${server.origin}/go` })).rejects.toThrow(
      /^tool request failed: redirect to an invalid URL$/,
    )
  })
})
