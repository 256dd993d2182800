import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDemoModel } from 'vue-llm/testing'
import { toNodeHandler } from 'vue-llm/server'
import { openSocket, startServe } from './startServe'

const ask = (content: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ messages: [{ role: 'user', content }] }),
})

/** Sends what `fetch` would not: any `Host`. */
function rawGet(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response: IncomingMessage) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

/** The text of an answer as it comes. */
function readAll({ body }: Response): { first: Promise<void>; all: Promise<string> } {
  let begin = () => {}
  const first = new Promise<void>((resolve) => (begin = resolve))
  const read = async () => {
    let text = ''
    for await (const bytes of body ?? []) {
      begin()
      text += Buffer.from(bytes).toString()
    }
    return text
  }
  return { first, all: read() }
}

/** A model's server that can be killed. */
async function startUpstream(delayMs = 0): Promise<{ baseURL: string; server: Server }> {
  const server = createServer(
    toNodeHandler(async (incoming) => {
      const body = await incoming.text()
      const { method, headers } = incoming
      return createDemoModel({ delayMs })(incoming.url, { method, headers, body })
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const { port } = server.address() as AddressInfo
  return { baseURL: `http://127.0.0.1:${port}/v1`, server }
}

describe('what is answered', () => {
  it('/api/chat streams an answer with the tools of the registry', async () => {
    const { url } = await startServe()
    const response = await fetch(`${url}/api/chat`, ask("What's the weather in Paris?"))
    const text = await response.text()
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(text).toMatch(/"type":"tool-result".*Paris/)
    expect(text.trimEnd()).toMatch(/\[DONE\]$/)
  })

  it('/health, /openapi.json, and / leads to /docs', async () => {
    const { url } = await startServe()
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ ok: true })
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, { tags: string[] }>>
    }
    expect(document.openapi).toMatch(/^3\.1/)
    expect(document.paths['/api/tools']?.['post']?.tags).toEqual(['tools'])
    expect(Object.keys(document.paths)).toEqual(['/api/chat', '/api/tools', '/ws', '/health'])
    const home = await fetch(url)
    expect(home.url).toBe(`${url}/docs`)
    expect(await home.text()).toContain('swagger-ui-bundle.js')
  })

  it.each(['/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/start.js'])(
    '%s is served by this server',
    async (path) => {
      const { url } = await startServe()
      const response = await fetch(url + path)
      expect(response.status).toBe(200)
      expect((await response.text()).length).toBeGreaterThan(40)
    },
  )

  it.each([
    ['/nothing', 404],
    ['/ws', 426],
    ['/docs/../config', 404],
    ['/constructor', 404],
  ])('%s: %i', async (path, status) => {
    const { url } = await startServe()
    expect((await fetch(url + path)).status).toBe(status)
  })
})

describe('LLM_ENABLED=false', () => {
  it('answers 503 for a chat, a POST of tools and a WebSocket; GET of tools still answers', async () => {
    const { url } = await startServe(['--demo'], { LLM_ENABLED: 'false' })
    expect((await fetch(`${url}/api/chat`, ask('hi'))).status).toBe(503)
    const post = { ...ask(''), body: '[{"name":"a","url":"http://localhost/"}]' }
    expect((await fetch(`${url}/api/tools`, post)).status).toBe(503)
    expect((await fetch(`${url}/api/tools`)).status).toBe(200)
    await expect(openSocket(url)).rejects.toThrow('503')
  })
})

describe('who may ask (bound to a loopback address)', () => {
  it.each([
    ['localhost', 200],
    ['127.0.0.1:8787', 200],
    ['[::1]:8787', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.nip.io', 403],
  ])('Host %s: %i', async (host, status) => {
    const { url } = await startServe()
    for (const path of ['/health', '/api/tools']) {
      expect(await rawGet(url, path, { host })).toBe(status)
    }
  })

  it.each([
    ['http://localhost:5173', 200],
    ['http://127.0.0.1:3000', 200],
    ['https://evil.example', 403],
    ['null', 403],
  ])('Origin %s: %i, for a WebSocket too', async (origin, status) => {
    const { url } = await startServe()
    expect(await rawGet(url, '/health', { origin })).toBe(status)
    const opened = await openSocket(url, { origin }).then(
      () => '101',
      (error: Error) => error.message,
    )
    expect(opened).toContain(status === 200 ? '101' : '403')
  })

  it('CORS_ORIGINS opens it for the origins named, and for no other', async () => {
    const origin = 'https://app.example'
    const { url } = await startServe(['--demo', '--cors-origins', origin])
    const headers = { origin, 'access-control-request-method': 'POST' }
    const preflight = await fetch(`${url}/api/chat`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    const answer = await fetch(`${url}/health`, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    const other = await fetch(`${url}/health`, { headers: { origin: 'https://b.example' } })
    expect(other.status).toBe(403)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('a token closes /api/tools to whoever has none', async () => {
    const { url, lines } = await startServe(['--demo'], { LLM_TOOLS_API_TOKEN: 'open-sesame' })
    expect((await fetch(`${url}/api/tools`)).status).toBe(403)
    const headers = { authorization: 'Bearer open-sesame' }
    expect((await fetch(`${url}/api/tools`, { headers })).status).toBe(200)
    expect(lines.join('')).not.toContain('open-sesame')
  })
})

describe('frames that can not be taken', () => {
  it.each([
    ['binary', Buffer.from([1, 2, 3])],
    ['10 MB of text', `{"type":"user_text","text":"${'x'.repeat(10e6)}"}`],
    ['no JSON', 'hello'],
    ['an unknown type', '{"type":"dance"}'],
  ])('%s: an error, and the socket is still good', async (_what, frame) => {
    const { url } = await startServe()
    const { ws, events, say, turns } = await openSocket(url)
    ws.send(frame)
    say('hello')
    await turns(1)
    expect(events[0]).toMatchObject({ type: 'error', refused: true })
    expect(events.at(-2)).toMatchObject({ type: 'assistant_delta' })
  })
})

describe('the model behind it', () => {
  it('goes away: each client gets an error, and the next turn works', async () => {
    const upstream = await startUpstream(30)
    const { url, lines } = await startServe(
      ['--base-url', upstream.baseURL, '--model', 'vue-llm-demo'],
      { LLM_API_KEY: 'sk-very-secret' },
    )
    const { events, say, turns } = await openSocket(url)
    say('Tell me about yourself')
    await expect.poll(() => events.length, { timeout: 5000 }).toBeGreaterThan(0)
    const overSSE = await fetch(`${url}/api/chat`, ask('Tell me about yourself'))
    const read = readAll(overSSE)
    await read.first
    upstream.server.closeAllConnections()
    await turns(1)
    expect(events.at(-2)).toEqual({ type: 'error', message: 'the server could not answer' })
    expect(await read.all).toMatch(/"type":"error"/)
    say('And now?')
    await turns(2)
    expect(events.at(-2)).toMatchObject({ type: 'assistant_delta' })
    expect(lines.join('')).not.toMatch(/sk-very-secret|Tell me about/)
    expect(lines.join('')).toContain('"event":"turn"')
  })
})

describe('SIGTERM', () => {
  it('lets running turns end, takes nothing new, then closes', async () => {
    const upstream = await startUpstream(30)
    const { url, stop } = await startServe([
      '--base-url',
      upstream.baseURL,
      '--model',
      'vue-llm-demo',
    ])
    const running = await openSocket(url)
    const resting = await openSocket(url)
    const closed = new Promise((resolve) => resting.ws.on('close', resolve))
    running.say('Tell me about yourself')
    const reading = (await fetch(`${url}/api/chat`, ask('Tell me about yourself'))).text()
    await expect.poll(() => running.events.length, { timeout: 5000 }).toBeGreaterThan(0)
    const stopped = stop()
    expect(await closed).toBe(1001)
    await running.turns(1)
    expect(running.events.some(({ type }) => type === 'error')).toBe(false)
    expect((await reading).trimEnd()).toMatch(/\[DONE\]$/)
    await stopped
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  })

  it('cuts what does not end in its time', async () => {
    const upstream = await startUpstream(200)
    const { url, stop, lines } = await startServe(
      ['--base-url', upstream.baseURL, '--model', 'vue-llm-demo'],
      { SHUTDOWN_SECS: '0' },
    )
    const { say, events, ws } = await openSocket(url)
    say('Tell me about yourself')
    await expect.poll(() => events.length, { timeout: 5000 }).toBeGreaterThan(0)
    const closed = new Promise((resolve) => ws.on('close', resolve))
    await stop()
    await closed
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'stopped', cut: 1 })
  })
})
