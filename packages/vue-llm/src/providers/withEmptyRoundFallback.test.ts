import { describe, expect, it, vi } from 'vitest'
import {
  deltas,
  done,
  says,
  stall,
  startCountingServer,
  status,
  whole,
  type Answer,
} from '../../test/countingServer'
import { LLMError, type ChatRequest, type Chunk, type Provider } from '../core'
import { createOpenAIProvider, withEmptyRoundFallback } from './index'
import { createChatCompletions } from './openai'

const tool = { name: 'get_weather' }

const requestWith = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [],
  tools: [tool],
  signal: new AbortController().signal,
  ...more,
})

/** The chunks of an answer; what it rejects with comes last. */
async function read(provider: Provider, more: Partial<ChatRequest> = {}): Promise<unknown[]> {
  const all: unknown[] = []
  try {
    for await (const chunk of provider.stream(requestWith(more))) all.push(chunk)
  } catch (error) {
    all.push(error)
  }
  return all
}

/** Asks a server that plays these answers. */
async function ask(answers: Answer[], more: Partial<ChatRequest> = {}) {
  const server = await startCountingServer(...answers)
  const provider = createChatCompletions({ baseURL: server.baseURL, maxRetries: 0 })
  const chunks = await read(withEmptyRoundFallback(provider), more)
  return { chunks, requests: server.times.length, bodies: server.bodies }
}

/** The chunks where a stream of these is followed by that answer without streaming; whether it was asked for. */
async function play(streamed: Chunk[], answer: Chunk[] | Error = []) {
  const complete = vi.fn<() => Promise<Chunk[]>>(async () => {
    if (answer instanceof Error) throw answer
    return answer
  })
  const stream = async function* () {
    yield* streamed
  }
  const provider = withEmptyRoundFallback({ name: 'played', stream, complete })
  return { chunks: await read(provider), asked: complete.mock.calls.length }
}

const text = (value: string): Chunk => ({ type: 'text-delta', text: value })
const reasoning = (value: string): Chunk => ({ type: 'reasoning-delta', text: value })
const stop: Chunk = { type: 'step-end', finishReason: 'stop' }
const rawStop = { ...stop, rawFinishReason: 'stop' }
const wireCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
}
const callChunks = [
  { type: 'tool-call-start', toolCallId: 'call_1', toolName: 'get_weather' },
  { type: 'tool-call-delta', toolCallId: 'call_1', argsText: '{"city":"Oslo"}' },
  { type: 'tool-call-end', toolCallId: 'call_1' },
] satisfies Chunk[]
const wholeCall = whole({ tool_calls: [wireCall] }, { finish_reason: 'tool_calls' })

describe('guide §5: a round that comes back empty with tools', () => {
  it('is asked once more without streaming, with the same messages and tools', async () => {
    const { chunks, requests, bodies } = await ask([deltas([]), wholeCall])
    expect(chunks).toEqual([
      ...callChunks,
      { type: 'step-end', finishReason: 'tool-calls', rawFinishReason: 'tool_calls' },
    ])
    expect(requests).toBe(2)
    const { stream, stream_options, ...rest } = bodies[0]!
    expect([stream, stream_options]).toEqual([true, { include_usage: true }])
    expect(bodies[1]).toEqual({ ...rest, stream: false })
    expect(rest).toHaveProperty('tools')
  })

  it.each<[string, Answer]>([
    ['nothing but the reason `tool_calls`', deltas([], done('tool_calls'))],
    ['nothing but [DONE]', (response) => response.end('data: [DONE]\n\n')],
    ['no byte at all', (response) => response.end()],
    ['empty and blank text', deltas([{ content: '' }, { content: ' \n\n' }])],
  ])('is one with %s', async (_, empty) => {
    const { chunks, requests } = await ask([empty, whole({ content: 'Sunny.' })])
    expect(chunks.slice(-2)).toEqual([text('Sunny.'), rawStop])
    expect(requests).toBe(2)
  })

  it('may hold reasoning, which stays, and is not shown a second time', async () => {
    const thought = { reasoning_content: 'Let me look.' }
    const { chunks, requests } = await ask([
      deltas([thought]),
      whole({ reasoning_content: 'I look.', tool_calls: [wireCall] }),
    ])
    expect(chunks).toMatchObject([reasoning('Let me look.'), ...callChunks, rawStop])
    expect(requests).toBe(2)
  })

  it('takes the reasoning of the second answer where there was none', async () => {
    const { chunks } = await ask([deltas([]), whole({ reasoning_content: 'Hm.', content: 'Hi' })])
    expect(chunks).toMatchObject([reasoning('Hm.'), text('Hi'), rawStop])
  })

  it('is asked once at most', async () => {
    const { chunks, requests } = await ask([deltas([]), whole({ content: '' })])
    expect(chunks).toEqual([rawStop])
    expect(requests).toBe(2)
  })

  it('has one step-end, with the usage of both requests', async () => {
    const { chunks } = await ask([
      deltas([], done('stop', { prompt_tokens: 10, completion_tokens: 0 })),
      whole(
        { content: 'Hi' },
        {
          usage: {
            prompt_tokens: 10,
            completion_tokens: 4,
            prompt_tokens_details: { cached_tokens: 8 },
          },
        },
      ),
    ])
    expect(chunks).toEqual([
      text('Hi'),
      { ...rawStop, usage: { inputTokens: 20, outputTokens: 4, cachedInputTokens: 8 } },
    ])
  })

  it('keeps the usage where only one of the two tells it', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    const first = await play([{ ...stop, usage }], [text('a'), stop])
    expect(first.chunks).toEqual([text('a'), { ...stop, usage }])
    const second = await play([stop], [text('a'), { ...stop, usage }])
    expect(second.chunks).toEqual([text('a'), { ...stop, usage }])
    const neither = await play([{ ...stop, usage }], [])
    expect(neither.chunks).toEqual([{ ...stop, usage }])
  })
})

describe('a normal turn', () => {
  it.each<[string, Answer]>([
    ['text', says('Hi')],
    ['a call', deltas([{ tool_calls: [{ index: 0, ...wireCall }] }], done('tool_calls'))],
    ['reasoning and text', deltas([{ reasoning_content: 'Hm.' }, { content: 'Hi' }])],
    ['blank text, then text', deltas([{ content: '\n' }, { content: 'Hi' }])],
  ])('costs exactly one request: %s', async (_, answer) => {
    expect((await ask([answer, whole({ content: 'again' })])).requests).toBe(1)
  })

  it('costs one without tools, even where it is empty', async () => {
    const { chunks, requests } = await ask([deltas([]), whole({ content: 'a' })], { tools: [] })
    expect(chunks).toEqual([rawStop])
    expect(requests).toBe(1)
  })

  it('gives its chunks as they come, in their order', async () => {
    const chunks: Chunk[] = [
      { type: 'message-start', runId: 'r' },
      reasoning('a'),
      text('b'),
      stop,
      { type: 'metadata', metadata: {} },
      text('c'),
      stop,
    ]
    expect(await play(chunks)).toEqual({ chunks, asked: 0 })
  })
})

describe('is not asked again', () => {
  it.each<[string, Answer, object]>([
    ['after a content filter', deltas([], done('content_filter')), { type: 'step-end' }],
    [
      'after a stream that was cut before it said anything',
      deltas([{ role: 'assistant' }], (response) => response.end()),
      { finishReason: 'truncated' },
    ],
    ['after an HTTP error', status(500), { code: 'http' }],
    [
      'after an error in the stream',
      deltas([{ reasoning_content: 'a' }], (response) =>
        response.end('data: {"error":{"message":"no"}}\n\n'),
      ),
      { type: 'error' },
    ],
    [
      'after a stream that was cut',
      deltas([{ reasoning_content: 'a' }], (response) => response.end()),
      { finishReason: 'truncated' },
    ],
  ])('%s', async (_, answer, last) => {
    const { chunks, requests } = await ask([answer, whole({ content: 'again' })])
    expect(chunks.at(-1)).toMatchObject(last)
    expect(requests).toBe(1)
  })

  it('after an abort', async () => {
    const { baseURL, times } = await startCountingServer(
      deltas([{ reasoning_content: 'a' }], stall),
      whole({ content: 'again' }),
    )
    const controller = new AbortController()
    const provider = withEmptyRoundFallback(createChatCompletions({ baseURL }))
    setTimeout(() => controller.abort(), 60)
    expect(await read(provider, { signal: controller.signal })).toMatchObject([reasoning('a')])
    expect(times).toHaveLength(1)
  })

  it('after an abort that the stream did not speak of', async () => {
    const controller = new AbortController()
    const complete = vi.fn<() => Promise<Chunk[]>>()
    const stream = async function* () {
      yield reasoning('a')
      controller.abort()
    }
    const provider = withEmptyRoundFallback({ name: 'played', stream, complete })
    expect(await read(provider, { signal: controller.signal })).toEqual([reasoning('a')])
    expect(complete).not.toHaveBeenCalled()
  })

  it('where the option says so', async () => {
    const { baseURL, times } = await startCountingServer(deltas([]), whole({ content: 'again' }))
    const provider = createOpenAIProvider({ baseURL, emptyRoundFallback: false })
    expect(await read(provider)).toEqual([rawStop])
    expect(times).toHaveLength(1)
    expect(await read(createOpenAIProvider({ baseURL }))).toHaveLength(2)
  })

  it('by a provider that can not answer without streaming', async () => {
    const stream = async function* () {
      yield stop
    }
    const provider = withEmptyRoundFallback({ name: 'bare', remote: true, stream })
    expect(provider).toMatchObject({ name: 'bare', remote: true })
    expect(provider).not.toHaveProperty('complete')
    expect(await read(provider)).toEqual([stop])
  })

  it.each<[string, Chunk]>([
    ['a file', { type: 'file', mediaType: 'image/png', url: 'https://x.test/a.png' }],
    ['a call that the model ran itself', { ...callChunks[0]!, providerExecuted: true } as Chunk],
    ['data', { type: 'data', name: 'a', data: 1 }],
  ])('where it holds %s', async (_, chunk) => {
    expect((await play([chunk, stop])).asked).toBe(0)
  })
})

describe('chunks around the empty round', () => {
  it('a call that was taken back is none', async () => {
    const cancelled: Chunk[] = [
      ...callChunks.slice(0, 2),
      { type: 'tool-call-cancel', toolCallId: 'call_1' },
    ]
    const { chunks, asked } = await play([...cancelled, stop], [text('Hi'), stop])
    expect(asked).toBe(1)
    expect(chunks).toEqual([...cancelled, text('Hi'), stop])
  })

  it('what comes after the empty round, and is no content, comes before its step-end', async () => {
    const start: Chunk = { type: 'message-start', runId: 'r' }
    const metadata: Chunk = { type: 'metadata', metadata: { a: 1 } }
    const { chunks } = await play([start, reasoning('a'), stop, metadata], [...callChunks, stop])
    expect(chunks).toEqual([start, reasoning('a'), metadata, ...callChunks, stop])
  })

  it('a stream without step-end, and an answer with one', async () => {
    expect((await play([reasoning('a')], [text('b'), stop])).chunks).toEqual([
      reasoning('a'),
      text('b'),
      stop,
    ])
  })
})

describe('a second request that fails', () => {
  const failure = new LLMError('http', 'HTTP 400', { status: 400 })

  const end: Chunk = { ...stop, usage: { inputTokens: 1, outputTokens: 2 } }
  const error: Chunk = { type: 'error', code: 'provider', message: 'no' }
  const broken: Chunk = { type: 'step-end', finishReason: 'error' }

  it.each<[string, Chunk[] | Error]>([
    ['rejects', failure],
    ['is an error', [error]],
    ['is an error with a reason', [error, stop]],
    ['broke off', [{ ...broken, finishReason: 'truncated' }]],
    ['broke off while it thought', [reasoning('b'), text('\n'), error, broken]],
  ])('leaves the round as empty as it came: one that %s', async (_, answer) => {
    expect((await play([end], answer)).chunks).toEqual([end])
    expect((await play([reasoning('a'), end], answer)).chunks).toEqual([reasoning('a'), end])
    expect((await play([reasoning('a')], answer)).chunks).toEqual([reasoning('a')])
  })

  it('leaves it so over a wire, too', async () => {
    const { chunks, requests } = await ask([deltas([]), status(400)])
    expect(chunks).toEqual([rawStop])
    expect(requests).toBe(2)
  })

  it('rejects where nothing came at all, as there is no round to leave', async () => {
    expect((await play([], failure)).chunks).toEqual([failure])
    expect((await play([], [error])).chunks).toEqual([error])
  })

  it('gives what it had before it failed', async () => {
    const answer = [text('Hi'), error, broken]
    expect((await play([stop], answer)).chunks).toEqual(answer)
  })

  it('has no more than what is left of the whole time', async () => {
    const slow: Answer = (response) => setTimeout(() => deltas([])(response), 150)
    const { baseURL, times, left } = await startCountingServer(slow, stall)
    const before = performance.now()
    const timeouts = { totalMs: 250 }
    expect(await read(createOpenAIProvider({ baseURL, timeouts }))).toEqual([rawStop])
    expect(performance.now() - before).toBeLessThan(380)
    expect(times).toHaveLength(2)
    await vi.waitFor(() => expect(left()).toBe(1))
  })

  it('is retried like any other', async () => {
    const { baseURL, times } = await startCountingServer(
      deltas([]),
      status(503, { 'retry-after-ms': '1' }),
      wholeCall,
    )
    const chunks = await read(withEmptyRoundFallback(createChatCompletions({ baseURL })))
    expect(chunks.slice(0, 3)).toEqual(callChunks)
    expect(times).toHaveLength(3)
  })

  it.each([
    ['before anything was given', deltas([]), 1],
    ['after reasoning', deltas([{ reasoning_content: 'a' }]), 1],
  ])('ends with an abort %s', async (_, first, length) => {
    const { baseURL, times } = await startCountingServer(first, stall)
    const controller = new AbortController()
    const reason = new Error('stopped')
    const answer = read(withEmptyRoundFallback(createChatCompletions({ baseURL })), {
      signal: controller.signal,
    })
    await vi.waitFor(() => expect(times).toHaveLength(2))
    controller.abort(reason)
    const chunks = await answer
    expect(chunks).toHaveLength(length)
    expect(chunks).not.toContainEqual(expect.objectContaining({ type: 'error' }))
  })
})
