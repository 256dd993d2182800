import { describe, expect, it, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { createScriptedProvider, finish, hang, text, toolCall } from 'vue-llm/testing'
import { createMessage, type AnyTool, type Chunk, type Provider, type ToolContext } from '../core'
import { bodyOf, parseStream, post, received, scripted, until, user } from './__tests__/handlerKit'
import { createLLMHandler, type HandlerErrorEvent } from './index'

/** A provider without end that counts what is taken from it. */
function endless(textOf = (count: number) => `${count}`) {
  const taken = { count: 0, ended: false }
  const provider: Provider = {
    name: 'endless',
    async *stream() {
      try {
        for (;;) yield { type: 'text-delta', text: textOf(++taken.count) }
      } finally {
        taken.ended = true
      }
    },
  }
  return { provider, taken }
}

const quiet = (ms = 30) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a slow reader', () => {
  it('is waited for: the model is read no further than the reader has read', async () => {
    const { provider, taken } = endless()
    const response = await createLLMHandler({ provider, model: 'm' })(post(bodyOf([user()])))
    await quiet()
    // Nobody has read anything yet.
    expect(taken.count).toBe(0)
    const reader = response.body!.getReader()
    for (let read = 1; read <= 5; read++) {
      await reader.read()
      await quiet(5)
      expect(taken.count).toBeLessThanOrEqual(read + 1)
    }
    await reader.cancel()
    await until(() => taken.ended)
  })

  it('does not make progress pile up: the newest of each call waits', async () => {
    let sent = 0
    const tool: AnyTool = {
      name: 'act',
      execute: async (_args: unknown, { progress }: ToolContext) => {
        for (let i = 0; i < 50; i++) {
          await quiet(0)
          for (let j = 0; j < 100; j++) progress(++sent)
        }
        await quiet(60)
        return 'done'
      },
    }
    const { handler } = scripted([[toolCall('act', {}, 'c1')], 'x'], { tools: [tool] })
    const reader = (await handler(post(bodyOf([user()])))).body!.getReader()
    let read = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      read += new TextDecoder().decode(value)
      if (read.includes('tool-start') && sent < 5000) await until(() => sent === 5000)
    }
    const seen = parseStream(read).chunks.filter(({ type }) => type === 'tool-progress')
    expect(seen.length).toBeLessThan(5)
    expect(seen.at(-1)).toMatchObject({ progress: 5000 })
  })

  it('leaves at most one heartbeat behind', async () => {
    const { handler } = scripted([[150, text('a'), finish()]], { heartbeatMs: 5 })
    const reader = (await handler(post(bodyOf([user()])))).body!.getReader()
    await reader.read()
    await quiet(200)
    let read = ''
    for (let next; !(next = await reader.read()).done;) read += new TextDecoder().decode(next.value)
    expect(parseStream(read)).toMatchObject({ comments: [': ping'], chunks: [{}, {}], done: true })
  })
})

describe('a client that goes away', () => {
  const ways: [string, (reader: ReadableStreamDefaultReader, left: AbortController) => unknown][] =
    [
      ['cancels the body', (reader) => reader.cancel()],
      ['aborts the request', (_reader, left) => left.abort()],
    ]

  it.each(ways)('%s: the model’s request is aborted at once', async (_way, leave) => {
    const { handler, requests } = scripted([[text('a'), hang]])
    const left = new AbortController()
    const response = await handler(post(bodyOf([user()]), { signal: left.signal }))
    const reader = response.body!.getReader()
    await reader.read()
    void reader.read().catch(() => {})
    await until(() => requests.length)
    expect(requests[0]?.signal.aborted).toBe(false)
    void leave(reader, left)
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it.each(ways)('%s: its tools are aborted, and the call is closed', async (_way, leave) => {
    const signals: AbortSignal[] = []
    const tool: AnyTool = {
      name: 'act',
      execute: (_args: unknown, { signal }: ToolContext) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    }
    const onFinish = vi.fn<(event: { isAbort: boolean }) => void>()
    const calls = [toolCall('act', {}, 'c1'), toolCall('act', {}, 'c2')]
    const { handler } = scripted([calls], { tools: [tool], onFinish })
    const left = new AbortController()
    const response = await handler(post(bodyOf([user()]), { signal: left.signal }))
    const reader = response.body!.getReader()
    const reading = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {})
    await until(() => signals.length === 2)
    void leave(reader, left)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    await reading
    await until(() => onFinish.mock.calls.length)
    expect(onFinish.mock.calls[0]?.[0]).toMatchObject({
      isAbort: true,
      message: { parts: [{ errorCode: 'interrupted' }, { errorCode: 'interrupted' }] },
    })
  })

  it('before anybody read: nothing is ever asked, and onFinish is told', async () => {
    const onFinish = vi.fn<(event: { isAbort: boolean }) => void>()
    const { handler, requests } = scripted(['x'], { onFinish })
    const response = await handler(post(bodyOf([user()])))
    await response.body!.cancel()
    await until(() => onFinish.mock.calls.length)
    expect([requests, onFinish.mock.calls[0]?.[0].isAbort]).toEqual([[], true])
  })

  it('while the request is read or prepared: nothing is asked, and nothing is an error', async () => {
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    for (const at of ['authorize', 'prepare', 'loadMessages'] as const) {
      const left = new AbortController()
      const { handler, requests } = scripted(['x'], {
        onError,
        [at]: async () => left.abort(),
      })
      const response = await handler(post(bodyOf([user()]), { signal: left.signal }))
      expect([at, response.status, requests]).toEqual([at, 499, []])
    }
    const left = new AbortController()
    const body = new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const { handler } = scripted(['x'], { onError })
    const answer = handler(post({}, { body, duplex: 'half', signal: left.signal } as RequestInit))
    setTimeout(() => left.abort(), 10)
    expect((await answer).status).toBe(499)
    expect(onError).not.toHaveBeenCalled()
  })

  it('a stream that hangs and ignores the abort holds nothing', async () => {
    const onFinish = vi.fn<() => void>()
    const provider = createScriptedProvider([[text('a'), hang]], { ignoreAbort: true })
    const handler = createLLMHandler({ provider, model: 'm', onFinish })
    const reader = (await handler(post(bodyOf([user()])))).body!.getReader()
    await reader.read()
    void reader.read().catch(() => {})
    await reader.cancel()
    await vi.waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
  })

  it('calls that wait for a person stay open in what is stored', async () => {
    const onFinish = vi.fn<(event: { messages: unknown }) => void>()
    const tools: AnyTool[] = [
      { name: 'ask', needsApproval: true, execute: async () => 1 },
      { name: 'act', execute: () => new Promise(() => {}) },
    ]
    const calls = [toolCall('ask', {}, 'c1'), toolCall('act', {}, 'c2'), toolCall('pick', {}, 'c3')]
    const { handler } = scripted([calls], { tools, onFinish, loadMessages: () => [] })
    const left = new AbortController()
    const body = bodyOf([user()], { tools: [{ name: 'pick' }] })
    const whole = (await handler(post(body, { signal: left.signal }))).text()
    await quiet()
    left.abort()
    await whole
    await until(() => onFinish.mock.calls.length)
    expect(onFinish.mock.calls[0]?.[0].messages).toMatchObject([
      {},
      {
        parts: [
          { state: 'pending', approval: { state: 'requested' } },
          { state: 'error', errorCode: 'interrupted' },
          { state: 'pending' },
        ],
      },
    ])
  })

  it('leaves no listener on the request’s signal, however the answer ends', async () => {
    const left = new AbortController()
    for (const end of ['whole', 'cancelled']) {
      const { handler } = scripted(['x'])
      const request = post(bodyOf([user()]), { signal: left.signal })
      const { signal } = request
      const added = vi.spyOn(signal, 'addEventListener')
      const removed = vi.spyOn(signal, 'removeEventListener')
      const response = await handler(request)
      await (end === 'whole' ? response.text() : response.body!.cancel())
      await vi.waitFor(() => expect(removed.mock.calls).toHaveLength(added.mock.calls.length))
    }
  })
})

describe('what can’t be written', () => {
  it('as JSON is left out and told; the answer goes on', async () => {
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const tool: AnyTool = {
      name: 'act',
      execute: async (_args: unknown, { progress }: ToolContext) => progress(10n),
    }
    const { ask } = scripted([[toolCall('act', {}, 'c1')], 'x'], { tools: [tool], onError })
    const { chunks, done, ids } = await ask([user()])
    expect(received(chunks).parts).toMatchObject([{ state: 'result', result: null }, { text: 'x' }])
    expect([done, onError.mock.calls.length]).toEqual([true, 1])
    expect(ids).toEqual([...new Set(ids)])
  })

  it('of a provider that yields nonsense is passed or ends as an error, never as a crash', async () => {
    expectWarning(/provider: Cannot read properties of null/)
    const nonsense = [{ type: 'no-such-chunk' }, { type: 'text-delta' }, null] as unknown as Chunk[]
    for (const chunk of nonsense) {
      const provider: Provider = {
        name: 'odd',
        async *stream() {
          yield chunk
          yield { type: 'text-delta', text: 'a' }
        },
      }
      const handler = createLLMHandler({ provider, model: 'm' })
      const response = await handler(post(bodyOf([createMessage('user', { content: 'hi' })])))
      expect((await response.text()).endsWith('data: [DONE]\n\n')).toBe(true)
    }
  })
})
