import { describe, expect, it, vi } from 'vitest'
import { serve } from './__tests__/handlerKit'
import {
  createToolRegistry,
  createToolsHandler,
  toNodeHandler,
  type ToolRegistryOptions,
  type ToolsHandlerOptions,
} from './index'

const weather = { name: 'get_weather', description: 'd', url: 'https://h.example/{city}' }
const notes = JSON.stringify([
  { name: 'add_note', description: 'd', url: 'https://h.example/notes' },
])
const token = 's3cret-token'
const bearer = { authorization: `Bearer ${token}` }

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; url?: string }

/** A handler that holds the weather tool, and lets everybody in unless said otherwise. */
function setUp(
  options: Partial<ToolsHandlerOptions> = { authorize: () => true },
  registryOptions: ToolRegistryOptions = {},
) {
  const registry = createToolRegistry({ definitions: [weather], ...registryOptions })
  const handler = createToolsHandler({ registry, ...options })
  const ask = async ({ url = 'http://localhost:8787/api/tools', ...init }: Init = {}) => {
    const response = await handler(new Request(url, init))
    const body = (await response.json().catch(() => undefined)) as
      | Record<string, unknown>
      | undefined
    return { status: response.status, headers: response.headers, body }
  }
  const post = (body: BodyInit = notes, headers: Record<string, string> = {}, more: Init = {}) =>
    ask({
      method: 'POST',
      body,
      ...more,
      headers: { 'content-type': 'application/json', ...headers },
    })
  /** Whether the weather tool is active still, and nothing else. */
  const isUntouched = () =>
    registry.source === 'file' && registry.tools.map(({ name }) => name).join() === weather.name
  return { registry, ask, post, isUntouched }
}

describe('guide §2', () => {
  it('GET reports the active definitions and their origin', async () => {
    const { status, headers, body } = await setUp().ask()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({ ok: true, count: 1, source: 'file', tools: [weather] })
  })

  it('POST replaces them and answers with what is active now', async () => {
    const { post, ask } = setUp()
    const answer = { ok: true, count: 1, source: 'request', tools: JSON.parse(notes) as unknown }
    expect(await post()).toMatchObject({ status: 200, body: answer })
    expect((await ask()).body).toEqual(answer)
  })

  it.each([
    ['empty', '', 'the body is empty: expected an array of definitions'],
    ['empty but for white space', ' \n', 'the body is empty: expected an array of definitions'],
    ['not UTF-8', new Uint8Array([0x5b, 0xff, 0x5d]), "the body can't be read"],
    ['not JSON', '[{"name":', 'not valid JSON'],
    ['not an array', '{"name":"a","url":"https://h.example"}', 'expected an array'],
    ['without a tool definition', '[]', 'no tool definition'],
    ['null', 'null', 'expected an array'],
    ['nested without end', '['.repeat(400_000) + ']'.repeat(400_000), ''],
    ['with parameters nested without end', deep('parameters'), 'nested too deeply'],
  ])('POST of a body that is %s is a 400 and changes nothing', async (_, body, text) => {
    const { post, isUntouched } = setUp()
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, body: { ok: false } })
    expect(answer.body?.error).toContain(text)
    expect(isUntouched()).toBe(true)
  })

  it('POST of broken definitions is a 400 with every problem and its place', async () => {
    const { post, isUntouched } = setUp()
    const answer = await post(
      '[{"name":"a","url":"ftp://h.example"},{"url":"https://h.example"},{"name":"b","url":3}]',
    )
    expect(answer).toMatchObject({ status: 400, body: { ok: false, error: expect.any(String) } })
    const { errors } = answer.body as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual(['/0/url', '/1/name', '/2/url'])
    expect(isUntouched()).toBe(true)
  })

  it('POST is a 503 where the LLM is disabled; GET answers all the same', async () => {
    const { post, ask, isUntouched } = setUp(undefined, { llmEnabled: false })
    expect(await post()).toMatchObject({ status: 503, body: { ok: false } })
    expect(isUntouched()).toBe(true)
    expect(await ask()).toMatchObject({ status: 200, body: { count: 1 } })
  })

  it('the switch of the LLM may change while the server runs', async () => {
    const { post, registry } = setUp()
    registry.llmEnabled = false
    expect((await post()).status).toBe(503)
    registry.llmEnabled = true
    expect((await post()).status).toBe(200)
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('%s is a 405', async (method) => {
    const { status, headers } = await setUp().ask({ method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
  })
})

describe('D27 closed by default', () => {
  it.each(['GET', 'POST'])('%s is a 403 that says how to open it', async (method) => {
    const { ask, isUntouched } = setUp({})
    const answer = await ask({ method, ...(method === 'POST' && { body: notes }) })
    expect(answer).toMatchObject({ status: 403, body: { ok: false } })
    expect(answer.body?.error).toMatch(/authorize.*LLM_TOOLS_API_TOKEN/)
    expect(answer.body).not.toHaveProperty('tools')
    expect(isUntouched()).toBe(true)
  })

  it('the token opens it', async () => {
    const { post, ask } = setUp({ token })
    expect((await post(notes, bearer)).status).toBe(200)
    expect((await ask({ headers: { authorization: `bearer ${token}` } })).status).toBe(200)
  })

  it.each([
    {},
    { authorization: token },
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token.toUpperCase()}` },
    { authorization: `Basic ${token}` },
  ])('another token does not: %j', async (headers) => {
    const { post, isUntouched } = setUp({ token })
    const answer = await post(notes, headers as Record<string, string>)
    expect(answer.status).toBe(403)
    expect(answer.body?.error).toMatch(/^the token is wrong or missing: /)
    expect(JSON.stringify(answer.body)).not.toContain(token)
    expect(isUntouched()).toBe(true)
  })

  it('an empty token is none', async () => {
    const { post } = setUp({ token: '' })
    expect((await post(notes, { authorization: 'Bearer ' })).status).toBe(403)
    expect((await post()).status).toBe(403)
  })

  it('a token closes what allowUnauthenticated opens', async () => {
    const { post } = setUp({ token, allowUnauthenticated: true })
    expect((await post()).status).toBe(403)
    expect((await post(notes, bearer)).status).toBe(200)
  })

  it('authorize decides by the request; token or authorize is enough', async () => {
    const authorize = vi.fn<(request: Request) => unknown>(
      async ({ headers }) => headers.get('cookie') === 'session=1' && { id: 'u1' },
    )
    const { post } = setUp({ token, authorize })
    expect((await post()).status).toBe(403)
    expect((await post(notes, { cookie: 'session=1' })).status).toBe(200)
    expect((await post(notes, bearer)).status).toBe(200)
    expect(authorize).toHaveBeenCalledTimes(2)
  })

  it.each([undefined, null, false, 0, ''])(
    'authorize that returns %j lets nobody in',
    async (value) => {
      const { post, isUntouched } = setUp({ authorize: () => value })
      expect(await post()).toMatchObject({
        status: 403,
        body: { error: 'not let in by `authorize`' },
      })
      expect(isUntouched()).toBe(true)
    },
  )

  it.each([
    ['throws', () => Promise.reject(new Response('{"a":1}', { status: 401 }))],
    ['returns', () => new Response('{"a":1}', { status: 401 })],
  ])('a Response that authorize %s is the answer', async (_, authorize) => {
    const { post, isUntouched } = setUp({ authorize })
    expect(await post()).toMatchObject({ status: 401, body: { a: 1 } })
    expect(isUntouched()).toBe(true)
  })

  it('what authorize throws by mistake lets nobody in', async () => {
    const failure = new Error('database')
    const { post, isUntouched } = setUp({ authorize: () => Promise.reject(failure) })
    await expect(post()).rejects.toBe(failure)
    expect(isUntouched()).toBe(true)
  })
})

describe('pages of others', () => {
  it.each([
    ['http://localhost:8787', {}],
    ['https://app.example', { host: 'app.example' }],
    ['https://app.example', { host: 'APP.example:443' }],
  ])('the page of this server, %s, may ask', async (origin, headers) => {
    expect((await setUp().post(notes, { origin, ...headers })).status).toBe(200)
  })

  it.each([
    'http://evil.example',
    'http://localhost:5173',
    'http://localhost:8787.evil.example',
    'null',
    'file://',
    'nonsense',
  ])('the Origin %s is refused, with whatever credentials', async (origin) => {
    const { post, ask, isUntouched } = setUp({ token, authorize: () => true })
    expect((await post(notes, { ...bearer, origin })).status).toBe(403)
    expect((await ask({ headers: { origin } })).status).toBe(403)
    expect(isUntouched()).toBe(true)
  })

  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=json',
    'text/json',
    '',
  ])('a body of the type %j is a 415 and changes nothing', async (type) => {
    const { post, isUntouched } = setUp()
    const answer = await post(notes, { 'content-type': type })
    expect(answer).toMatchObject({
      status: 415,
      body: { ok: false, error: 'the content-type must be application/json' },
    })
    expect(isUntouched()).toBe(true)
  })

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.tools+json'])(
    'a body of the type %j is read',
    async (type) => {
      expect((await setUp().post(notes, { 'content-type': type })).status).toBe(200)
    },
  )

  it('no answer has CORS headers', async () => {
    const { headers } = await setUp().ask({ headers: { origin: 'http://localhost:8787' } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('cors names the origins that may ask, with a preflight that needs no credentials', async () => {
    const origin = 'https://admin.example'
    const { ask, post } = setUp({ token, cors: [origin] })
    const preflight = await ask({ method: 'OPTIONS', headers: { origin } })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type',
      vary: 'origin',
    })
    const answer = await post(notes, { origin, ...bearer })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      200,
      origin,
    ])
    const refused = await post(notes, { origin })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      403,
      origin,
    ])
    const other = await ask({ method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
})

describe('allowUnauthenticated', () => {
  const open = { allowUnauthenticated: true }

  it.each([
    'localhost',
    'localhost:8787',
    '127.0.0.1:8787',
    '127.1.2.3',
    '[::1]:8787',
    'LOCALHOST',
  ])('answers for the Host %s', async (host) => {
    expect((await setUp(open).post(notes, { host })).status).toBe(200)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:8787',
    '10.0.0.1',
    '0.0.0.0',
    '',
  ])('does not for %j, which may be a name that was made to lead here', async (host) => {
    const { post, ask, isUntouched } = setUp(open)
    expect((await post(notes, { host })).status).toBe(403)
    expect((await ask({ headers: { host } })).status).toBe(403)
    expect(isUntouched()).toBe(true)
  })

  it('without a Host goes by the URL', async () => {
    expect((await setUp(open).ask({ url: 'http://evil.example/api/tools' })).status).toBe(403)
    expect((await setUp(open).ask({ url: 'http://127.0.0.1/api/tools' })).status).toBe(200)
  })

  it('answers for further names that are allowed', async () => {
    const { post } = setUp({ ...open, allowedHostHeaders: ['dev.internal:8787'] })
    expect((await post(notes, { host: 'dev.internal:8787' })).status).toBe(200)
    expect((await post(notes, { host: 'dev.internal' })).status).toBe(403)
  })

  it('takes other pages of this machine, and no page from elsewhere', async () => {
    const host = '127.0.0.1:8787'
    const { post } = setUp(open)
    expect((await post(notes, { host, origin: 'http://localhost:5173' })).status).toBe(200)
    expect((await post(notes, { host, origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(notes, { host, origin: 'null' })).status).toBe(403)
  })
})

describe('D35 sizes', () => {
  it('a body of 1 MiB is read, a longer one is a 413 that changes nothing', async () => {
    const { post, isUntouched } = setUp()
    expect((await post(notes.padEnd(2 ** 20 + 1))).status).toBe(413)
    expect(isUntouched()).toBe(true)
    expect((await post(notes.padEnd(2 ** 20))).status).toBe(200)
  })

  it('a body without a length is left once it is too long', async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(out) {
        pulled++
        out.enqueue(new TextEncoder().encode(' '.repeat(2 ** 16)))
      },
    })
    const { post } = setUp()
    expect((await post(body, {}, { duplex: 'half' } as Init)).status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })
})

describe('D40 where tools are turned off', () => {
  it.each([
    ['by the switch', { enabled: false }],
    ['by no rounds', { maxIterations: 0 }],
  ])('%s, POST is a 409 with the reason, and GET answers', async (_, options) => {
    const { post, ask, isUntouched } = setUp(undefined, options)
    const answer = await post()
    expect(answer).toMatchObject({ status: 409, body: { ok: false } })
    expect(answer.body?.error).toContain('LLM_TOOLS_ENABLED')
    expect(isUntouched()).toBe(true)
    expect((await ask()).status).toBe(200)
  })

  it('a POST turns them on where nothing was said', async () => {
    const { registry, post } = setUp(undefined, { definitions: [] })
    expect(registry.enabled).toBe(false)
    await post()
    expect(registry).toMatchObject({ enabled: true, source: 'request', count: 1 })
  })
})

it('works over HTTP, as the lines of the guide have it', async () => {
  const registry = createToolRegistry()
  const handler = createToolsHandler({ registry, allowUnauthenticated: true })
  const url = `${await serve(toNodeHandler(handler))}/api/tools`
  const headers = { 'content-type': 'application/json' }
  const posted = await fetch(url, { method: 'POST', headers, body: notes })
  expect([posted.status, await posted.json()]).toMatchObject([200, { count: 1, source: 'request' }])
  expect(await (await fetch(url)).json()).toMatchObject({ ok: true, count: 1, source: 'request' })
  const plain = await fetch(url, { method: 'POST', body: '[]' })
  expect(plain.status).toBe(415)
})

/** A definition with a field that is nested deeper than can be written. */
function deep(field: string): string {
  const value = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
  return `[{"name":"a","url":"https://h.example","${field}":${value}}]`
}
