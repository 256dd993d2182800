import { describe, expect, it } from 'vitest'
import { isLLMError, type ChatRequest, type Chunk, type LLMError } from '../core'
import { createOpenAIProvider, defineProvider, type CommonOptions } from './index'

interface Echo {
  text?: string
  last?: boolean
}

const createEcho = defineProvider<{ voice?: string }>({
  name: 'echo',
  baseURL: 'https://echo.test/v1',
  toRequest: ({ model }, { voice }, stream) => ({
    path: '/say',
    body: { model, voice, stream },
    headers: { 'x-echo': 'version-1' },
  }),
  toChunks: (round) => ({
    event({ text, last }: Echo) {
      if (text) round.emit({ type: 'text-delta', text })
      if (last) round.finishReason = 'stop'
    },
  }),
})

const requestWith = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  ...more,
})

async function collect(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const all: Chunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

interface Sent {
  url: string
  headers: Record<string, string>
  body: unknown
  method: string | undefined
}

/** What the provider posts with these options. */
async function sent(
  options: CommonOptions & { voice?: string } = {},
  request: Partial<ChatRequest> = {},
): Promise<Sent> {
  let seen: Sent | undefined
  const fetch = async (url: string, init: RequestInit) => {
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    seen = { url, headers, body: JSON.parse(`${init.body}`), method: init.method }
    return new Response('data: {"text":"a","last":true}\n\n')
  }
  await collect(createEcho({ ...options, fetch }).stream(requestWith(request)))
  return seen!
}

/** The error that a request with this answer rejects with. */
async function failure(
  answer: Response | Error,
  options: CommonOptions = {},
  request: Partial<ChatRequest> = {},
): Promise<LLMError> {
  const fetch = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  try {
    await collect(createEcho({ maxRetries: 0, ...options, fetch }).stream(requestWith(request)))
  } catch (error) {
    if (isLLMError(error)) return error
    throw error
  }
  throw new Error('the request did not fail')
}

describe('what a provider posts', () => {
  it('is the body of the definition as JSON, without what is undefined', async () => {
    expect(await sent({ voice: 'low' })).toMatchObject({
      method: 'POST',
      body: { model: 'm', voice: 'low', stream: true },
      headers: { 'content-type': 'application/json', 'x-echo': 'version-1' },
    })
  })

  it('has the body of the request merged over it', async () => {
    const { body } = await sent(
      { voice: 'low' },
      { body: { model: 'n', voice: undefined, top: 1 } },
    )
    expect(body).toEqual({ model: 'n', stream: true, top: 1 })
  })

  it.each([
    [{}, 'https://echo.test/v1/say'],
    [{ baseURL: 'http://localhost:1/v1' }, 'http://localhost:1/v1/say'],
    [{ baseURL: 'http://localhost:1/v1//' }, 'http://localhost:1/v1/say'],
    [{ baseURL: '/api' }, '/api/say'],
    [{ baseURL: '' }, '/say'],
    [{ baseURL: 'https://x.test/v1/?version=$1' }, 'https://x.test/v1/say?version=$1'],
    [{ url: 'https://x.test/chat?version=1' }, 'https://x.test/chat?version=1'],
  ])('goes, with %j, to %s', async (options, url) => {
    expect((await sent(options)).url).toBe(url)
  })

  it.each([
    ['a key', { apiKey: 'key' }, 'Bearer key'],
    ['a function', { apiKey: () => 'key' }, 'Bearer key'],
    ['an async function', { apiKey: async () => 'key' }, 'Bearer key'],
    ['no key', {}, undefined],
    ['an undefined key', { apiKey: undefined }, undefined],
    [
      'a header of the options',
      { apiKey: 'key', headers: { Authorization: 'Basic x' } },
      'Basic x',
    ],
  ])('is authorised by %s', async (_, options, authorization) => {
    expect((await sent(options)).headers['authorization']).toBe(authorization)
  })

  it('takes headers of definition, options and request, the later over the earlier', async () => {
    const options = {
      headers: async () => ({
        'X-Echo': 'version-2',
        'x-a': 'options',
        'x-b': 'options',
        'x-c': undefined,
      }),
    }
    const { headers } = await sent(options, { headers: { 'X-B': 'request' } })
    expect(headers).toMatchObject({ 'x-echo': 'version-2', 'x-a': 'options', 'x-b': 'request' })
    expect(headers).not.toHaveProperty('x-c')
  })

  it('carries the key where the definition says', async () => {
    let headers = new Headers()
    const create = defineProvider({
      name: 'x',
      toAuth: (key) => ({ 'x-api-key': key }),
      toRequest: () => ({ body: {} }),
      toChunks: () => ({ event() {} }),
    })
    const fetch = async (_: string, init: RequestInit) => {
      headers = new Headers(init.headers)
      return new Response('data: [DONE]\n\n')
    }
    await collect(create({ apiKey: 'key', url: '/x', fetch }).stream(requestWith()))
    expect(headers.get('x-api-key')).toBe('key')
    expect(headers.has('authorization')).toBe(false)
  })
})

describe('what a provider is', () => {
  it('has a name, and says whether the model is called by someone else', () => {
    const parts = { toRequest: () => ({ body: {} }), toChunks: () => ({ event() {} }) }
    expect(createEcho()).not.toHaveProperty('remote')
    expect(createEcho().name).toBe('echo')
    expect(defineProvider({ name: 'far', remote: true, ...parts })().remote).toBe(true)
  })

  it('gives the same answer without streaming', async () => {
    let body: unknown
    const provider = createOpenAIProvider({
      fetch: async (_, init) => {
        body = JSON.parse(`${init.body}`)
        return Response.json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })
      },
    })
    expect(await provider.complete?.(requestWith())).toEqual([
      { type: 'text-delta', text: 'Hi' },
      { type: 'step-end', finishReason: 'stop', rawFinishReason: 'stop' },
    ])
    expect(body).toEqual({ model: 'm', messages: [], stream: false })
  })

  it('asks nothing before the first chunk is wanted', async () => {
    let asked = 0
    const fetch = async () => new Response(`${asked++}`)
    createEcho({ fetch }).stream(requestWith())
    await Promise.resolve()
    expect(asked).toBe(0)
  })
})

describe('an HTTP error', () => {
  const json = (body: unknown, init: ResponseInit = { status: 400 }) =>
    new Response(JSON.stringify(body), init)

  it.each([
    ['error.message', json({ error: { message: 'no such model', code: 1 } })],
    ['error', json({ error: 'no such model' })],
    ['message', json({ object: 'error', message: 'no such model' })],
    ['detail', json({ detail: 'no such model' })],
    ['detail[0].msg', json({ detail: [{ loc: [], msg: 'no such model' }] })],
    ['[0].error.message', json([{ error: { message: 'no such model' } }])],
    ['JSON within JSON', json({ error: { message: '{"error":{"message":"no such model"}}' } })],
    ['plain text', new Response('no such model\n', { status: 400 })],
  ])('says what the provider said in %s', async (_, answer) => {
    const error = await failure(answer)
    expect(error.message).toBe('HTTP 400 from POST https://echo.test/v1/say: no such model')
  })

  it('carries status and body', async () => {
    const error = await failure(json({ error: 'no' }, { status: 429 }))
    expect(error).toMatchObject({ code: 'http', status: 429, body: '{"error":"no"}' })
    expect(error).not.toHaveProperty('retryAfter')
  })

  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    [{ 'retry-after-ms': '0' }, 0],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
  ])('reads %j as %s ms', async (headers, wait) => {
    expect((await failure(new Response('', { status: 503, headers }))).retryAfter).toBe(wait)
  })

  it('reads a date as the time until then', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    const headers = { 'retry-after': date }
    const { retryAfter = 0 } = await failure(new Response('', { status: 503, headers }))
    expect(Math.abs(retryAfter - 60_000)).toBeLessThan(2000)
  })

  it('says what to check', async () => {
    const text = async (status: number) => (await failure(new Response('x', { status }))).message
    expect(await text(401)).toContain('check apiKey, or who is logged in')
    expect(await text(404)).toContain('check the URL and the model')
    expect(await text(500)).toBe('HTTP 500 from POST https://echo.test/v1/say: x')
    // HTTP/2 has no words beside the status.
    const silent = await failure(new Response('', { status: 404 }))
    expect(silent.message).toBe(
      'HTTP 404 from POST https://echo.test/v1/say (check the URL and the model)',
    )
  })

  it('leaves out web pages, and cuts long texts between characters', async () => {
    const page = new Response('<!doctype html><p>no', { status: 502, statusText: 'Bad Gateway' })
    expect((await failure(page)).message).toMatch(/say: Bad Gateway$/)
    const long = await failure(new Response('x' + '🦊'.repeat(500), { status: 500 }))
    expect(long.message.length).toBeLessThan(600)
    expect(long.message).toMatch(/🦊…$/)
  })
})

describe('a request that gets no answer', () => {
  it('is a network error that says where and what to check', async () => {
    const cause = new TypeError('fetch failed')
    const error = await failure(cause)
    expect(error).toMatchObject({ code: 'network', cause })
    expect(error.message).toMatch(/POST https:\/\/echo\.test\/v1\/say \(fetch failed\).*CORS/)
  })

  it('is misuse where it could not be sent at all', async () => {
    const body = { loop: {} }
    body.loop = body
    expect((await failure(new Error('never'), {}, { body })).code).toBe('misuse')
    const apiKey = () => Promise.reject(new Error('no session'))
    expect(await failure(new Error('never'), { apiKey })).toMatchObject({
      code: 'misuse',
      message: 'no session',
    })
  })
})

describe('secrets', () => {
  const options = {
    apiKey: 'sk-canary-1',
    headers: { cookie: 'canary-2', 'x-auth': 'Token canary-3' },
    url: 'https://user:canary-5@x.test/chat?key=canary-6',
  }
  const all = 'sk-canary-1 canary-2 canary-3 canary-4 canary-5 canary-6'
  const request = { headers: { 'x-request': 'canary-4' } }
  const texts = (error: LLMError) => JSON.stringify([error.message, error.body, error.stack])

  it.each([
    ['an HTTP error', new Response(JSON.stringify({ error: { message: all } }), { status: 401 })],
    ['a network error', new TypeError(all)],
    ['an error in the stream', new Response(`data: {"error":{"message":"${all}"}}\n\n`)],
    ['an event that is not JSON', new Response(`data: ${'-'.repeat(450)}${all}\n\n`)],
    ['an answer without events', new Response(`${'-'.repeat(450)}${all}`)],
  ])('are not shown in %s, also where the provider echoes them', async (_, answer) => {
    const error = await failure(answer, options, request)
    expect(texts(error)).toContain('***')
    expect(texts(error)).not.toContain('canary')
  })

  it('are not shown where a header is refused', async () => {
    const error = await failure(new Error('never'), { apiKey: 'canary\n1' })
    expect(error.code).toBe('misuse')
    expect(error.cause).toBe(undefined)
    expect(texts(error)).not.toContain('canary')
  })

  it('are replaced whole where one begins with another', async () => {
    const long = { apiKey: 'canary', headers: { 'x-a': 'canary-and-more' } }
    const error = await failure(new Response('canary-and-more', { status: 400 }), long)
    expect(error.body).toBe('***')
  })

  it.each([
    ['a slash that JSON escapes', 'canary/1', '{"message":"no canary\\/1"}'],
    ['a code unit in place of a character', 'canary+1', '{"message":"no canary\\u002B1"}'],
    [
      'a backslash that is none of an escape',
      'canary+1',
      '{"message":"no \\\\u002B \\U002B canary+1"}',
    ],
  ])('are not shown where they are echoed with %s', async (_, apiKey, body) => {
    const error = await failure(new Response(body, { status: 401 }), { apiKey })
    expect(texts(error)).toContain('***')
    expect(texts(error)).not.toContain('canary')
  })

  it.each(['canary%2F1', 'canary+1', 'canary+1#top'])(
    'are not shown as they stand in a query: %s',
    async (key) => {
      const url = `https://x.test/chat?key=${key}&v=1`
      const [echo] = key.split('#')
      const error = await failure(new Response(`no ${echo}`, { status: 404 }), { url })
      expect(error.body).toBe('no ***')
    },
  )

  it('are not shown by the cause of a network error, which is left out then', async () => {
    const leak = await failure(new TypeError(`Failed to parse URL from ${options.url}`), options)
    expect(leak.cause).toBe(undefined)
    const harmless = new TypeError('fetch failed')
    expect((await failure(harmless, options)).cause).toBe(harmless)
  })

  it('leave short words alone', async () => {
    const error = await failure(new Response('the a b key', { status: 400 }), { apiKey: 'key' })
    expect(error.message).toContain('the a b key')
  })
})

it('a provider whose API starts nowhere tells that a url is missing', async () => {
  const create = defineProvider({
    name: 'mine',
    toRequest: () => ({ path: '/say', body: {} }),
    toChunks: () => ({ event() {} }),
  })
  await expect(collect(create().stream(requestWith()))).rejects.toMatchObject({
    code: 'misuse',
    message: 'mine needs a url',
  })
})

it.each([
  ['a function, as of a maker that was not called', () => async () => new Response()],
  ['nothing', () => undefined],
  ['parsed JSON', () => ({ ok: true, text: 'a' })],
])('a fetch that gives %s is a misuse', async (_, given) => {
  const fetch = (async () => given()) as never
  await expect(collect(createEcho({ fetch }).stream(requestWith()))).rejects.toMatchObject({
    code: 'misuse',
    message: 'fetch gave no Response',
  })
})
