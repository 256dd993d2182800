import { describe, expect, it, vi } from 'vitest'
import { applyChunk } from './applyChunk'
import { ToolError } from './errors'
import { call, deferred, done, end, play, prepare, settle, text, user } from './fixtures/play'
import { createMessage } from './message'
import type { RunChatOptions } from './runChat'
import { toolOutput } from './toolOutput'
import type {
  AnyTool,
  Chunk,
  Message,
  OnToolCall,
  StandardResult,
  StandardSchema,
  Tool,
  ToolContext,
  ToolValidator,
} from './types'

const round = (...names: string[]): Chunk[] => [
  ...names.map((name) => call(name)),
  end('tool-calls'),
]
const running = (toolCallId: string) => ({ type: 'tool-start', toolCallId }) as const

/** A chat that paused with call `t`, after more chunks. */
function paused(...more: Chunk[]): Message[] {
  const message = createMessage('assistant')
  for (const chunk of [call('t', 't', { a: 1 }), end('tool-calls'), ...more]) {
    applyChunk(message, chunk)
  }
  return [user(), message]
}
const ask: Chunk = { type: 'tool-approval-request', toolCallId: 't' }
const approve = (args?: Record<string, unknown>): Chunk => ({
  type: 'tool-approval-response',
  toolCallId: 't',
  approved: true,
  ...(args && { args }),
})

describe('a tool with execute', () => {
  it('runs by itself with its arguments, signal, id, transcript and context', async () => {
    const execute = vi.fn<(args: unknown, context: ToolContext) => string>(() => 'sunny')
    const { calls, messages } = await play([[call('t', 'id', { city: 'Oslo' }), end()], done], {
      tools: [{ name: 't', execute } as AnyTool],
      context: { user: 1 },
    })
    expect(calls).toMatchObject([{ state: 'result', result: 'sunny' }])
    const [args, context] = execute.mock.calls[0] ?? []
    expect(args).toEqual({ city: 'Oslo' })
    expect(context).toMatchObject({ toolCallId: 'id', context: { user: 1 } })
    expect(context?.messages).toBe(messages)
    expect(context?.messages.at(-1)?.parts).toMatchObject([{ toolCallId: 'id' }, {}])
    expect(context?.signal.aborted).toBe(false)
  })

  it('runs after the round’s step-end, never at tool-call-end', async () => {
    const seen: number[] = []
    const { chunks } = await play([[call('t'), text(), end('tool-calls')], done], {
      tools: [
        {
          name: 't',
          execute: (_: never, { messages }) => seen.push(messages.at(-1)?.steps.length ?? -1),
        },
      ],
    })
    expect(seen).toEqual([1])
    expect(chunks.findIndex(({ type }) => type === 'tool-start')).toBe(3)
  })

  it('of several rounds in one answer runs once the stream has ended, if still pending', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const answered: Chunk = { type: 'tool-result', toolCallId: 't', result: 'theirs' }
    const { calls } = await play(
      [
        async function* () {
          yield* [...round('t'), answered, call('t', 'u'), end(), text(), end()]
          expect(execute).not.toHaveBeenCalled()
        },
        done,
      ],
      { tools: [{ name: 't', execute }] },
      { remote: true },
    )
    expect(calls).toMatchObject([{ result: 'theirs' }, { result: 1 }])
    expect(execute).toHaveBeenCalledTimes(1)
  })

  it('runs beside others, at most eight at a time, each as soon as a place is free', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `t${i}`)
    const open: (() => void)[] = []
    let most = 0
    let now = 0
    const execute = async (_: never, { toolCallId }: ToolContext) => {
      most = Math.max(most, ++now)
      await new Promise<void>((resolve) => open.push(resolve))
      now--
      return toolCallId
    }
    const played = prepare([round(...names), done], {
      tools: names.map((name) => ({ name, execute })),
    })
    const ended = played.run()
    await settle()
    expect(now).toBe(8)
    expect(played.running.size).toBe(8)
    open.pop()?.()
    await settle()
    expect(now).toBe(8)
    for (let i = 0; i < 20; i++) {
      open.pop()?.()
      await settle()
    }
    await ended
    expect(most).toBe(8)
    expect(played.running.size).toBe(0)
    // In call order, whatever finished first.
    const read = played.provider.requests[1]?.messages.at(-1)?.parts
    expect(read?.map((part) => part.type === 'tool-call' && part.result)).toEqual(names)
    const finished = played.chunks.flatMap((chunk) =>
      chunk.type === 'tool-result' ? [chunk.toolCallId] : [],
    )
    expect(finished).not.toEqual(names)
    expect(finished.toSorted()).toEqual(names.toSorted())
  })

  it('gives null for undefined', async () => {
    const { calls } = await play([round('t'), done], { tools: [{ name: 't', execute: () => {} }] })
    expect(calls).toMatchObject([{ state: 'result', result: null }])
  })

  it.each([
    ['null', null],
    ['false', false],
    ['0', 0],
    ['an empty string', ''],
  ])('may give %s', async (_what, result) => {
    const { calls } = await play([round('t'), done], {
      tools: [{ name: 't', execute: () => result }],
    })
    expect(calls).toMatchObject([{ state: 'result', result }])
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['a cycle', cycle],
  ])('may not give %s: what can’t be serialised is a tool error', async (_what, result) => {
    const { calls, provider } = await play([round('t'), done], {
      tools: [{ name: 't', execute: () => result }],
    })
    expect(calls).toMatchObject([{ state: 'error', error: expect.any(String) }])
    expect(calls[0]).not.toHaveProperty('result')
    expect(provider.requests).toHaveLength(2)
  })

  it.each([
    ['an Error', new Error('no such city'), 'no such city'],
    ['a ToolError', new ToolError('no such city'), 'no such city'],
    ['a string', 'no', 'no'],
    ['a symbol', Symbol('no'), 'Symbol(no)'],
    ['nothing', undefined, 'unknown error'],
    ['an object without a prototype', Object.create(null) as unknown, 'unknown error'],
  ])(
    'that throws %s ends in that text, and the model may correct itself',
    async (_what, thrown, error) => {
      const execute = vi.fn<() => void>(() => {
        throw thrown
      })
      const reject = () => Promise.reject(thrown)
      const { calls, provider, errors } = await play([round('t', 'u'), done], {
        tools: [
          { name: 't', execute },
          { name: 'u', execute: reject },
        ],
      })
      expect(calls).toMatchObject([
        { state: 'error', error },
        { state: 'error', error },
      ])
      expect(calls[0]).not.toHaveProperty('errorCode')
      expect(calls[0] && toolOutput(calls[0])).toBe(`Error: ${error}`)
      expect(provider.requests).toHaveLength(2)
      expect(errors).toEqual([])
    },
  )

  it('shows how far it is, until it has ended', async () => {
    let late: (value: unknown) => void = () => {}
    const execute = (_: never, { progress }: ToolContext) => {
      late = progress
      progress({ percent: 50 })
      return 1
    }
    const { chunks, calls } = await play([round('t'), done], { tools: [{ name: 't', execute }] })
    expect(chunks.slice(2, 5)).toEqual([
      running('t'),
      { type: 'tool-progress', toolCallId: 't', progress: { percent: 50 } },
      { type: 'tool-result', toolCallId: 't', result: 1 },
    ])
    const before = JSON.stringify(calls)
    late('too late')
    expect(JSON.stringify(calls)).toBe(before)
  })

  it('shows progress while it runs', async () => {
    const { promise, resolve } = deferred()
    const execute = (_: never, { progress }: ToolContext) => {
      setTimeout(() => progress(1))
      setTimeout(() => progress(2), 2)
      return promise
    }
    const played = prepare([round('t'), done], { tools: [{ name: 't', execute }] })
    const ended = played.run()
    await vi.waitFor(() => expect(played.calls[0]?.progress).toBe(2))
    expect(played.chunks.at(-1)).toMatchObject({ type: 'tool-progress', progress: 2 })
    expect(played.calls[0]?.state).toBe('running')
    resolve(1)
    await ended
  })

  it('over its time ends as an error; its signal aborts and nobody waits for it', async () => {
    let signal: AbortSignal | undefined
    const hang = (_: never, context: ToolContext) => {
      signal = context.signal
      return new Promise<never>(() => {})
    }
    const {
      calls,
      provider,
      running: left,
    } = await play([round('t', 'u'), done], {
      tools: [
        { name: 't', timeoutMs: 5, execute: hang },
        { name: 'u', timeoutMs: 5000, execute: () => 1 },
      ],
    })
    expect(calls).toMatchObject([
      { state: 'error', errorCode: 'timeout', error: 'no result within 5 ms' },
      { state: 'result' },
    ])
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
    expect(provider.requests).toHaveLength(2)
    expect(left.size).toBe(0)
  })

  it('leaves no timer behind', async () => {
    vi.useFakeTimers()
    await play([round('t'), done], { tools: [{ name: 't', timeoutMs: 5000, execute: () => 1 }] })
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('is in running while it runs; aborting it there ends it as it was answered', async () => {
    let signal: AbortSignal | undefined
    const execute = (_: never, context: ToolContext) => {
      signal = context.signal
      return new Promise<never>(() => {})
    }
    const played = prepare([round('t'), done], { tools: [{ name: 't', execute }] })
    const ended = played.run()
    await settle()
    const [part] = played.calls
    expect([...played.running.keys()]).toEqual([part])
    applyChunk(played.last, {
      type: 'tool-result',
      toolCallId: 't',
      result: 'mine',
      answeredBy: 'person',
    })
    for (const controller of played.running.values()) controller.abort()
    await ended
    expect(signal?.aborted).toBe(true)
    expect(played.running.size).toBe(0)
    expect(played.calls).toMatchObject([{ state: 'result', result: 'mine', answeredBy: 'person' }])
    expect(played.provider.requests).toHaveLength(2)
  })

  it('ends with the reason of whoever aborts it in running', async () => {
    const execute = () => new Promise<never>(() => {})
    const played = prepare([round('t'), done], { tools: [{ name: 't', execute }] })
    const ended = played.run()
    await settle()
    for (const controller of played.running.values()) controller.abort(new Error('gone'))
    await ended
    expect(played.calls).toMatchObject([{ state: 'error', error: 'gone' }])
  })
})

describe('a tool without execute', () => {
  const tools = [{ name: 't' }]

  it('waits where nobody handles it: the run pauses', async () => {
    const { calls, provider, chunks } = await play([round('t')], { tools })
    expect(calls).toMatchObject([{ state: 'pending' }])
    expect(provider.requests).toHaveLength(1)
    expect(chunks).toHaveLength(2)
  })

  it('goes to onToolCall, whose value is the result', async () => {
    const onToolCall = vi.fn<OnToolCall>(() => Promise.resolve(null))
    const { calls } = await play([[call('t', 'id', { a: 1 }), end()], done], { tools, onToolCall })
    expect(calls).toMatchObject([{ state: 'result', result: null }])
    expect(onToolCall).toHaveBeenCalledExactlyOnceWith({
      toolName: 't',
      toolCallId: 'id',
      args: { a: 1 },
      signal: expect.any(AbortSignal),
    })
  })

  it('waits where onToolCall says undefined: not mine', async () => {
    const { calls, provider, chunks } = await play([round('t')], { tools, onToolCall: () => {} })
    expect(calls).toMatchObject([{ state: 'pending' }])
    expect(provider.requests).toHaveLength(1)
    expect(chunks.slice(-2).map(({ type }) => type)).toEqual(['tool-start', 'tool-wait'])
  })

  it('ends in the text that onToolCall throws', async () => {
    const onToolCall = () => Promise.reject(new Error('no'))
    const { calls } = await play([round('t'), done], { tools, onToolCall })
    expect(calls).toMatchObject([{ state: 'error', error: 'no' }])
  })

  it('may be answered from within onToolCall: the first answer wins', async () => {
    const played = prepare([round('t'), done], {
      tools,
      onToolCall({ toolCallId }) {
        applyChunk(played.last, { type: 'tool-result', toolCallId, result: 'first' })
        return 'second'
      },
    })
    await played.run()
    expect(played.calls).toMatchObject([{ result: 'first' }])
    expect(played.chunks.filter(({ type }) => type === 'tool-result')).toEqual([])
    expect(played.provider.requests).toHaveLength(2)
  })

  it('is asked about once all the others have ended', async () => {
    const { calls, provider } = await play([round('t', 'u')], {
      tools: [...tools, { name: 'u', execute: () => 1 }],
    })
    expect(calls).toMatchObject([{ state: 'pending' }, { state: 'result' }])
    expect(provider.requests).toHaveLength(1)
  })

  it('of a tool with execute never goes to onToolCall', async () => {
    const onToolCall = vi.fn<() => void>()
    await play([round('t'), done], { tools: [{ name: 't', execute: () => {} }], onToolCall })
    expect(onToolCall).not.toHaveBeenCalled()
  })
})

describe('a round with calls of both sides', () => {
  it('goes on once both have run: what became of theirs opens no round', async () => {
    const theirs = { ...call('s'), providerExecuted: true } as Chunk
    const { provider, last } = await play(
      [
        [
          theirs,
          call('c'),
          end('tool-calls'),
          running('s'),
          { type: 'tool-progress', toolCallId: 's', progress: 1 },
          { type: 'tool-result', toolCallId: 's', result: 1 },
        ],
        done,
      ],
      { tools: [{ name: 'c', execute: () => 2 }] },
      { remote: true },
    )
    expect(last.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(last.parts).toMatchObject([{ result: 1 }, { result: 2 }, { text: 'done' }])
    expect(provider.requests).toHaveLength(2)
  })
})

describe('a name that is not among the tools', () => {
  it('closes as unknown, and the model reads so', async () => {
    for (const onToolCall of [undefined, () => undefined]) {
      const { calls, provider } = await play([round('nope'), done], { onToolCall })
      expect(calls).toMatchObject([
        { state: 'error', errorCode: 'unknown-tool', error: "unknown tool 'nope'" },
      ])
      expect(provider.requests).toHaveLength(2)
    }
  })

  it('may still be handled by onToolCall', async () => {
    const { calls } = await play([round('nope'), done], { onToolCall: () => 1 })
    expect(calls).toMatchObject([{ state: 'result', result: 1 }])
  })

  it('stays pending behind a remote provider', async () => {
    for (const onToolCall of [undefined, () => undefined]) {
      const { calls } = await play([round('nope')], { onToolCall }, { remote: true })
      expect(calls).toMatchObject([{ state: 'pending' }])
      expect(calls[0]).not.toHaveProperty('errorCode')
    }
  })
})

describe('a call of the model’s side', () => {
  it('is left alone, and nothing is sent for it', async () => {
    const execute = vi.fn<() => void>()
    const theirs = { ...call('t'), providerExecuted: true } as Chunk
    const { calls, provider } = await play([[theirs, end()]], { tools: [{ name: 't', execute }] })
    expect(execute).not.toHaveBeenCalled()
    expect(calls).toMatchObject([{ state: 'pending' }])
    expect(provider.requests).toHaveLength(1)
  })

  it('that was allowed reaches that side, and is not run here', async () => {
    const execute = vi.fn<() => void>()
    const messages = paused(ask, approve())
    for (const part of messages[1]?.parts ?? []) {
      if (part.type === 'tool-call') part.providerExecuted = true
    }
    const { provider } = await play(
      [[running('t'), { type: 'tool-result', toolCallId: 't', result: 1 }, ...done]],
      { messages, tools: [{ name: 't', execute }] },
      { remote: true },
    )
    expect(execute).not.toHaveBeenCalled()
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.messages.at(-1)?.parts).toMatchObject([
      { state: 'pending', approval: { state: 'approved' } },
    ])
    expect(messages[1]?.parts).toMatchObject([{ state: 'result', result: 1 }, { text: 'done' }])
  })
})

describe('a call that needs approval', () => {
  const asking = (execute: () => unknown, more: Partial<Tool<never>> = {}): AnyTool[] => [
    { name: 't', execute, needsApproval: true, ...more },
  ]

  it('waits with its request, and does not run', async () => {
    const execute = vi.fn<() => void>()
    const { calls, provider } = await play([round('t')], { tools: asking(execute) })
    expect(calls).toMatchObject([{ state: 'pending', approval: { state: 'requested' } }])
    expect(execute).not.toHaveBeenCalled()
    expect(provider.requests).toHaveLength(1)
  })

  it.each([true, false])('may be decided by its arguments: %s', async (needs) => {
    for (const answer of [needs, Promise.resolve(needs)]) {
      const needsApproval = vi.fn<(args: object) => boolean | Promise<boolean>>(() => answer)
      const { calls } = await play([[call('t', 't', { a: 1 }), end()], done], {
        tools: asking(() => 1, { needsApproval } as never),
      })
      expect(calls).toMatchObject([{ state: needs ? 'pending' : 'result' }])
      expect(needsApproval).toHaveBeenCalledExactlyOnceWith({ a: 1 })
    }
  })

  it('runs once it is allowed, and is not asked about again', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const { calls, provider } = await play([done], {
      messages: paused(ask, approve()),
      tools: asking(execute),
    })
    expect(execute).toHaveBeenCalledTimes(1)
    expect(calls).toMatchObject([{ state: 'result', approval: { state: 'approved' } }])
    expect(provider.requests).toHaveLength(1)
  })

  it('runs with the edited arguments, which the model then also reads', async () => {
    const execute = vi.fn<(args: unknown) => number>(() => 1)
    const { provider } = await play([done], {
      messages: paused(ask, approve({ a: 2 })),
      tools: asking(execute as never),
    })
    expect(execute.mock.calls[0]?.[0]).toEqual({ a: 2 })
    const read = provider.requests[0]?.messages.at(-1)?.parts[0]
    expect(read).toMatchObject({ args: { a: 2 }, argsText: '{"a":2}' })
  })

  it('checks edited arguments as well', async () => {
    const execute = vi.fn<() => void>()
    const { calls } = await play([done], {
      messages: paused(ask, approve({ a: 2 })),
      tools: asking(execute),
      validator: (_tool, args) => `bad ${JSON.stringify(args)}`,
    })
    expect(calls).toMatchObject([{ errorCode: 'invalid-args', error: 'bad {"a":2}' }])
    expect(execute).not.toHaveBeenCalled()
  })

  it('goes on without running where it was declined', async () => {
    const execute = vi.fn<() => void>()
    const decline = { ...approve(), approved: false, reason: 'too dear' } as Chunk
    const { calls, provider } = await play([done], {
      messages: paused(ask, decline),
      tools: asking(execute),
    })
    expect(execute).not.toHaveBeenCalled()
    expect(provider.requests).toHaveLength(1)
    expect(calls[0] && toolOutput(calls[0])).toBe('Error: declined by the user: too dear')
  })

  it('starts at once where it is allowed while another call runs', async () => {
    const { promise, resolve } = deferred()
    let wake = () => {}
    const execute = vi.fn<() => number>(() => 1)
    const played = prepare([round('t', 'slow'), done], {
      tools: [...asking(execute), { name: 'slow', execute: () => promise }],
      onWake: (given) => (wake = given),
    })
    const ended = played.run()
    await settle()
    expect(played.calls).toMatchObject([{ state: 'pending' }, { state: 'running' }])
    applyChunk(played.last, approve())
    wake()
    await settle()
    expect(execute).toHaveBeenCalledTimes(1)
    expect(played.calls).toMatchObject([{ state: 'result' }, { state: 'running' }])
    resolve(2)
    await ended
    expect(played.provider.requests).toHaveLength(2)
    wake()
    await settle()
    expect(execute).toHaveBeenCalledTimes(1)
  })

  it('waits also where the other side asked', async () => {
    const execute = vi.fn<() => void>()
    for (const tools of [[{ name: 't', execute }], [{ name: 't' }]]) {
      const { calls, chunks } = await play([[...round('t'), ask]], { tools, onToolCall: execute })
      expect(calls).toMatchObject([{ state: 'pending', approval: { state: 'requested' } }])
      expect(chunks).toHaveLength(3)
    }
    expect(execute).not.toHaveBeenCalled()
  })

  it('goes to its person once allowed where nobody here can run it', async () => {
    const { calls, provider } = await play([], {
      messages: paused(ask, approve()),
      tools: [{ name: 't', needsApproval: true }],
    })
    expect(calls).toMatchObject([{ state: 'pending' }])
    expect(calls[0]).not.toHaveProperty('approval')
    expect(provider.requests).toHaveLength(0)
  })

  it('ends as an error where the question itself throws', async () => {
    const needsApproval = () => {
      throw new Error('no policy')
    }
    const execute = vi.fn<() => void>()
    const { calls } = await play([round('t'), done], { tools: asking(execute, { needsApproval }) })
    expect(calls).toMatchObject([{ state: 'error', error: 'no policy' }])
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('arguments are checked before a call runs', () => {
  it('by the validator, whose text the model reads', async () => {
    const execute = vi.fn<() => void>()
    const validator = vi.fn<ToolValidator>(() => Promise.resolve('city: missing'))
    const tool = { name: 't', execute, needsApproval: true }
    const { calls, provider } = await play([round('t'), done], { tools: [tool], validator })
    expect(validator).toHaveBeenCalledExactlyOnceWith(tool, {})
    expect(calls).toMatchObject([
      { state: 'error', errorCode: 'invalid-args', error: 'city: missing' },
    ])
    expect(calls[0]).not.toHaveProperty('approval')
    expect(execute).not.toHaveBeenCalled()
    expect(provider.requests).toHaveLength(2)
  })

  it('by the tool’s Standard Schema, whose output execute gets', async () => {
    const validate = (value: unknown): StandardResult<unknown> => ({
      value: { ...(value as object), more: 1 },
    })
    const parameters: StandardSchema = { '~standard': { version: 1, vendor: 'own', validate } }
    const execute = vi.fn<(args: unknown) => unknown>((args) => args)
    const { calls } = await play([[call('t', 't', { a: 1 }), end()], done], {
      tools: [{ name: 't', parameters, execute } as AnyTool],
    })
    expect(execute.mock.calls[0]?.[0]).toEqual({ a: 1, more: 1 })
    // The transcript keeps what the model wrote.
    expect(calls).toMatchObject([{ args: { a: 1 } }])
  })

  it('also before onToolCall', async () => {
    const onToolCall = vi.fn<() => void>()
    const { calls } = await play([round('t'), done], {
      tools: [{ name: 't' }],
      onToolCall,
      validator: () => 'no',
    })
    expect(calls).toMatchObject([{ errorCode: 'invalid-args' }])
    expect(onToolCall).not.toHaveBeenCalled()
  })

  it('and a call that was answered meanwhile does not run', async () => {
    const execute = vi.fn<() => void>()
    const played = prepare([round('t'), done], {
      tools: [{ name: 't', execute }],
      validator: async () =>
        applyChunk(played.last, { type: 'tool-result', toolCallId: 't', result: 'mine' }),
    } as Partial<RunChatOptions>)
    await played.run()
    expect(execute).not.toHaveBeenCalled()
    expect(played.calls).toMatchObject([{ state: 'result', result: 'mine' }])
    expect(played.provider.requests).toHaveLength(2)
  })

  it('and a validator that throws is an error of that call alone', async () => {
    const { calls } = await play([round('t'), done], {
      tools: [{ name: 't', execute: () => 1 }],
      validator: () => {
        throw new Error('no schema')
      },
    })
    expect(calls).toMatchObject([{ state: 'error', error: 'no schema' }])
  })

  it('never of a call that closed as it was read: arguments that are no object', async () => {
    const execute = vi.fn<() => void>()
    const { calls, provider } = await play([[call('t', 't', [1]), end()], done], {
      tools: [{ name: 't', execute }],
    })
    expect(execute).not.toHaveBeenCalled()
    expect(calls).toMatchObject([{ state: 'error', errorCode: 'invalid-args' }])
    expect(provider.requests).toHaveLength(2)
  })
})
