import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  deltas,
  done,
  reset,
  says,
  stall,
  startCountingServer,
  status,
  whole,
  type Answer,
} from '../../test/countingServer'
import { LLMError, type ChatRequest, type Chunk, type Provider } from '../core'
import { createOpenAIProvider, withRetry, type CommonOptions, type RetryOptions } from './index'

const requestWith = (signal = new AbortController().signal): ChatRequest => ({
  model: 'm',
  messages: [],
  tools: [],
  signal,
})

/** The chunks of an answer; what it rejects with comes last. */
async function read(chunks: AsyncIterable<Chunk>): Promise<unknown[]> {
  const all: unknown[] = []
  try {
    for await (const chunk of chunks) all.push(chunk)
  } catch (error) {
    all.push(error)
  }
  return all
}

const answerTo = (provider: Provider, signal?: AbortSignal) =>
  read(provider.stream(requestWith(signal)))

const text = (value: string) => ({ type: 'text-delta', text: value })
const stop = { type: 'step-end', finishReason: 'stop', rawFinishReason: 'stop' }
const quiet = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks a server that plays these answers; waits are noted rather than waited. */
async function ask(answers: Answer[], options: RetryOptions = {}) {
  const server = await startCountingServer(...answers)
  const waits: number[] = []
  const provider = withRetry(createOpenAIProvider({ baseURL: server.baseURL, maxRetries: 0 }), {
    sleep: async (ms) => void waits.push(ms),
    random: () => 0,
    ...options,
  })
  return { chunks: await answerTo(provider), requests: server.times.length, waits }
}

describe('a request without an answer is sent again', () => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('after status %d', async (code) => {
    const { chunks, requests } = await ask([status(code), says('hi')])
    expect(chunks).toEqual([text('hi'), stop])
    expect(requests).toBe(2)
  })

  it.each([400, 401, 403, 404, 405, 410, 413, 418, 422, 428, 430])(
    'but not after status %d',
    async (code) => {
      const { chunks, requests } = await ask([status(code), says('hi')])
      expect(chunks).toMatchObject([{ code: 'http', status: code }])
      expect(requests).toBe(1)
    },
  )

  it('after a connection that broke, before the head or after it', async () => {
    const breaks = deltas([], (response) => response.destroy())
    const { chunks, requests } = await ask([reset, breaks, says('hi')])
    expect(chunks).toEqual([text('hi'), stop])
    expect(requests).toBe(3)
  })

  it('after one that could not be made', async () => {
    const asked = vi.fn<() => Promise<Response>>(async () => {
      throw new TypeError('fetch failed')
    })
    const provider = withRetry(createOpenAIProvider({ fetch: asked, maxRetries: 0 }), {
      sleep: async () => {},
    })
    expect(await answerTo(provider)).toMatchObject([{ code: 'network' }])
    expect(asked).toHaveBeenCalledTimes(3)
  })

  it.each([
    [undefined, 3],
    [0, 1],
    [1, 2],
    [5, 6],
  ])('with maxRetries %s: %d requests, then the last error', async (maxRetries, requests) => {
    const asked = await ask([status(503)], { maxRetries })
    expect(asked.chunks).toMatchObject([{ code: 'http', status: 503 }])
    expect(asked.requests).toBe(requests)
  })

  it('but not where the answer is no answer of a model, or the request can not be sent', async () => {
    const page: Answer = (response) => response.end('<p>hello')
    expect(await ask([page])).toMatchObject({
      chunks: [{ code: 'invalid-response' }],
      requests: 1,
    })
    const asked = vi.fn<() => Promise<Response>>()
    const provider = createOpenAIProvider({
      fetch: asked,
      apiKey: () => Promise.reject(new Error('signed out')),
    })
    expect(await answerTo(provider)).toMatchObject([{ code: 'misuse' }])
    expect(asked).not.toHaveBeenCalled()
  })

  it.each<[string, Answer]>([
    ['breaks', (response) => setTimeout(() => response.destroy(), 20)],
    ['ends too soon', (response) => setTimeout(() => response.end(), 20)],
    ['says an error', (response) => response.end('data: {"error":{"message":"overloaded"}}\n\n')],
  ])('never once a chunk has come: an answer that %s', async (_, last) => {
    for (const delta of [{ content: 'a' }, { reasoning_content: 'a' }]) {
      const { chunks, requests } = await ask([deltas([delta], last), says('hi')])
      expect(chunks[0]).toMatchObject({ text: 'a' })
      expect(chunks).toHaveLength(2)
      expect(requests).toBe(1)
    }
  })

  it('never where any provider rejects after its first chunk', async () => {
    let asked = 0
    const error = new LLMError('network', 'gone')
    const provider = withRetry({
      name: 'rude',
      async *stream() {
        asked++
        yield { type: 'message-start' } as const
        throw error
      },
    })
    expect(await answerTo(provider)).toEqual([{ type: 'message-start' }, error])
    expect(asked).toBe(1)
  })

  it('not at all on a normal turn', async () => {
    expect(await ask([says('hi')])).toEqual({ chunks: [text('hi'), stop], requests: 1, waits: [] })
  })
})

describe('the wait before a retry', () => {
  it('grows from half a second to eight', async () => {
    const { waits } = await ask([status(500)], { maxRetries: 7 })
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('is up to a quarter shorter by chance', async () => {
    const { waits } = await ask([status(500)], { random: () => 0.999 })
    expect(waits[0]).toBeCloseTo(375, 0)
    expect(waits[1]).toBeCloseTo(750, 0)
  })

  it.each<[Record<string, string>, number]>([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '60' }, 60_000],
    [{ 'retry-after-ms': '70' }, 70],
    [{ 'retry-after-ms': '70', 'retry-after': '3' }, 70],
    [{ 'retry-after-ms': '-70', 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  ])('is what the server asks for with %j: %d ms', async (headers, ms) => {
    expect((await ask([status(429, headers), says('hi')])).waits).toEqual([ms])
  })

  it.each([
    { 'retry-after': '61' },
    { 'retry-after-ms': '60001' },
    { 'retry-after': 'soon' },
    { 'retry-after': '-5' },
    { 'retry-after-ms': '-1' },
  ])(
    'is its own where the server asks for more than a minute, or for nonsense: %j',
    async (headers) => {
      expect((await ask([status(429, headers), says('hi')])).waits).toEqual([500])
    },
  )

  it.each<[string, () => Record<string, string>]>([
    ['milliseconds', () => ({ 'retry-after-ms': '300' })],
    ['seconds', () => ({ 'retry-after': '1' })],
    ['a date', () => ({ 'retry-after': new Date(Date.now() + 1500).toUTCString() })],
  ])('is kept within 50 ms: %s', { retry: 2 }, async (_, toHeaders) => {
    let due = 0
    const busy: Answer = (response) => {
      const headers = toHeaders()
      const { 'retry-after-ms': ms, 'retry-after': after = '' } = headers
      due =
        performance.now() +
        (ms ? Number(ms) : Number(after) * 1000 || Date.parse(after) - Date.now())
      status(429, headers)(response)
    }
    const { baseURL, times } = await startCountingServer(busy, says('hi'))
    expect(await answerTo(createOpenAIProvider({ baseURL }))).toEqual([text('hi'), stop])
    expect(times).toHaveLength(2)
    // A timer may be a millisecond early.
    expect(times[1]! - due).toBeGreaterThan(-2)
    expect(times[1]! - due).toBeLessThan(50)
  })

  it('ends at once with an abort, and nothing more is sent', async () => {
    const { baseURL, times } = await startCountingServer(status(503, { 'retry-after-ms': '100' }))
    const controller = new AbortController()
    const reason = new DOMException('stopped', 'AbortError')
    const answer = answerTo(createOpenAIProvider({ baseURL }), controller.signal)
    await vi.waitFor(() => expect(times).toHaveLength(1))
    await quiet(30)
    const before = performance.now()
    controller.abort(reason)
    expect(await answer).toEqual([reason])
    expect(performance.now() - before).toBeLessThan(50)
    await quiet(150)
    expect(times).toHaveLength(1)
  })

  it('does not come after an abort', async () => {
    const controller = new AbortController()
    const sleep = vi.fn<() => Promise<void>>()
    const reason = new Error('stopped')
    const provider = withRetry(
      {
        name: 'rude',
        // eslint-disable-next-line require-yield
        async *stream() {
          controller.abort(reason)
          throw new LLMError('network', 'gone')
        },
      },
      { sleep },
    )
    expect(await answerTo(provider, controller.signal)).toEqual([reason])
    expect(sleep).not.toHaveBeenCalled()
  })

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    const { baseURL } = await startCountingServer(
      status(503, { 'retry-after-ms': '1' }),
      says('hi'),
    )
    const provider = createOpenAIProvider({ baseURL, timeouts: { totalMs: 5000, connectMs: 5000 } })
    expect(await answerTo(provider, signal)).toEqual([text('hi'), stop])
    expect(add).toHaveBeenCalledTimes(1)
    expect(remove.mock.calls).toEqual(add.mock.calls)
  })
})

describe('what is wrapped', () => {
  const chunk: Chunk = { type: 'text-delta', text: 'hi' }

  class Plain implements Provider {
    name = 'plain'
    remote = true as const
    #chunks: Chunk[] = [chunk]
    async *stream() {
      yield* this.#chunks
    }
    async complete() {
      return this.#chunks
    }
  }

  it('keeps its name, and who calls the model, also where it is an instance of a class', async () => {
    const provider = withRetry(new Plain())
    expect(provider).toMatchObject({ name: 'plain', remote: true })
    expect(await answerTo(provider)).toEqual([chunk])
    expect(await provider.complete?.(requestWith())).toEqual([chunk])
    const bare = withRetry({ name: 'bare', stream: () => new Plain().stream() })
    expect(bare).not.toHaveProperty('remote')
    expect(bare).not.toHaveProperty('complete')
  })

  it('answers without streaming with the same retries', async () => {
    const { baseURL, times } = await startCountingServer(
      status(503, { 'retry-after-ms': '1' }),
      whole({ content: 'hi' }),
    )
    const provider = createOpenAIProvider({ baseURL })
    expect(await provider.complete?.(requestWith())).toEqual([text('hi'), stop])
    expect(times).toHaveLength(2)
  })

  it.each<[CommonOptions, number]>([
    [{}, 3],
    [{ maxRetries: 0 }, 1],
    [{ maxRetries: 1 }, 2],
  ])('is every provider by itself, with its options %j: %d requests', async (options, requests) => {
    const { baseURL, times } = await startCountingServer(status(500, { 'retry-after-ms': '1' }))
    const chunks = await answerTo(createOpenAIProvider({ baseURL, ...options }))
    expect(chunks).toMatchObject([{ status: 500 }])
    expect(times).toHaveLength(requests)
  })
})

describe('time limits', () => {
  /** What a provider with limits gives, and how long it took. */
  async function limited(
    timeouts: NonNullable<RetryOptions['timeouts']>,
    answers: Answer[],
    options: CommonOptions = {},
  ) {
    const server = await startCountingServer(...answers)
    const provider = createOpenAIProvider({ baseURL: server.baseURL, timeouts, ...options })
    const before = performance.now()
    const chunks = await answerTo(provider)
    return { chunks, ms: performance.now() - before, requests: server.times.length, server }
  }

  const head: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()

  it('connectMs: no head of an answer, which is tried again', async () => {
    const asked = await limited({ connectMs: 60 }, [stall], { maxRetries: 1 })
    expect(asked.chunks).toMatchObject([{ code: 'timeout', cause: 'connectMs' }])
    expect(`${asked.chunks[0]}`).toContain(
      'openai took longer than timeouts.connectMs allows (60 ms): check the server, or raise the limit',
    )
    expect(asked.requests).toBe(2)
    await vi.waitFor(() => expect(asked.server.left()).toBe(2))
    const { chunks } = await limited({ connectMs: 60 }, [stall, says('hi')])
    expect(chunks).toEqual([text('hi'), stop])
  })

  it('connectMs: ends with the head, also through another wrapper', { retry: 2 }, async () => {
    const { baseURL } = await startCountingServer((response) => {
      head(response)
      setTimeout(() => done()(response), 120)
    })
    const timeouts = { connectMs: 60 }
    const provider = withRetry(createOpenAIProvider({ baseURL, timeouts }), { timeouts })
    expect(await answerTo(provider)).toEqual([stop])
  })

  it('connectMs: ends with the first chunk where a provider does not tell of the head', async () => {
    const provider: Provider = {
      name: 'custom',
      async *stream() {
        yield { type: 'text-delta', text: 'a' }
        await quiet(120)
        yield { type: 'text-delta', text: 'b' }
      },
    }
    const chunks = await answerTo(withRetry(provider, { timeouts: { connectMs: 60 } }))
    expect(chunks).toEqual([text('a'), text('b')])
  })

  it('firstChunkMs: a head without content, which is not tried again', async () => {
    const asked = await limited({ connectMs: 5000, firstChunkMs: 80 }, [head])
    expect(asked.chunks).toMatchObject([{ code: 'timeout', cause: 'firstChunkMs' }])
    expect(`${asked.chunks[0]}`).toContain('timeouts.firstChunkMs')
    expect(asked.requests).toBe(1)
    expect(asked.ms).toBeLessThan(300)
    await vi.waitFor(() => expect(asked.server.left()).toBe(1))
  })

  it('betweenChunksMs: an answer that stalls ends in `timeout`, its text kept', async () => {
    const asked = await limited({ firstChunkMs: 5000, betweenChunksMs: 80 }, [
      deltas([{ content: 'The answer' }], stall),
    ])
    expect(asked.chunks).toMatchObject([
      text('The answer'),
      {
        type: 'error',
        code: 'timeout',
        message: expect.stringContaining('timeouts.betweenChunksMs'),
      },
    ])
    expect(asked.requests).toBe(1)
    expect(asked.ms).toBeLessThan(300)
    await vi.waitFor(() => expect(asked.server.left()).toBe(1))
  })

  it('betweenChunksMs: not ended by comments that keep the connection open', async () => {
    const beats: Answer = (response) => {
      const timer = setInterval(() => response.write(': beat\n\n'), 20)
      response.on('close', () => clearInterval(timer))
    }
    const { chunks } = await limited({ betweenChunksMs: 100 }, [deltas([{ content: 'a' }], beats)])
    expect(chunks).toMatchObject([text('a'), { type: 'error', code: 'timeout' }])
  })

  it('betweenChunksMs: starts anew with each chunk, and does not count the time of who reads', async () => {
    const slow: Answer = (response) => {
      let at = 0
      const timer = setInterval(() => {
        if (++at < 6) response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
        else {
          clearInterval(timer)
          done()(response)
        }
      }, 50)
    }
    const asked = await limited({ firstChunkMs: 2000, betweenChunksMs: 200 }, [deltas([], slow)])
    expect(asked.chunks.at(-1)).toEqual(stop)
    expect(asked.ms).toBeGreaterThan(250)
    const { baseURL } = await startCountingServer(says('hi'))
    const provider = createOpenAIProvider({ baseURL, timeouts: { betweenChunksMs: 60 } })
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(requestWith())) {
      chunks.push(chunk)
      await quiet(100)
    }
    expect(chunks).toEqual([text('hi'), stop])
  })

  it('totalMs: the whole round, the text kept', async () => {
    const endless: Answer = (response) => {
      const timer = setInterval(
        () => response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'),
        20,
      )
      response.on('close', () => clearInterval(timer))
    }
    const asked = await limited({ betweenChunksMs: 100, totalMs: 150 }, [deltas([], endless)])
    expect(asked.chunks.length).toBeGreaterThan(2)
    expect(asked.chunks.at(-1)).toEqual({
      type: 'error',
      code: 'timeout',
      message: expect.stringContaining('timeouts.totalMs allows (150 ms)'),
    })
    expect(asked.ms).toBeLessThan(350)
    await vi.waitFor(() => expect(asked.server.left()).toBe(1))
  })

  it('totalMs: also runs out during a retry wait, after which nothing is sent', async () => {
    const asked = await limited({ totalMs: 100 }, [status(503, { 'retry-after-ms': '180' })])
    expect(asked.chunks).toMatchObject([{ code: 'timeout', cause: 'totalMs' }])
    expect(asked.ms).toBeLessThan(170)
    await quiet(150)
    expect(asked.requests).toBe(1)
  })

  it('totalMs: also while the last chunk is looked at', async () => {
    const { baseURL } = await startCountingServer(deltas([{ content: 'a' }], stall))
    const provider = createOpenAIProvider({ baseURL, timeouts: { totalMs: 60 } })
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(requestWith())) {
      chunks.push(chunk)
      await quiet(100)
    }
    expect(chunks).toMatchObject([text('a'), { type: 'error', code: 'timeout' }])
  })

  it('totalMs: the only one for an answer without streaming', async () => {
    const { baseURL, times } = await startCountingServer(stall)
    const timeouts = { connectMs: 5000, firstChunkMs: 20, totalMs: 100 }
    const provider = createOpenAIProvider({ baseURL, timeouts })
    await expect(provider.complete?.(requestWith())).rejects.toMatchObject({ cause: 'totalMs' })
    expect(times).toHaveLength(1)
  })

  it('hold for a provider that ignores its signal', async () => {
    const provider = withRetry(
      {
        name: 'rude',
        async *stream() {
          yield { type: 'text-delta', text: 'a' } as const
          await new Promise(() => {})
        },
      },
      { timeouts: { betweenChunksMs: 30 } },
    )
    expect(await answerTo(provider)).toMatchObject([text('a'), { code: 'timeout' }])
  })

  it('leave no timer behind, however it ends', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const timeouts = { connectMs: 9, firstChunkMs: 9, betweenChunksMs: 9, totalMs: 9 }
    const error = new LLMError('provider', 'no')
    for (const last of [undefined, error]) {
      const provider: Provider = {
        name: 'custom',
        async *stream() {
          if (last) throw last
          yield { type: 'text-delta', text: 'a' }
        },
      }
      await answerTo(withRetry(provider, { timeouts, maxRetries: 0 }))
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('leave an abort what it is', async () => {
    const { baseURL } = await startCountingServer(head)
    const timeouts = { connectMs: 5000, firstChunkMs: 5000, totalMs: 5000 }
    const controller = new AbortController()
    const reason = new Error('stopped')
    setTimeout(() => controller.abort(reason), 50)
    const provider = createOpenAIProvider({ baseURL, timeouts })
    expect(await answerTo(provider, controller.signal)).toEqual([reason])
    expect(await answerTo(provider, controller.signal)).toEqual([reason])
  })

  it('leave an abort in the middle what it is: the end, without an error', async () => {
    const { baseURL, left } = await startCountingServer(deltas([{ content: 'a' }], stall))
    const timeouts = { betweenChunksMs: 5000, totalMs: 5000 }
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 80)
    const provider = createOpenAIProvider({ baseURL, timeouts })
    expect(await answerTo(provider, controller.signal)).toEqual([text('a')])
    await vi.waitFor(() => expect(left()).toBe(1))
  })

  it('leave the server when the reader leaves', async () => {
    const { baseURL, left } = await startCountingServer(deltas([{ content: 'a' }], stall))
    const provider = createOpenAIProvider({ baseURL, timeouts: { totalMs: 5000 } })
    for await (const _ of provider.stream(requestWith())) break
    await vi.waitFor(() => expect(left()).toBe(1))
  })

  it.each([0, undefined, Infinity, 2 ** 31])('are none at %s', async (ms) => {
    const slow: Answer = (response) => setTimeout(() => done()(response), 40)
    const timeouts = { connectMs: ms, firstChunkMs: ms, betweenChunksMs: ms, totalMs: ms }
    const asked = await limited(timeouts, [deltas([{ content: 'a' }], slow)])
    expect(asked.chunks).toEqual([text('a'), stop])
  })
})
