import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reactive, watch } from 'vue'
import { applyChunk } from './applyChunk'
import { call, deferred, done, end, play, prepare, settle, text, user } from './fixtures/play'
import type { Round } from './fixtures/play'
import { createMessage } from './message'
import { runChat, type RunChatOptions } from './runChat'
import type { AnyTool, Chunk, Message, ToolContext } from './types'

const rejections: unknown[] = []
const note = (reason: unknown) => rejections.push(reason)
// Vitest fails a run with an unhandled rejection; here the test that made it fails.
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(async () => {
  await settle()
  await settle()
  process.off('unhandledRejection', note)
  const [reason] = rejections.splice(0)
  if (reason !== undefined) throw new Error('a promise was left rejected', { cause: reason })
})

const hangs = () => new Promise<never>(() => {})
/** A provider that yields chunks, then never ends and does not look at the signal. */
const stuck = (...chunks: Chunk[]): Round =>
  async function* () {
    yield* chunks
    await hangs()
  }
const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)
const begin: Chunk = { type: 'tool-call-start', toolCallId: 's', toolName: 't' }

/** Runs until nothing moves, then aborts, and waits for the end. */
async function abortWhenStill(
  rounds: readonly Round[],
  options: Partial<RunChatOptions> = {},
  reason?: unknown,
) {
  const controller = new AbortController()
  const played = prepare(rounds, { ...options, signal: controller.signal })
  const ended = played.run()
  await settle()
  const length = played.chunks.length
  controller.abort(reason)
  const at = JSON.stringify(played.messages)
  const emptied = played.running.size
  await ended
  await settle()
  // Everything closes in the tick of the abort; what comes later changes nothing.
  expect(JSON.stringify(played.messages)).toBe(at)
  expect(emptied).toBe(0)
  expect(played.errors).toEqual([])
  return Object.assign(played, { length })
}

describe('an abort', () => {
  it('before the run starts leaves everything as it is', async () => {
    const { chunks, provider, messages } = await play([done], { signal: AbortSignal.abort() })
    expect(chunks).toEqual([])
    expect(provider.requests).toHaveLength(0)
    expect(messages).toHaveLength(1)
  })

  it('before the first chunk leaves no empty message', async () => {
    const { messages } = await abortWhenStill([stuck()])
    expect(messages).toHaveLength(1)
  })

  it('in a text ends it where it is, and closes the round as stopped', async () => {
    const { last, chunks, length } = await abortWhenStill([stuck(text('a'), begin)])
    expect(last.steps).toEqual([{ finishReason: 'stopped' }])
    expect(last.parts).toMatchObject([
      { text: 'a', state: 'done' },
      { state: 'error', errorCode: 'stopped', error: 'stopped by the user' },
    ])
    expect(types(chunks.slice(length))).toEqual(['tool-error', 'step-end'])
  })

  it('while prepareStep hangs ends the run, and nothing is requested', async () => {
    const { provider, messages } = await abortWhenStill([done], { prepareStep: hangs })
    expect(provider.requests).toHaveLength(0)
    expect(messages).toHaveLength(1)
  })

  it('reaches the provider’s signal with its reason, and ends its stream', async () => {
    let signal: AbortSignal | undefined
    const returned = vi.fn<() => void>()
    const { promise, resolve } = deferred()
    const reason = new DOMException('enough', 'AbortError')
    await abortWhenStill(
      [
        async function* (request) {
          signal = request.signal
          try {
            yield text()
            await promise
            yield text('late')
          } finally {
            returned()
          }
        },
      ],
      {},
      reason,
    )
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toBe(reason)
    expect(returned).not.toHaveBeenCalled()
    resolve(1)
    await settle()
    expect(returned).toHaveBeenCalledTimes(1)
  })

  it('is no error, also where the provider rejects with it, then or later', async () => {
    const { promise, reject } = deferred()
    const { last } = await abortWhenStill([
      async function* ({ signal }) {
        yield text()
        await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
      },
    ])
    expect(last.steps).toEqual([{ finishReason: 'stopped' }])
    await abortWhenStill([
      async function* () {
        yield text()
        await promise
      },
    ])
    reject(new Error('late'))
  })

  it('ends running calls and their signals, and leaves late results unread', async () => {
    let signal: AbortSignal | undefined
    const { promise, resolve } = deferred()
    const { promise: failing, reject } = deferred()
    const execute = (_: never, context: ToolContext) => {
      signal = context.signal
      context.signal.addEventListener('abort', () => context.progress('too late'))
      return promise
    }
    const { calls, last, provider } = await abortWhenStill(
      [[call('t'), call('u'), call('w'), end('tool-calls')], done],
      {
        tools: [{ name: 't', execute }, { name: 'u', execute: () => failing }, { name: 'w' }],
      },
    )
    expect(calls.map(({ errorCode }) => errorCode)).toEqual(['stopped', 'stopped', 'stopped'])
    expect(last.steps).toHaveLength(1)
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ name: 'AbortError' })
    expect(provider.requests).toHaveLength(1)
    const before = JSON.stringify(last)
    resolve('late')
    reject(new Error('late'))
    await settle()
    expect(JSON.stringify(last)).toBe(before)
  })

  it('starts no call of those that waited for a place', async () => {
    const started: string[] = []
    const names = Array.from({ length: 12 }, (_, i) => `t${i}`)
    const onToolCall = ({ toolName }: { toolName: string }) => (started.push(toolName), hangs())
    for (const interrupted of [false, true]) {
      started.length = 0
      const { calls } = await abortWhenStill([[...names.map((name) => call(name)), end()]], {
        tools: names.map((name) => ({ name })),
        onToolCall,
        interrupted,
      })
      expect(started).toHaveLength(8)
      expect(calls.slice(8).map(({ state }) => state)).toEqual(
        Array.from({ length: 4 }, () => (interrupted ? 'pending' : 'error')),
      )
    }
  })

  it.each(['validator', 'needsApproval'] as const)(
    'while a %s thinks starts no call',
    async (what) => {
      for (const interrupted of [false, true]) {
        const { promise, resolve } = deferred<never>()
        const onToolCall = vi.fn<() => void>()
        await abortWhenStill([[call('t'), end()]], {
          tools: [{ name: 't', ...(what === 'needsApproval' && { needsApproval: () => promise }) }],
          ...(what === 'validator' && { validator: () => promise }),
          onToolCall,
          interrupted,
        })
        resolve(undefined as never)
        await settle()
        expect(onToolCall).not.toHaveBeenCalled()
      }
    },
  )

  it('while calls wait for a person closes them as stopped', async () => {
    const slow: AnyTool = { name: 'slow', execute: hangs }
    const { calls } = await abortWhenStill([[call('t'), call('slow'), end()]], {
      tools: [{ name: 't', needsApproval: true, execute: () => 1 }, slow],
    })
    expect(calls.map(({ errorCode }) => errorCode)).toEqual(['stopped', 'stopped'])
    expect(calls[0]).not.toHaveProperty('approval')
  })

  it('after the end does nothing', async () => {
    const controller = new AbortController()
    const { last } = await play([done], { signal: controller.signal })
    const before = JSON.stringify(last)
    controller.abort()
    expect(JSON.stringify(last)).toBe(before)
  })
})

describe('an abort from within', () => {
  /** Aborts in the write of the first chunk of a type. */
  async function abortAt(type: Chunk['type'], execute = vi.fn<() => number>(() => 1)) {
    const controller = new AbortController()
    let closed = ''
    const played = prepare([[text(), call('t'), end('tool-calls')], done], {
      tools: [{ name: 't', execute }],
      signal: controller.signal,
      apply(message, chunk) {
        applyChunk(message, chunk)
        if (chunk.type !== type || controller.signal.aborted) return
        controller.abort()
        closed = JSON.stringify(played.messages)
      },
    })
    await played.run()
    expect(JSON.stringify(played.messages)).toBe(closed)
    expect(played.last.parts.map(({ step }) => step < played.last.steps.length)).not.toContain(
      false,
    )
    return { ...played, last: played.last, execute }
  }

  it.each([
    ['text-delta', ['stopped']],
    ['tool-call-end', ['stopped']],
    ['step-end', ['tool-calls']],
    ['tool-start', ['tool-calls']],
    ['tool-result', ['tool-calls']],
  ] as [Chunk['type'], string[]][])(
    'in the write of %s closes the round once: %j',
    async (type, reasons) => {
      const { last, provider, execute } = await abortAt(type)
      expect(last.steps.map(({ finishReason }) => finishReason)).toEqual(reasons)
      expect(provider.requests).toHaveLength(1)
      // No call starts after an abort.
      expect(execute).toHaveBeenCalledTimes(type === 'tool-result' ? 1 : 0)
    },
  )
})

describe('an abort by who reads the run', () => {
  it('ends it, although the provider hangs from then on', async () => {
    const controller = new AbortController()
    const { options, messages } = prepare([stuck(text('a'))], { signal: controller.signal })
    const seen: string[] = []
    for await (const { type } of runChat(options)) {
      seen.push(type)
      controller.abort()
    }
    expect(seen).toEqual(['text-delta', 'step-end'])
    expect(messages[1]?.steps).toEqual([{ finishReason: 'stopped' }])
  })

  it('as the message joins the list leaves it closed and without parts', async () => {
    const controller = new AbortController()
    const messages = reactive([user()]) as Message[]
    watch(
      () => messages.length,
      () => controller.abort(),
      { flush: 'sync' },
    )
    const { last, chunks } = await play([stuck(text('a'))], { messages, signal: controller.signal })
    expect(last).toMatchObject({ parts: [], steps: [{ finishReason: 'stopped' }] })
    expect(types(chunks)).toEqual(['step-end'])
  })
})

describe('an interruption', () => {
  const tools: AnyTool[] = [
    { name: 'runs', execute: hangs },
    { name: 'asks', needsApproval: true, execute: () => 1 },
    { name: 'person' },
  ]

  it('closes running calls as interrupted, and leaves those that wait for a person', async () => {
    const { calls, last } = await abortWhenStill(
      [[call('runs'), call('asks'), call('person'), end('tool-calls')]],
      { tools, interrupted: true },
    )
    expect(calls).toMatchObject([
      { state: 'error', errorCode: 'interrupted' },
      { state: 'pending', approval: { state: 'requested' } },
      { state: 'pending' },
    ])
    expect(last.steps).toEqual([{ finishReason: 'tool-calls' }])
  })

  it('closes unstarted calls that would run by themselves, also with prepareStep’s tools', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `t${i}`)
    const own = names.map((name): AnyTool => ({ name, execute: hangs }))
    const options: Partial<RunChatOptions>[] = [
      { tools: own },
      { prepareStep: () => ({ tools: own }) },
    ]
    for (const more of options) {
      const { calls } = await abortWhenStill([[...names.map((name) => call(name)), end()]], {
        ...more,
        interrupted: true,
      })
      expect(calls.map(({ errorCode }) => errorCode)).toEqual(names.map(() => 'interrupted'))
    }
  })

  it('while the model speaks closes the round, and with it all that is open', async () => {
    const { calls, last } = await abortWhenStill([stuck(call('runs'), begin)], {
      tools,
      interrupted: true,
    })
    expect(last.steps).toEqual([{ finishReason: 'stopped' }])
    expect(calls.map(({ errorCode }) => errorCode)).toEqual(['interrupted', 'stopped'])
  })
})

describe('a consumer that leaves early', () => {
  it.each([
    [1, 'in the text'],
    [2, 'after a call'],
    [3, 'after the step-end'],
    [4, 'while a call runs'],
  ])('after %i chunks, %s, ends the run', async (count) => {
    let signal: AbortSignal | undefined
    const ended = vi.fn<() => void>()
    const execute = (_: never, context: ToolContext) => {
      signal = context.signal
      return hangs()
    }
    const { options, messages, running, provider } = prepare(
      [
        async function* () {
          try {
            yield* [text(), call('t'), end('tool-calls')]
          } finally {
            ended()
          }
        },
        done,
      ],
      { tools: [{ name: 't', execute }] },
    )
    let seen = 0
    for await (const _ of runChat(options)) if (++seen === count) break
    const before = JSON.stringify(messages)
    await settle()
    expect(JSON.stringify(messages)).toBe(before)
    expect(ended).toHaveBeenCalledTimes(1)
    expect(messages[1]?.steps).toHaveLength(1)
    expect(before).not.toMatch(/"state":"(streaming|pending|running)"/)
    expect(running.size).toBe(0)
    expect(signal?.aborted ?? true).toBe(true)
    expect(provider.requests).toHaveLength(1)
  })
})

describe('an abort at any microtask', () => {
  const rounds: Round[] = [
    [
      { type: 'message-start', runId: 'r' },
      text('a'),
      begin,
      { type: 'tool-call-delta', toolCallId: 's', argsText: '{}' },
      { type: 'tool-call-end', toolCallId: 's' },
      call('u'),
      call('p'),
      call('ask'),
      end('tool-calls'),
    ],
    [text('b'), call('s', 's2'), end('tool-calls')],
    done,
  ]

  /** Runs, aborts after that many microtasks; whether the run had ended by then. */
  async function abortAfter(
    ticks: number,
    interrupted: boolean,
    whole?: string,
  ): Promise<{ wasOver: boolean; outcome: string }> {
    const controller = new AbortController()
    const { signal } = controller
    const late: string[] = []
    const spot = (what: string) => {
      if (signal.aborted) late.push(what)
    }
    const played = prepare(rounds, {
      signal,
      interrupted,
      messages: [user()],
      prepareStep: async () => spot('prepareStep'),
      validator: async () => undefined,
      onToolCall: async () => spot('onToolCall'),
      tools: [
        { name: 't', execute: () => spot('execute') },
        { name: 'u', execute: () => Promise.reject(new Error(`${spot('execute')}`)) },
        { name: 'p' },
        { name: 'ask', needsApproval: async () => true, execute: () => spot('execute') },
      ],
    })
    const { stream } = played.provider
    played.options.provider = {
      ...played.provider,
      stream: (request) => (spot('stream'), stream(request)),
    }
    let isOver = false
    const ended = played.run().then(() => (isOver = true))
    for (let i = 0; i < ticks; i++) await undefined
    const wasOver = isOver
    controller.abort()
    const at = JSON.stringify(played.messages)
    await ended
    await settle()
    expect(late).toEqual([])
    expect(JSON.stringify(played.messages)).toBe(at)
    expect(played.errors).toEqual([])
    expect(played.running.size).toBe(0)
    const { last } = played
    const isAsEnded = wasOver || outcome(last) === whole
    expect(isAsEnded || interrupted ? '' : at).not.toContain('"state":"pending"')
    expect(at).not.toMatch(/"state":"(streaming|running)"/)
    expect(last.role === 'user' || last.parts.every(({ step }) => step < last.steps.length)).toBe(
      true,
    )
    expect(replayed(played.chunks, last)).toEqual(last)
    return { wasOver, outcome: outcome(last) }
  }
  const outcome = ({ parts, steps }: Message) => JSON.stringify({ parts, steps })

  it.each([false, true])(
    'leaves a valid transcript and starts nothing (interrupted: %s)',
    async (interrupted) => {
      const whole = await abortAfter(1000, interrupted)
      expect(whole.wasOver).toBe(true)
      let ticks = 0
      while (!(await abortAfter(ticks, interrupted, whole.outcome)).wasOver) ticks++
      expect(ticks).toBeGreaterThan(50)
    },
  )
})

/** The message that a run's chunks make; a user's message as it is. */
function replayed(chunks: readonly Chunk[], last: Message): Message {
  if (last.role === 'user') return last
  const copy = createMessage('assistant', { id: last.id, createdAt: last.createdAt })
  for (const chunk of chunks) applyChunk(copy, chunk)
  return copy
}
