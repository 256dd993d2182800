import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createOpenAIProvider, defineTool, useChat, type OnToolCall } from 'vue-llm'
import { allCalls, chatOn, textsOf, toolMessages, until, quiet, watchCall } from './chatOn'
import { callEvents, callRound, finishEvent, startStrictServer } from './strictServer'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The app's own server, where paths without an origin lead as they do on a page. */
async function startAppServer(listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    fetch(new URL(url, `http://127.0.0.1:${port}`), init),
  )
}

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const

const getWeather = defineTool<{ city: string }, { temp: number }>({
  name: 'get_weather',
  description: 'Get the current weather for a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: ({ city }, { signal }) =>
    fetch(`/api/weather?city=${city}`, { signal }).then((r) => r.json()),
})

describe('calling tools', () => {
  it('tools are declared with parameters in the form of JSON Schema', async () => {
    const { server, sendMessage } = await chatOn([['hi']], { tools: [getWeather] })
    await sendMessage('hi')
    expect(server.requests[0]?.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Get the current weather for a city',
          parameters,
        },
      },
    ])
  })

  it('a tool with execute runs by itself, its result goes back to the model, and the dialogue goes on', async () => {
    const asked: (string | undefined)[] = []
    await startAppServer(({ url }, response) => {
      asked.push(url)
      response.end('{"temp":7}')
    })
    const server = await startStrictServer([
      ['Let me look. ', ...callEvents('call_1', 'get_weather', ['{"ci', 'ty":"Oslo"}'])],
      ['It is 7 degrees.'],
      ['You are welcome.'],
    ])
    const ai = createOpenAIProvider({ baseURL: server.baseURL, apiKey: 'key' })

    const { messages, sendMessage } = useChat({
      provider: ai,
      model: 'gpt-4o',
      tools: [getWeather],
      maxToolRoundtrips: 3,
    })

    await sendMessage('How warm is it in Oslo?')
    expect(asked).toEqual(['/api/weather?city=Oslo'])
    expect(server.requests[1]?.messages).toEqual([
      { role: 'user', content: 'How warm is it in Oslo?' },
      {
        role: 'assistant',
        content: 'Let me look. ',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"temp":7}' },
    ])
    expect(textsOf({ messages })[1]).toBe('Let me look. It is 7 degrees.')
    const part = messages.value[1]?.parts[1]
    // Typed by the tool: neither of the two needs a cast.
    if (part?.type !== 'tool-call' || part.toolName !== 'get_weather') throw new Error('no call')
    expect([part.args.city, part.result?.temp]).toEqual(['Oslo', 7])
    await sendMessage('Thanks')
    expect(server.requests[2]?.messages.slice(3)).toEqual([
      { role: 'assistant', content: 'It is 7 degrees.' },
      { role: 'user', content: 'Thanks' },
    ])
    expect(messages.value).toHaveLength(4)
  })

  it('defineTool only adds types', async () => {
    const tool = { name: 't', parameters, execute: ({ city }: { city: string }) => city }
    const keys = Object.entries(tool)
    expect(defineTool<{ city: string }, string>(tool)).toBe(tool)
    expect(Object.entries(tool)).toEqual(keys)
    const rounds = [callRound(['call_1', 't', { city: 'Oslo' }]), ['done']]
    const chat = await chatOn(rounds, { tools: [tool] })
    await chat.sendMessage('go')
    expect(allCalls(chat)[0]?.result).toBe('Oslo')
  })

  it('execute gets the parsed arguments, and a signal that fires when the chat is stopped', async () => {
    const events: string[] = []
    await startAppServer((_, response) => {
      events.push('request')
      response.on('close', () => events.push('close'))
    })
    type Execute = NonNullable<typeof getWeather.execute>
    const execute = vi.fn<Execute>(getWeather.execute)
    const chat = await chatOn([callRound(['call_1', 'get_weather', { city: 'Oslo' }])], {
      tools: [{ ...getWeather, execute }],
    })
    void chat.sendMessage('go')
    await until(() => events.includes('request'))
    const [args, { signal } = { signal: undefined }] = execute.mock.calls[0] ?? []
    expect([args, signal?.aborted]).toEqual([{ city: 'Oslo' }, false])
    chat.stop()
    expect([signal?.aborted, signal?.reason.name]).toEqual([true, 'AbortError'])
    await until(() => events.includes('close'))
    await quiet()
    expect(allCalls(chat)[0]).toMatchObject({ state: 'error', errorCode: 'stopped' })
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(chat.server.requests).toHaveLength(1)
  })

  it('if execute throws, the text of the error is sent to the model so that it can correct itself', async () => {
    const execute = vi.fn<(args: { city: string }) => object>(({ city }) => {
      if (city !== 'Oslo') throw new Error(`there is no city '${city}'`)
      return { temp: 7 }
    })
    const chat = await chatOn(
      [
        callRound(['call_1', 'get_weather', { city: 'Olso' }]),
        callRound(['call_2', 'get_weather', { city: 'Oslo' }]),
        ['It is 7 degrees.'],
      ],
      { tools: [{ name: 'get_weather', parameters, execute }] },
    )
    await chat.sendMessage('go')
    expect(toolMessages(chat.server.requests[1])).toEqual([
      ['call_1', `Error: there is no city 'Olso'`],
    ])
    expect(toolMessages(chat.server.requests[2])[1]).toEqual(['call_2', '{"temp":7}'])
    expect(allCalls(chat)).toMatchObject([
      { state: 'error', error: `there is no city 'Olso'` },
      { state: 'result', result: { temp: 7 } },
    ])
    expect(textsOf(chat)[1]).toBe('It is 7 degrees.')
    expect(chat.status.value).toBe('ready')
  })
})

describe('onToolCall', () => {
  it('tools without execute come to onToolCall, one handler for all tools', async () => {
    const seen: unknown[] = []
    const fetchWeather = async ({ city }: { city: string }) => ({ temp: city.length })
    const execute = vi.fn<() => string>(() => 'mine')
    const { server, sendMessage } = await chatOn(
      [
        callRound(
          ['call_1', 'get_weather', { city: 'Oslo' }],
          ['call_2', 'get_time', {}],
          ['call_3', 'own', {}],
        ),
        ['done'],
      ],
      {
        tools: [
          { name: 'get_weather', description: '…', parameters },
          { name: 'get_time' },
          { name: 'own', execute },
        ],
        async onToolCall({ toolName, toolCallId, args, signal }) {
          seen.push([toolName, toolCallId, args, signal.aborted])
          if (toolName === 'get_weather') return fetchWeather(args as { city: string })
          return '12:00'
        },
      },
    )
    await sendMessage('go')
    expect(seen).toEqual([
      ['get_weather', 'call_1', { city: 'Oslo' }, false],
      ['get_time', 'call_2', {}, false],
    ])
    expect(execute).toHaveBeenCalledOnce()
    expect(toolMessages(server.requests[1])).toEqual([
      ['call_1', '{"temp":4}'],
      ['call_2', '12:00'],
      ['call_3', 'mine'],
    ])
  })

  it('what onToolCall throws is read by the model as well', async () => {
    const chat = await chatOn([callRound(['call_1', 't']), ['sorry']], {
      tools: [{ name: 't' }],
      onToolCall: () => Promise.reject(new TypeError('not today')),
    })
    await chat.sendMessage('go')
    expect(toolMessages(chat.server.requests[1])).toEqual([['call_1', 'Error: not today']])
  })
})

describe('life cycle', () => {
  const pieces = ['{"city":"Os', 'lo","days":', '3}']
  const whole = { city: 'Oslo', days: 3 }

  /** A run of one call whose states a watcher notes; each piece waits until the one before was seen. */
  async function live(handler: OnToolCall, byExecute: boolean) {
    let seen: ReturnType<typeof watchCall> = []
    const last = () => JSON.stringify(seen.at(-1)?.args)
    const [start, first, second, third] = callEvents('call_1', 'get_weather', pieces)
    const round = [
      start ?? {},
      () => until(() => seen.length === 1),
      first ?? {},
      () => until(() => last() === '{"city":"Os"}'),
      second ?? {},
      () => until(() => last() === '{"city":"Oslo"}'),
      third ?? {},
      () => until(() => last() === '{"city":"Oslo","days":3}'),
      finishEvent('tool_calls'),
    ]
    const name = 'get_weather'
    const chat = await chatOn([round, ['done']], {
      throttleMs: 0,
      ...(byExecute
        ? {
            tools: [
              {
                name,
                execute: (args: Record<string, unknown>, { signal, toolCallId }) =>
                  handler({ toolName: name, toolCallId, args, signal }),
              },
            ],
          }
        : { tools: [{ name }], onToolCall: handler }),
    })
    seen = watchCall(chat)
    await chat.sendMessage('go')
    return { chat, seen }
  }

  const ways = [
    ['execute', true],
    ['onToolCall', false],
  ] as const

  it.each(ways)(
    'each call appears as a part tool-call of the assistant message (%s)',
    async (_, by) => {
      const { chat } = await live(() => 1, by)
      expect(chat.messages.value.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(chat.messages.value[1]?.parts[0]).toMatchObject({
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'get_weather',
        args: whole,
        argsText: pieces.join(''),
      })
    },
  )

  it.each(ways)(
    'streaming: the arguments still arrive, args holds what could be parsed so far (%s)',
    async (_, by) => {
      const { seen } = await live(() => 1, by)
      const streaming = seen.filter(({ state }) => state === 'streaming')
      expect(streaming.map(({ args }) => args)).toEqual([
        {},
        { city: 'Os' },
        { city: 'Oslo' },
        whole,
      ])
    },
  )

  it.each(ways)(
    'pending: the arguments are whole, the call waits for its result (%s)',
    async (_, by) => {
      const handler = vi.fn<() => number>(() => 1)
      const { seen } = await live(handler, by)
      expect(seen.filter(({ state }) => state === 'pending')).toEqual([
        { state: 'pending', args: whole, result: undefined, error: undefined },
      ])
      const waits = await live(() => undefined, false)
      expect(waits.seen.at(-1)).toMatchObject({ state: 'pending', args: whole })
      expect(waits.chat.pendingToolCalls.value).toHaveLength(1)
    },
  )

  it.each(ways)('running: execute or onToolCall runs (%s)', async (_, by) => {
    let done = false
    const { seen } = await live(async () => {
      await quiet(1)
      done = true
      return 1
    }, by)
    expect(done).toBe(true)
    expect(seen.map(({ state }) => state).slice(3)).toEqual([
      'streaming',
      'pending',
      'running',
      'result',
    ])
  })

  it.each(ways)('result: result holds the value that was returned (%s)', async (_, by) => {
    const { seen } = await live(() => ({ temp: [7, 9] }), by)
    expect(seen.at(-1)).toEqual({ state: 'result', args: whole, result: { temp: [7, 9] } })
  })

  it.each(ways)('error: the tool threw an error, its text is in error (%s)', async (_, by) => {
    const { seen } = await live(() => {
      throw new Error('out of order')
    }, by)
    expect(seen.at(-1)).toEqual({ state: 'error', args: whole, error: 'out of order' })
    expect(seen.at(-2)?.state).toBe('running')
  })
})
