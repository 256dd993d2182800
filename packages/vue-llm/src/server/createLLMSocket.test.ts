import { describe, expect, it } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { defineTool, LLMError, ToolError } from '../core'
import { createScriptedProvider, finish, toolCall } from '../testing'
import { createLLMSocket, type LLMSocketOptions } from './createLLMSocket'
import type { SocketEvent } from './socketEvents'

type Script = Parameters<typeof createScriptedProvider>[0]

const getWeather = defineTool({
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => `18 degrees in ${city}`,
})

const callWeather = [toolCall('get_weather', { city: 'Paris' }), finish('tool-calls')]

function open(script: Script, more: Partial<LLMSocketOptions> = {}) {
  const events: SocketEvent[] = []
  const provider = createScriptedProvider(script)
  const socket = createLLMSocket({
    provider,
    model: 'm',
    tools: [getWeather],
    send: (text) => void events.push(JSON.parse(text)),
    ...more,
  })
  const say = (text: string) => socket.receive(JSON.stringify({ type: 'user_text', text }))
  const ends = () => events.filter(({ type }) => type === 'assistant_end').length
  const turns = (count: number) => expect.poll(ends, { timeout: 5000 }).toBe(count)
  return { socket, say, events, provider, turns, types: () => events.map(({ type }) => type) }
}

describe('the events of a turn (42, 43, D33, guide §8)', () => {
  it('are the call, what came of it, the answer and the end, in this order', async () => {
    const { say, events, turns } = open([callWeather, 'It is mild.'])
    say("What's the weather in Paris?")
    await turns(1)
    expect(events).toEqual([
      {
        type: 'tool_call',
        name: 'get_weather',
        arguments: { city: 'Paris' },
        id: expect.any(String),
      },
      {
        type: 'tool_result',
        id: expect.any(String),
        name: 'get_weather',
        result: '18 degrees in Paris',
      },
      { type: 'assistant_delta', text: 'It is mild.' },
      { type: 'assistant_end' },
    ])
  })

  it('hold an error before the end, masked; the console is told', async () => {
    expectWarning(/\[vue-llm\] provider: key sk-123 refused$/)
    const { say, events, turns } = open([[new LLMError('http', 'key sk-123 refused')]])
    say('hi')
    await turns(1)
    expect(events).toEqual([
      { type: 'error', message: 'the server could not answer' },
      { type: 'assistant_end' },
    ])
  })

  it('tell of a tool that failed, masked unless it is a ToolError', async () => {
    expectWarning(/\[vue-llm\] tool 'get_weather': Error: password in the text/)
    const fail = (error: Error) =>
      defineTool({
        name: 'get_weather',
        execute() {
          throw error
        },
      })
    for (const [error, shown] of [
      [new Error('password in the text'), 'the tool failed'],
      [new ToolError('no such city'), 'no such city'],
    ] as const) {
      const { say, events, turns } = open([callWeather, 'Sorry.'], {
        tools: [fail(error)],
      })
      say('weather')
      await turns(1)
      expect(events[1]).toMatchObject({ type: 'tool_result', error: shown })
      expect(JSON.stringify(events)).not.toContain('password')
    }
  })
})

describe('a conversation', () => {
  it('lives as long as its socket', async () => {
    const { say, provider, turns } = open(['one', 'two'])
    say('first')
    await turns(1)
    say('second')
    await turns(2)
    const texts = provider.requests[1]?.messages.map(({ parts }) => parts[0])
    expect(texts).toMatchObject([{ text: 'first' }, { text: 'one' }, { text: 'second' }])
  })

  it('answers messages one after the other', async () => {
    const { say, events, turns } = open(['one', 'two'])
    say('first')
    say('second')
    await turns(2)
    expect(events.map((event) => ('text' in event ? event.text : event.type))).toEqual([
      'one',
      'assistant_end',
      'two',
      'assistant_end',
    ])
  })

  it('goes on after an error', async () => {
    const { say, types, turns } = open([[new LLMError('http', 'x')], 'two'], {
      onError: () => {},
    })
    say('first')
    say('second')
    await turns(2)
    expect(types()).toEqual(['error', 'assistant_end', 'assistant_delta', 'assistant_end'])
  })

  it('ends with its socket: the model is told, tools are told, nothing is sent', async () => {
    let aborted = false
    const slow = defineTool({
      name: 'get_weather',
      execute: (_args, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    })
    const { socket, say, types } = open([callWeather], { tools: [slow] })
    say('weather')
    say('and again')
    await expect.poll(types).toEqual(['tool_call'])
    socket.close()
    await expect.poll(() => socket.isBusy).toBe(false)
    say('too late')
    expect(aborted).toBe(true)
    expect(types()).toEqual(['tool_call'])
  })

  it('ends where the socket can not be written to', async () => {
    let sent = 0
    const { socket, say } = open(['one', 'two'], {
      send() {
        sent++
        throw new Error('gone')
      },
    })
    say('first')
    say('second')
    await expect.poll(() => socket.isBusy).toBe(false)
    expect(sent).toBe(1)
  })

  it('waits for a slow socket', async () => {
    let release = () => {}
    let sent = 0
    const { say } = open(['one'], {
      send: () => {
        sent++
        return new Promise<void>((resolve) => (release = resolve))
      },
    })
    say('first')
    await expect.poll(() => sent).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sent).toBe(1)
    release()
    await expect.poll(() => sent).toBe(2)
  })

  it('tells onFinish of each turn', async () => {
    const finished: unknown[] = []
    const { say, turns } = open([callWeather, 'Mild.'], {
      onFinish: ({ messages, isError }) => void finished.push([messages.length, isError]),
    })
    say('weather')
    await turns(1)
    expect(finished).toEqual([[2, false]])
  })

  it('gives onFinish the answer as it may be shown: errors masked', async () => {
    const finished: unknown[] = []
    const failing = defineTool({
      name: 'get_weather',
      execute() {
        throw new Error('password in the text')
      },
    })
    const { say, turns } = open([callWeather, 'Sorry.'], {
      tools: [failing],
      onFinish: ({ message }) => void finished.push(message),
      onError: () => {},
    })
    say('weather')
    await turns(1)
    expect(finished).toMatchObject([{ parts: [{ error: 'the tool failed' }, { text: 'Sorry.' }] }])
    expect(JSON.stringify(finished)).not.toContain('password')
  })
})

describe('frames that can not be taken', () => {
  it.each([
    ['binary', new Uint8Array([1, 2]), /binary/],
    ['no JSON', 'hello', /not JSON/],
    ['no object', '[1]', /unknown type/],
    ['an unknown type', '{"type":"resume"}', /unknown type/],
    ['no text', '{"type":"user_text"}', /no text/],
    ['an empty text', '{"type":"user_text","text":" "}', /no text/],
    ['too long', `{"type":"user_text","text":"${'x'.repeat(100)}"}`, /more than 60 characters/],
  ])('%s: an error, and the socket is still good', async (_what, frame, message) => {
    const { socket, say, events, turns } = open(['fine'], { maxFrameChars: 60 })
    socket.receive(frame)
    say('hello')
    await turns(1)
    expect(events[0]).toEqual({
      type: 'error',
      refused: true,
      message: expect.stringMatching(message),
    })
    expect(events.slice(1).map(({ type }) => type)).toEqual(['assistant_delta', 'assistant_end'])
  })

  it('more messages than may wait are refused', async () => {
    const { say, events, turns } = open(['one', 'two'], { maxQueued: 1 })
    say('first')
    say('second')
    say('third')
    await turns(2)
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(1)
  })

  it('a conversation over its length is refused', async () => {
    const { say, events, turns } = open(['one'], { maxMessages: 2 })
    say('first')
    await turns(1)
    say('second')
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'error' })
  })
})

it('a tool that needs approval is refused at once', () => {
  expect(() => open([], { tools: [{ ...getWeather, needsApproval: true }] })).toThrow(LLMError)
})
