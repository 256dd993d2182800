import { expect, it, vi } from 'vitest'
import type { HttpRequest } from '../http-tools'
import { startRawServer, answer } from './__tests__/rawServer'
import { createNodeTransport } from './createNodeTransport'

const request = (url: string, method = 'GET'): HttpRequest => ({
  method,
  url,
  headers: { 'x-api-key': 'k' },
  body: null,
})
const policy = {
  signal: new AbortController().signal,
  allowedOrigin: '',
  allowedHosts: [],
  allowPrivateNetwork: false,
}

/** As on a platform without Node's modules. */
const withoutNode = () => vi.stubGlobal('process', { env: {} })

it('where there is no node:http it sends by fetch, with redirects by hand all the same', async () => {
  const server = await startRawServer((socket, { line }) =>
    socket.end(
      line.includes('/go') ? answer(302, { location: '/there' }) : answer(200, {}, 'there'),
    ),
  )
  withoutNode()
  const send = createNodeTransport()
  const trusted = { ...policy, allowedOrigin: server.origin }
  const sent = send(request(`${server.origin}/go`), trusted)
  expect(await (await sent).text()).toBe('there')
  const away = send(request(`${server.origin}/go`), { ...trusted, redirect: 'error' })
  await expect(away).rejects.toThrow('redirect refused')
  vi.unstubAllGlobals()
  expect(server.requests[1]).toMatchObject({ headers: { 'x-api-key': 'k' } })
})

it('there it refuses what fetch can not send, and addresses that are not public', async () => {
  withoutNode()
  const send = createNodeTransport()
  const trace = send(request('http://127.0.0.1:1', 'TRACE'), {
    ...policy,
    allowPrivateNetwork: true,
  })
  await expect(trace).rejects.toThrow("HTTP method 'TRACE' cannot be sent from this runtime")
  await expect(send(request('http://127.0.0.1:1'), policy)).rejects.toThrow('is not allowed')
  vi.unstubAllGlobals()
})

it('D22 a redirect from https to http is refused, also within the host', async () => {
  withoutNode()
  const seen: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    seen.push(url)
    return new Response(null, { status: 302, headers: { location: 'http://h.example/go' } })
  })
  const trusted = { ...policy, allowedOrigin: 'https://h.example', allowPrivateNetwork: true }
  await expect(createNodeTransport()(request('https://h.example/go'), trusted)).rejects.toThrow(
    'tool request failed: redirect to another origin refused',
  )
  expect(seen).toEqual(['https://h.example/go'])
  vi.unstubAllGlobals()
})
