import { describe, expect, it } from 'vitest'
import { createScriptedProvider, finish, text, toolCall, type Script } from '../testing'
import { createMessage } from './message'
import { runChat, type RunChatOptions } from './runChat'
import type { Chunk, Message } from './types'

async function play(script: Script, options: Partial<RunChatOptions> = {}) {
  const provider = createScriptedProvider(script, { remote: true })
  const messages: Message[] = [createMessage('user', { content: 'x' })]
  const run = { provider, messages, request: { model: 'm' }, ...options }
  for await (const _ of runChat(run));
  return { messages: run.messages, requests: provider.requests, last: run.messages.at(-1) }
}

const own = { tools: [{ name: 'look', execute: () => 1 }] }
const data: Chunk = { type: 'data', name: 'plan', data: 1 }

describe('a call of this side in an answer of several rounds', () => {
  it.each<[string, Chunk[]]>([
    ['data', [data]],
    ['a second step-end', [finish('stop')]],
    ['its own end once more', [{ type: 'tool-call-end', toolCallId: 'a' }]],
    ['its own start once more', [{ type: 'tool-call-start', toolCallId: 'a', toolName: 'look' }]],
    ['the whole call once more', [toolCall('look', {}, 'a')]],
    ['a delta for it', [{ type: 'tool-call-delta', toolCallId: 'a', argsText: '{}' }]],
    ['metadata', [{ type: 'metadata', metadata: { a: 1 } }]],
  ])('is followed up, though %s comes after its round', async (_, after) => {
    const script = [[toolCall('look', {}, 'a'), finish('tool-calls'), ...after], 'done']
    const { last, requests } = await play(script, own)
    expect(requests).toHaveLength(2)
    expect(last?.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(last?.parts.filter(({ type }) => type === 'text')).toHaveLength(1)
    for (const part of last?.parts ?? []) expect(part.step).toBeLessThan(2)
  })

  it('still ends with an error that comes after its round', async () => {
    const error: Chunk = { type: 'error', code: 'provider', message: 'no' }
    const { last, requests } = await play(
      [[toolCall('look', {}, 'a'), finish('tool-calls'), error]],
      own,
    )
    expect(requests).toHaveLength(1)
    expect(last?.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'error'])
  })
})

describe('step-reset', () => {
  it('removes nothing that an earlier request brought', async () => {
    const script = [
      [toolCall('look', {}, 'a'), finish('tool-calls')],
      [{ type: 'step-reset' } as const, text('done'), finish()],
    ]
    const { last } = await play(script, own)
    expect(last?.parts).toMatchObject([{ state: 'result' }, { text: 'done' }])
    expect(last?.steps).toHaveLength(2)
  })

  it('removes a round of the same answer, closed or not', async () => {
    const reset = { type: 'step-reset' } as const
    const script = [[text('a'), reset, text('b'), finish(), reset, text('c'), finish()]]
    const { last } = await play(script)
    expect(last?.parts).toMatchObject([{ text: 'c', step: 0 }])
    expect(last?.steps).toHaveLength(1)
  })
})

describe('prepareStep', () => {
  it('leaves alone what it gives as undefined', async () => {
    const prepareStep = () => ({ model: undefined }) as object
    const { requests } = await play(['done'], { prepareStep })
    expect(requests[0]?.model).toBe('m')
  })
})

it.each([
  ['one tool', { name: 'look' }],
  ['an object of tools', { look: { name: 'look' } }],
  ['a function', () => []],
])('tools that are %s in place of a list are a misuse, and nothing is asked', async (_, tools) => {
  const failures: unknown[] = []
  const { requests } = await play(['done'], {
    tools: tools as never,
    onError: (error) => failures.push(error),
  })
  expect(requests).toEqual([])
  expect(failures).toMatchObject([{ code: 'misuse', message: 'tools must be an array' }])
})
