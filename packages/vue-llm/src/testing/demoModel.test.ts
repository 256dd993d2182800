import { describe, expect, it } from 'vitest'
import { createDemoModel } from './index'

const url = 'http://demo.test/v1/chat/completions'
const model = createDemoModel({ delayMs: 0 })

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the current weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

type Body = Record<string, unknown>

const ask = (text: string, more: Body = {}): Body => ({
  model: 'vue-llm-demo',
  messages: [{ role: 'user', content: text }],
  ...more,
})

const post = (body: Body, init: RequestInit = {}): Promise<Response> =>
  model(url, { method: 'POST', body: JSON.stringify(body), ...init })

interface Call {
  index: number
  id?: string
  function: { name?: string; arguments: string }
}

interface Choice {
  delta: { role?: string; content?: string; reasoning_content?: string; tool_calls?: Call[] }
  message: {
    content: string | null
    reasoning_content?: string
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[]
  }
  finish_reason: string | null
}

interface Completion {
  id: string
  object: string
  model: string
  choices: Choice[]
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null
}

async function events(body: Body): Promise<{ chunks: Completion[]; done: boolean }> {
  const response = await post({ stream: true, ...body })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const lines = (await response.text()).split('\n\n').filter(Boolean)
  for (const line of lines) expect(line).toMatch(/^data: /)
  const data = lines.map((line) => line.slice(6))
  const done = data.at(-1) === '[DONE]'
  const chunks: Completion[] = (done ? data.slice(0, -1) : data).map((text) => JSON.parse(text))
  return { chunks, done }
}

async function complete(body: Body): Promise<Completion> {
  return (await post(body)).json()
}

const join = (chunks: Completion[], key: 'content' | 'reasoning_content'): string =>
  chunks.map(({ choices }) => choices[0]?.delta[key] ?? '').join('')

const reasons = (chunks: Completion[]): unknown[] =>
  chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])

const callsOf = (chunks: Completion[]): Call[] =>
  chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])

describe('the stream', () => {
  it('is made of whole chunks of one completion, a role first, a reason and [DONE] last', async () => {
    const { chunks, done } = await events(ask('Hello'))
    expect(done).toBe(true)
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    for (const { object } of chunks) expect(object).toBe('chat.completion.chunk')
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(reasons(chunks)).toEqual(['stop'])
    expect(join(chunks, 'content')).toMatch(/demo model built into vue-llm/)
  })

  it('comes in pieces of a few characters', async () => {
    const { chunks } = await events(ask('Hello'))
    expect(chunks.length).toBeGreaterThan(30)
    for (const { choices } of chunks) {
      expect(choices[0]?.delta.content?.length ?? 0).toBeLessThanOrEqual(10)
    }
  })

  it('writes parallel calls: id and name first, then arguments in pieces that join to JSON', async () => {
    const { chunks } = await events(ask('Weather in Paris and New York?', { tools: [weather] }))
    const calls = callsOf(chunks)
    const starts = calls.filter(({ id }) => id !== undefined)
    expect(starts.map((call) => [call.index, call.function])).toEqual([
      [0, { name: 'get_weather', arguments: '' }],
      [1, { name: 'get_weather', arguments: '' }],
    ])
    expect(starts[0]?.id).not.toBe(starts[1]?.id)
    for (const [index, city] of ['Paris', 'New York'].entries()) {
      const pieces = calls
        .filter((call) => call.index === index)
        .map((call) => call.function.arguments)
      expect(pieces.length).toBeGreaterThan(2)
      expect(JSON.parse(pieces.join(''))).toEqual({ city })
    }
    expect(reasons(chunks)).toEqual(['tool_calls'])
  })

  it('tells usage in a last chunk only if asked', async () => {
    const plain = await events(ask('Hello'))
    expect(plain.chunks.some((chunk) => 'usage' in chunk)).toBe(false)
    const { chunks } = await events(ask('Hello', { stream_options: { include_usage: true } }))
    const last = chunks.at(-1)
    expect(last?.choices).toEqual([])
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = last?.usage ?? {}
    expect(input).toBeGreaterThan(0)
    expect(output).toBe(chunks.length - 3)
    expect(last?.usage?.total_tokens).toBe(input + output)
  })

  it('thinks before it answers', async () => {
    const { chunks } = await events(ask('Think about the weather in Oslo', { tools: [weather] }))
    expect(join(chunks, 'reasoning_content')).toMatch(/get_weather with city "Oslo"/)
    const lastThought = chunks.findLastIndex(({ choices }) => choices[0]?.delta.reasoning_content)
    const firstCall = chunks.findIndex(({ choices }) => choices[0]?.delta.tool_calls)
    expect(lastThought).toBeGreaterThan(0)
    expect(firstCall).toBeGreaterThan(lastThought)
  })

  it('breaks off in the middle, without reason and [DONE], for `cut`', async () => {
    const { chunks, done } = await events(ask('cut'))
    expect(done).toBe(false)
    expect(join(chunks, 'content').length).toBeGreaterThan(20)
    expect(reasons(chunks)).toEqual([])
  })

  it('stops at max_tokens with `length`, also within the arguments of a call', async () => {
    const { chunks } = await events(ask('Hello', { max_tokens: 5 }))
    expect(join(chunks, 'content').length).toBeLessThan(40)
    expect(reasons(chunks)).toEqual(['length'])
    const cut = await events(
      ask('weather in Paris', { tools: [weather], max_completion_tokens: 2 }),
    )
    expect(callsOf(cut.chunks).map((call) => call.function.arguments)).toEqual(['', '{"c'])
    expect(reasons(cut.chunks)).toEqual(['length'])
  })

  it('is the same for the same request, to the byte', async () => {
    for (const text of ['Hello', 'think: weather in Paris', 'essay']) {
      const bodies = await Promise.all(
        [1, 2].map(async () => (await post(ask(text, { tools: [weather], stream: true }))).text()),
      )
      expect(bodies[0]).toBe(bodies[1])
    }
  })

  it('has other call ids for another transcript', async () => {
    const first = await events(ask('weather in Paris', { tools: [weather] }))
    const second = await events(ask('weather in Paris please', { tools: [weather] }))
    expect(callsOf(first.chunks)[0]?.id).not.toBe(callsOf(second.chunks)[0]?.id)
  })
})

describe('without a stream', () => {
  it.each(['Hello', 'Why?', 'weather in Paris and Rome', 'long'])(
    'answers %j with what the stream says',
    async (text) => {
      const body = ask(text, { tools: [weather] })
      const { chunks } = await events(body)
      const whole = await complete(body)
      const message = whole.choices[0]?.message
      expect(message?.content ?? '').toBe(join(chunks, 'content'))
      expect(message?.reasoning_content ?? '').toBe(join(chunks, 'reasoning_content'))
      expect((message?.tool_calls ?? []).map(({ id }) => id)).toEqual(
        callsOf(chunks).flatMap(({ id }) => id ?? []),
      )
      expect(whole.choices[0]?.finish_reason).toBe(reasons(chunks)[0])
      expect(whole.usage?.completion_tokens).toBeGreaterThan(0)
    },
  )

  it('gives calls whole, and null for text', async () => {
    const { choices } = await complete(ask('weather in Oslo', { tools: [weather] }))
    expect(choices[0]?.message.content).toBeNull()
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
    ])
  })

  it('breaks off in the middle of the JSON for `cut`', async () => {
    const text = await (await post(ask('cut'))).text()
    expect(() => JSON.parse(text)).toThrow(/JSON/)
  })
})

describe('failures', () => {
  it.each(['error', 'Please fail the request', 'Покажи ошибку'])('%j is HTTP 500', async (text) => {
    const response = await post(ask(text, { stream: true, tools: [weather] }))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { type: 'server_error' } })
  })

  it.each([
    ['error', 3],
    ['rate limit', 1],
    ['cut', 1],
  ])(
    '%j fails as often as this, then answers when asked the same again: %d',
    async (text, times) => {
      const fresh = createDemoModel({ delayMs: 0 })
      const send = async (): Promise<string> => {
        const response = await fresh(url, { method: 'POST', body: JSON.stringify(ask(text)) })
        return `${response.status} ${await response.text()}`
      }
      const whole = /^200 .*"content":"This time it worked/
      for (let round = 0; round < 2; round++) {
        for (let at = 0; at < times; at++) expect(await send()).not.toMatch(whole)
        expect(await send()).toMatch(whole)
      }
    },
  )

  it('asks only the last message whether to fail, where a client has joined it to one before', async () => {
    const response = await post(ask('error\n\nhello'))
    expect(response.status).toBe(200)
  })

  it('`rate limit` is HTTP 429 with Retry-After', async () => {
    const response = await post(ask('rate limit', { stream: true }))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
  })

  const call = { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }
  it.each<[string, string, RegExp]>([
    ['no JSON', '{"messages":', /not valid JSON/],
    ['no object', '[]', /JSON object/],
    ['no messages', '{"model":"x"}', /`messages`/],
    ['no message', '{"messages":[]}', /at least one/],
    ['something else among them', '{"messages":["hi"]}', /must be an object/],
    ['an unknown role', '{"messages":[{"role":"robot"}]}', /"robot"/],
    [
      'a call without an answer',
      JSON.stringify({ messages: [{ role: 'assistant', tool_calls: [call] }, { role: 'user' }] }),
      /messages\[1\].*a\.$/,
    ],
    [
      'an answer without a call',
      JSON.stringify({ messages: [{ role: 'tool', tool_call_id: 'b', content: '' }] }),
      /messages\[0\] answers no tool call/,
    ],
  ])('refuses %s with 400', async (_, body, message) => {
    const response = await model(url, { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
    })
  })

  it('refuses an unknown place with 404', async () => {
    expect((await model(url)).status).toBe(404)
  })
})

describe('as a handler and as fetch', () => {
  it('lists its models', async () => {
    const response = await model(new URL('http://demo.test/v1/models'))
    expect(await response.json()).toMatchObject({
      data: [{ id: 'vue-llm-demo' }, { id: 'vue-llm-demo-text' }, { id: 'vue-llm-demo-swallow' }],
    })
  })

  it('takes a Request, a URL, and a relative path with any kind of body', async () => {
    const body = JSON.stringify(ask('count to 3'))
    const bytes = new TextEncoder().encode(body)
    const answers = await Promise.all([
      model(new Request(url, { method: 'POST', body })),
      model(new URL(url), { method: 'POST', body }),
      model('/v1/chat/completions', { method: 'POST', body: bytes }),
    ])
    for (const response of answers) {
      expect(await response.json()).toMatchObject({
        choices: [{ message: { content: '1, 2, 3' } }],
      })
    }
  })

  it('takes its time between pieces', async () => {
    const slow = createDemoModel({ delayMs: 5 })
    const began = performance.now()
    const body = JSON.stringify(ask('count to 9', { stream: true }))
    await (await slow(url, { method: 'POST', body })).text()
    expect(performance.now() - began).toBeGreaterThan(30)
  })

  it('stops when the request is aborted: before, while it thinks and in mid-stream', async () => {
    const slow = createDemoModel({ delayMs: 30 })
    const aborted = { name: 'AbortError' }
    const start = (signal: AbortSignal, stream: boolean): Promise<Response> =>
      slow(url, { method: 'POST', body: JSON.stringify(ask('essay', { stream })), signal })

    await expect(start(AbortSignal.abort(), true)).rejects.toMatchObject(aborted)

    const whole = new AbortController()
    const answer = start(whole.signal, false)
    whole.abort()
    await expect(answer).rejects.toMatchObject(aborted)

    const streamed = new AbortController()
    const reader = (await start(streamed.signal, true)).body?.getReader()
    await reader?.read()
    const next = reader?.read()
    streamed.abort()
    await expect(next).rejects.toMatchObject(aborted)
  })

  it('takes the signal of a Request', async () => {
    const controller = new AbortController()
    const body = JSON.stringify(ask('essay', { stream: true }))
    const request = new Request(url, { method: 'POST', body, signal: controller.signal })
    const response = await createDemoModel({ delayMs: 1000 })(request)
    controller.abort()
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
  })
})
