import { describe, expect, it } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { defineTool, type Chunk } from '../core'
import { createScriptedProvider, finish, text, toolCall } from '../testing'
import { createLLMSocket, type LLMSocketOptions } from './createLLMSocket'
import type { SocketEvent } from './socketEvents'

const getWeather = defineTool({
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => `18 degrees in ${city}`,
})

type Script = Parameters<typeof createScriptedProvider>[0]

/** The events of one turn. */
async function play(script: Script, more: Partial<LLMSocketOptions> = {}): Promise<SocketEvent[]> {
  const events: SocketEvent[] = []
  const socket = createLLMSocket({
    provider: createScriptedProvider(script),
    model: 'm',
    tools: [getWeather],
    send: (frame) => void events.push(JSON.parse(frame)),
    ...more,
  })
  socket.receive('{"type":"user_text","text":"weather?"}')
  await expect.poll(() => events.at(-1)?.type).toBe('assistant_end')
  return events
}

const calls = (...chunks: Chunk[]) => [...chunks, finish('tool-calls')]

describe('a call that can not run is told of with what is wrong', () => {
  it.each([
    ['an unknown tool', toolCall('get_time', { zone: 'CET' }), "unknown tool 'get_time'"],
    ['arguments that do not fit', toolCall('get_weather', { city: 5 }), 'city'],
  ])('%s', async (_what, call, problem) => {
    const events = await play([calls(call), 'Sorry.'])
    const { toolName: name, args } = call
    expect(events).toMatchObject([
      { type: 'tool_call', name, arguments: args },
      { type: 'tool_result', name, error: expect.stringContaining(problem) },
      { type: 'assistant_delta', text: 'Sorry.' },
      { type: 'assistant_end' },
    ])
    expect(events[0]).toHaveProperty('id', (events[1] as { id: string }).id)
  })
})

it('a call over the limit is not run, and not told of', async () => {
  const round = calls(toolCall('get_weather', { city: 'Paris' }))
  const events = await play([round, round, round], { maxToolRoundtrips: 2 })
  expect(events.map(({ type }) => type)).toEqual([
    'tool_call',
    'tool_result',
    'tool_call',
    'tool_result',
    'assistant_end',
  ])
})

it.each([
  ['is cut', finish('truncated')],
  ['ends in an error that it does not name', finish('error')],
])('an answer that %s has one error before its end', async (_what, end) => {
  expectWarning(/provider: the provider closed the answer/)
  expect(await play([[text('so far'), end]])).toEqual([
    { type: 'assistant_delta', text: 'so far' },
    { type: 'error', message: 'the server could not answer' },
    { type: 'assistant_end' },
  ])
})
