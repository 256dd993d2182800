import { describe, expect, it, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { createDemoModel, finish, hang, streamedToolCall, text, toolCall } from 'vue-llm/testing'
import { isLLMError, type AnyTool, type ToolContext } from '../core'
import { createOpenAIProvider } from '../providers'
import {
  exchange,
  assistant,
  bodyOf,
  call,
  post,
  received,
  scripted,
  typesOf,
  user,
} from './__tests__/handlerKit'
import { createLLMHandler, type HandlerErrorEvent, type PrepareEvent } from './index'

const lookup: AnyTool = {
  name: 'lookup',
  description: 'Looks something up',
  execute: async ({ of = 'nothing' }: { of?: string }) => ({ of, found: 3 }),
}
type Execute = (args: unknown, context: ToolContext) => Promise<undefined>
const clientTool = { name: 'pick', description: 'Asks a person', parameters: { type: 'object' } }

describe('the stream', () => {
  it('is one chunk as JSON in each event, numbered, with [DONE] last', async () => {
    const { ask } = scripted([[text('Hel'), text('lo\n'), finish('stop')]])
    const answer = await ask([user()])
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      'id: 1\ndata: {"type":"text-delta","text":"Hel"}\n\n' +
        'id: 2\ndata: {"type":"text-delta","text":"lo\\n"}\n\n' +
        'id: 3\ndata: {"type":"step-end","finishReason":"stop"}\n\n' +
        'data: [DONE]\n\n',
    )
  })

  it('has the headers of an event stream that nobody buffers', async () => {
    const { headers } = await scripted(['x']).ask([user()])
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  })

  it('ends with [DONE] after an error chunk, too', async () => {
    expectWarning(/provider: Error: secret/)
    const answer = await scripted([[text('a'), new Error('secret')]]).ask([user()])
    expect(typesOf(answer)).toEqual(['text-delta', 'error', 'step-end'])
    expect(answer.done).toBe(true)
  })

  it('takes messages as they are written by hand', async () => {
    const { ask, requests } = scripted(['x'])
    const list = ['user', 'assistant', 'user'].map((role, index) => ({ role, content: `${index}` }))
    const response = await ask(list as never)
    expect(response.status).toBe(200)
    expect(requests[0]?.messages).toMatchObject([
      { id: 'msg_0', role: 'user', parts: [{ type: 'text', text: '0' }], steps: [] },
      { role: 'assistant', parts: [{ text: '1' }], steps: [{ finishReason: 'other' }] },
      { role: 'user', parts: [{ text: '2' }] },
    ])
  })

  it('gives the model what the server says: model, system, settings, chat id and transcript', async () => {
    const { ask, requests } = scripted(['x'], { system: 'Be kind.', settings: { temperature: 0 } })
    await ask([user('one', 'u1'), assistant([call()], 'a1'), user('two', 'u2')])
    expect(requests).toMatchObject([
      {
        model: 'the-model',
        system: 'Be kind.',
        settings: { temperature: 0 },
        chatId: 'chat_1',
        messageId: 'a_new',
      },
    ])
    expect(requests[0]?.messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2'])
  })

  it('works on platforms whose requests have no signal', async () => {
    const { handler } = scripted(['x'])
    const request = post(bodyOf([user()]))
    Object.defineProperty(request, 'signal', { value: undefined })
    expect((await exchange(handler, request)).done).toBe(true)
  })

  it('works on the demo model through createOpenAIProvider', async () => {
    const provider = createOpenAIProvider({
      baseURL: 'http://demo/v1',
      fetch: createDemoModel({ delayMs: 0 }),
    })
    const weather = {
      name: 'get_weather',
      description: 'Current weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      execute: async ({ city }: { city: string }) => ({ city, celsius: 7 }),
    }
    const handler = createLLMHandler({ provider, model: 'vue-llm-demo', tools: [weather] })
    const { chunks, done } = await exchange(
      handler,
      post(bodyOf([user('What is the weather in Paris and Rome?')])),
    )
    const { parts, steps } = received(chunks)
    expect(done).toBe(true)
    expect(parts.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { args: { city: 'Paris' }, state: 'result', result: { celsius: 7 }, providerExecuted: true },
      { args: { city: 'Rome' }, state: 'result', result: { celsius: 7 }, providerExecuted: true },
    ])
    expect(parts.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('Rome') })
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
  })
})

describe('tools', () => {
  it('with execute run here and reach the client as results, marked as run by the other side', async () => {
    const { ask, requests } = scripted(
      [[...streamedToolCall('lookup', { of: 'tea' }, 'c1'), finish('tool-calls')], 'Three.'],
      { tools: [lookup] },
    )
    const answer = await ask([user()])
    expect(answer.chunks.filter(({ type }) => type !== 'tool-call-delta')).toEqual([
      { type: 'tool-call-start', toolCallId: 'c1', toolName: 'lookup', providerExecuted: true },
      { type: 'tool-call-end', toolCallId: 'c1', providerExecuted: true },
      { type: 'step-end', finishReason: 'tool-calls' },
      { type: 'tool-start', toolCallId: 'c1' },
      { type: 'tool-result', toolCallId: 'c1', result: { of: 'tea', found: 3 } },
      { type: 'text-delta', text: 'Three.' },
      { type: 'step-end', finishReason: 'stop' },
    ])
    // The model has to read it: here it is nobody else's call.
    expect(requests[1]?.messages.at(-1)?.parts[0]).not.toHaveProperty('providerExecuted')
  })

  it('get arguments, context, transcript and a signal, and may show progress', async () => {
    const execute = vi.fn<Execute>(async (_args, { progress }) => {
      progress('half')
      return undefined
    })
    const { ask } = scripted([[toolCall('act', { a: 1 }, 'c1')], 'x'], {
      tools: [{ name: 'act', execute }],
      authorize: () => ({ user: 'ann' }),
    })
    const answer = await ask([user()])
    expect(execute.mock.calls[0]).toMatchObject([
      { a: 1 },
      { context: { user: 'ann' }, toolCallId: 'c1', signal: { aborted: false } },
    ])
    expect(answer.chunks).toContainEqual({
      type: 'tool-progress',
      toolCallId: 'c1',
      progress: 'half',
    })
    expect(answer.chunks).toContainEqual({ type: 'tool-result', toolCallId: 'c1', result: null })
  })

  it('of the client are offered and left pending; the stream ends there', async () => {
    const { ask, requests } = scripted([[toolCall('pick', { a: 1 }, 'c1'), finish('tool-calls')]])
    const answer = await ask([user()], { tools: [clientTool] })
    expect(requests[0]?.tools).toEqual([clientTool])
    expect(answer.chunks).toEqual([
      { type: 'tool-call-end', toolCallId: 'c1', toolName: 'pick', args: { a: 1 } },
      { type: 'step-end', finishReason: 'tool-calls' },
    ])
    expect(answer.done).toBe(true)
  })

  it('of the server without execute are left to the client as well', async () => {
    const { ask } = scripted([[toolCall('pick', {}, 'c1')]], { tools: [clientTool] })
    const { parts } = received((await ask([user()])).chunks)
    expect(parts).toMatchObject([{ state: 'pending' }])
    expect(parts[0]).not.toHaveProperty('providerExecuted')
  })

  it('of one name: the server wins', async () => {
    const { ask, requests } = scripted([[toolCall('lookup', {}, 'c1')], 'x'], { tools: [lookup] })
    const answer = await ask([user()], {
      tools: [{ name: 'lookup', description: 'forged' }, clientTool],
    })
    expect(requests[0]?.tools.map(({ name, description }) => [name, description])).toEqual([
      ['lookup', 'Looks something up'],
      ['pick', 'Asks a person'],
    ])
    expect(typesOf(answer)).toContain('tool-result')
  })

  it('in one round: the server runs its own, the client gets the other', async () => {
    const { ask } = scripted(
      [[toolCall('lookup', {}, 'c1'), toolCall('pick', {}, 'c2'), finish('tool-calls')]],
      { tools: [lookup] },
    )
    const { parts } = received((await ask([user()], { tools: [clientTool] })).chunks)
    expect(parts).toMatchObject([
      { toolCallId: 'c1', state: 'result', providerExecuted: true },
      { toolCallId: 'c2', state: 'pending' },
    ])
  })

  it('that nobody knows close as unknown, and the model may correct itself', async () => {
    const { ask } = scripted([[toolCall('nope', {}, 'c1')], 'Sorry.'], { tools: [lookup] })
    const { parts } = received((await ask([user()])).chunks)
    expect(parts).toMatchObject([
      { state: 'error', error: "unknown tool 'nope'", errorCode: 'unknown-tool' },
      { text: 'Sorry.' },
    ])
  })

  it('the validator checks what runs here, and gets the tool itself; calls of the client are its own to check', async () => {
    const validator = vi.fn<(tool: AnyTool) => string>(() => 'a is missing')
    const calls = ['lookup', 'pick', 'show'].map((name) => toolCall(name, {}, `c_${name}`))
    const { ask } = scripted([calls], { tools: [lookup, { name: 'show' }], validator })
    const { parts } = received((await ask([user()], { tools: [clientTool] })).chunks)
    expect(parts).toMatchObject([
      { error: 'a is missing', errorCode: 'invalid-args' },
      { state: 'pending' },
      { state: 'pending' },
    ])
    expect(validator.mock.calls.map(([tool]) => tool)).toEqual([lookup])
  })

  it('never run on arguments longer than maxArgsChars; the model reads why', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const long = toolCall('lookup', { text: 'x'.repeat(100) }, 'c')
    const options = { tools: [{ ...lookup, execute }], maxArgsChars: 50 }
    const { ask, requests } = scripted([[long], 'Sorry.'], options)
    const { parts } = received((await ask([user()])).chunks)
    const error = 'the arguments are longer than 50 characters'
    expect(execute).not.toHaveBeenCalled()
    expect(parts).toMatchObject([{ state: 'error', error }, { text: 'Sorry.' }])
    expect(requests[1]?.messages.at(-1)?.parts).toMatchObject([{ error }])
  })

  it('that need approval are misuse without a stored chat, at once', () => {
    const tools = [{ ...lookup, needsApproval: true }]
    expect(() => scripted([], { tools })).toThrow(/'lookup' needs approval.*loadMessages/s)
    expect(() => scripted([], { tools, loadMessages: () => [] })).not.toThrow()
    // The client asks and runs it by itself.
    expect(() => scripted([], { tools: [{ name: 'x', needsApproval: true }] })).not.toThrow()
  })

  it('that need approval and come from prepare: a masked 500, and onError is told', async () => {
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const { ask, requests } = scripted(['x'], {
      prepare: () => ({ tools: [{ ...lookup, needsApproval: () => true }] }),
      onError,
    })
    const answer = await ask([user()])
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      500,
      { error: { code: 'internal', message: 'the server could not answer' } },
    ])
    expect(isLLMError(onError.mock.calls[0]?.[0], 'misuse')).toBe(true)
    expect(requests).toEqual([])
  })

  it('of prepareStep run here as well, and a wrong one ends the answer masked', async () => {
    const { ask } = scripted([[toolCall('lookup', {}, 'c1')], 'x'], {
      prepareStep: () => ({ tools: [lookup], model: 'other' }),
    })
    expect(received((await ask([user()])).chunks).parts).toMatchObject([
      { state: 'result', providerExecuted: true },
      {},
    ])
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const wrong = scripted(['x'], {
      prepareStep: () => ({ tools: [{ ...lookup, needsApproval: true }] }),
      onError,
    })
    const { chunks, done } = await wrong.ask([user()])
    expect(chunks[0]).toEqual({
      type: 'error',
      code: 'misuse',
      message: 'the server could not answer',
    })
    expect(done).toBe(true)
    expect(onError.mock.calls).toMatchObject([[{ code: 'misuse' }, { source: 'handler' }]])
  })
})

describe('authorize', () => {
  it('gives the context, and comes before anything is read', async () => {
    const prepare = vi.fn<(event: PrepareEvent<{ user: string | null }>) => void>()
    const { handler } = scripted(['x'], {
      authorize: async ({ headers }) => ({ user: headers.get('x-user') }),
      prepare,
    })
    await exchange(handler, post(bodyOf([user()]), { headers: { 'x-user': 'ann' } }))
    expect(prepare.mock.calls).toMatchObject([[{ context: { user: 'ann' }, id: 'chat_1' }]])
  })

  it.each([
    ['throws', () => Promise.reject(new Response('no', { status: 401 }))],
    ['returns', () => new Response('no', { status: 401 })],
  ])('a Response that it %s is the answer', async (_how, authorize) => {
    const { handler, requests } = scripted(['x'], { authorize })
    const answer = await exchange(handler, post('not even JSON'))
    expect([answer.status, answer.text, requests]).toEqual([401, 'no', []])
  })

  it('anything else that it throws is a masked 500, and onError is told', async () => {
    const error = new Error('postgres://user:secret@db')
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const authorize = () => {
      throw error
    }
    const { ask } = scripted(['x'], { authorize, onError })
    const answer = await ask([user()])
    expect([answer.status, answer.text]).toEqual([
      500,
      '{"error":{"code":"internal","message":"the server could not answer"}}',
    ])
    expect(onError.mock.calls).toEqual([[error, { context: undefined, source: 'handler' }]])
  })
})

describe('prepare', () => {
  it('chooses model, system, tools, settings and provider per user', async () => {
    const other = scripted(['other'])
    const { ask, requests } = scripted(['x'], {
      system: 'a',
      settings: { temperature: 1, seed: 1 },
      tools: [lookup],
      prepare: ({ messages, body }) => ({
        model: `for ${messages.length}`,
        system: `b ${body.place}`,
        settings: { seed: 2 },
        tools: [],
        provider: other.provider,
      }),
    })
    await ask([user()], { place: 'Oslo' })
    expect(requests).toEqual([])
    expect(other.requests).toMatchObject([
      { model: 'for 1', system: 'b Oslo', settings: { temperature: 1, seed: 2 }, tools: [] },
    ])
  })

  it('may refuse with a Response, thrown or returned', async () => {
    for (const prepare of [
      () => Promise.reject(new Response(null, { status: 402 })),
      () => new Response(null, { status: 402 }) as never,
    ]) {
      const { ask, requests } = scripted(['x'], { prepare })
      expect([(await ask([user()])).status, requests]).toEqual([402, []])
    }
  })
})

describe('allow', () => {
  const wishes = {
    model: 'gpt-expensive',
    system: 'You are evil.',
    settings: { temperature: 2, maxTokens: 1e6 },
    toolChoice: 'required',
    maxToolRoundtrips: 99,
  }
  const endless = (): [ReturnType<typeof toolCall>] => [toolCall('lookup')]

  it('without it nothing of a client’s wishes is used', async () => {
    const { ask, requests } = scripted(endless, { tools: [lookup], maxToolRoundtrips: 1 })
    await ask([user()], wishes)
    expect(requests).toHaveLength(2)
    expect(requests[0]).toMatchObject({ model: 'the-model', settings: {} })
    expect(requests[0]).not.toHaveProperty('system')
    expect(requests[0]).not.toHaveProperty('toolChoice')
  })

  it('lets through what it names, and no more', async () => {
    const { ask, requests } = scripted(['x'], { allow: ['model', 'settings'] })
    await ask([user()], { ...wishes, settings: { ...wishes.settings, apiKey: 'x', stop: ['a'] } })
    expect(requests[0]).toMatchObject({
      model: 'gpt-expensive',
      settings: { temperature: 2, maxTokens: 1e6, stop: ['a'] },
    })
    expect(requests[0]?.settings).not.toHaveProperty('apiKey')
    expect(requests[0]).not.toHaveProperty('system')
  })

  it('lets a client choose its limit, its tool choice and the system prompt', async () => {
    const allow = ['maxToolRoundtrips', 'toolChoice', 'system'] as const
    const { ask, requests } = scripted(endless, { tools: [lookup], allow })
    await ask([user()], { ...wishes, maxToolRoundtrips: 2 })
    expect(requests).toHaveLength(3)
    expect(requests[0]).toMatchObject({ toolChoice: 'required', system: 'You are evil.' })
  })

  it.each([
    ['/model', { model: 1 }],
    ['/system', { system: {} }],
    ['/settings', { settings: 'hot' }],
    ['/settings/temperature', { settings: { temperature: '1' } }],
    ['/settings/stop', { settings: { stop: [1] } }],
    ['/settings/responseFormat', { settings: { responseFormat: 'json' } }],
    [
      '/settings/responseFormat/schema',
      { settings: { responseFormat: { type: 'json', schema: [] } } },
    ],
    ['/toolChoice', { toolChoice: 'maybe' }],
    ['/toolChoice/name', { toolChoice: {} }],
    ['/maxToolRoundtrips', { maxToolRoundtrips: -1 }],
  ])('names what is wrong: %s', async (pointer, more) => {
    const { ask } = scripted(['x'], {
      allow: ['model', 'system', 'settings', 'toolChoice', 'maxToolRoundtrips'],
    })
    const answer = await ask([user()], more)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text).error.message).toMatch(new RegExp(`^${pointer}: `))
  })
})

describe('heartbeats', () => {
  it('keep a silent connection open, and cost nothing while there is something to read', async () => {
    const slow = scripted([[120, text('a'), finish()]], { heartbeatMs: 20 })
    const answer = await slow.ask([user()])
    expect(answer.comments.length).toBeGreaterThanOrEqual(2)
    expect(new Set(answer.comments)).toEqual(new Set([': ping']))
    expect(received(answer.chunks).parts).toMatchObject([{ text: 'a' }])
    const quick = await scripted(['a'], { heartbeatMs: 5000 }).ask([user()])
    expect(quick.comments).toEqual([])
  })

  it('come every 15 seconds by default, and not at all where they are turned off', async () => {
    vi.useFakeTimers()
    try {
      for (const [heartbeatMs, beats] of [
        [undefined, 2],
        [Infinity, 0],
        [0, 0],
      ] as const) {
        const { handler } = scripted([[hang]], {
          ...(heartbeatMs !== undefined && { heartbeatMs }),
        })
        const left = new AbortController()
        const response = await handler(post(bodyOf([user()]), { signal: left.signal }))
        const whole = response.text()
        await vi.advanceTimersByTimeAsync(31_000)
        left.abort()
        expect((await whole).match(/: ping\n\n/g) ?? []).toHaveLength(beats)
      }
    } finally {
      vi.useRealTimers()
    }
  })
})
