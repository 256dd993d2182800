import { describe, expect, it } from 'vitest'
import type { AnyTool, UseChatOptions } from 'vue-llm'
import { allCalls, chatOn, quiet, textsOf, toolMessages, until } from './chatOn'
import { callRound, type Round } from './strictServer'

const tools: AnyTool[] = [{ name: 'ask' }, { name: 'approve' }]
const one = callRound(['call_1', 'ask', { question: 'Delete it?' }])
const two = callRound(['call_1', 'ask'], ['call_2', 'approve'])

/** A chat that has paused at the calls of its first round. */
async function paused(rounds: readonly Round[], options: Partial<UseChatOptions> = {}) {
  const chat = await chatOn(rounds, { tools, ...options })
  await chat.sendMessage('go')
  expect(chat.server.requests).toHaveLength(1)
  return chat
}

describe('human in the loop', () => {
  it.each<[string, Partial<UseChatOptions>]>([
    ['no execute, and no onToolCall', {}],
    ['no execute, and an onToolCall that returns undefined', { onToolCall: () => undefined }],
    ['no execute, and an async onToolCall that returns nothing', { onToolCall: async () => {} }],
  ])('a call that got no result (%s) pauses the chat in state pending', async (_, options) => {
    const chat = await paused([one], options)
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      { state: 'pending', toolCallId: 'call_1', args: { question: 'Delete it?' } },
    ])
    expect(chat.pendingToolCalls.value).toEqual(allCalls(chat))
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(chat.server.requests).toHaveLength(1)
  })

  it.each([
    [
      'a result',
      { result: { approved: true } },
      '{"approved":true}',
      { state: 'result', result: { approved: true } },
    ],
    [
      'an error',
      { error: 'The user declined' },
      'Error: The user declined',
      { state: 'error', error: 'The user declined' },
    ],
  ] as const)('addToolResult ends it with %s', async (_, answer, sent, shown) => {
    const { addToolResult, ...chat } = await paused([one, ['as you wish']])
    const [{ toolCallId } = { toolCallId: '' }] = chat.pendingToolCalls.value
    expect(await addToolResult({ toolCallId, ...answer })).toBe(true)
    expect(allCalls(chat)).toMatchObject([shown])
    expect(chat.pendingToolCalls.value).toEqual([])
    await until(() => chat.status.value === 'ready')
    expect(toolMessages(chat.server.requests[1])).toEqual([['call_1', sent]])
    expect(textsOf(chat)).toEqual(['go', 'as you wish'])
  })

  it('when no call waits any more, the chat sends the results and goes on', async () => {
    const chat = await paused([two, ['thanks']])
    await chat.addToolResult({ toolCallId: 'call_2', result: 'second' })
    await quiet()
    expect(chat.server.requests).toHaveLength(1)
    expect(chat.pendingToolCalls.value.map(({ toolCallId }) => toolCallId)).toEqual(['call_1'])
    expect(chat.status.value).toBe('ready')
    await chat.addToolResult({ toolCallId: 'call_1', error: 'no' })
    await until(() => chat.status.value === 'ready')
    await quiet()
    expect(chat.server.requests).toHaveLength(2)
    expect(chat.server.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    // In the order of the calls, not of the answers.
    expect(toolMessages(chat.server.requests[1])).toEqual([
      ['call_1', 'Error: no'],
      ['call_2', 'second'],
    ])
    expect(textsOf(chat)).toEqual(['go', 'thanks'])
  })

  it('a call that runs by itself beside one that waits: one follow-up, after the answer', async () => {
    const chat = await paused([two, ['thanks']], {
      tools: [{ name: 'ask' }, { name: 'approve', execute: () => 'by itself' }],
    })
    expect(allCalls(chat).map(({ state }) => state)).toEqual(['pending', 'result'])
    await chat.addToolResult({ toolCallId: 'call_1', result: 'yes' })
    await until(() => textsOf(chat)[1] === 'thanks')
    expect(toolMessages(chat.server.requests[1])).toEqual([
      ['call_1', 'yes'],
      ['call_2', 'by itself'],
    ])
  })

  it('autoSendToolResults: false only records the result', async () => {
    const chat = await paused([two, ['thanks']], { autoSendToolResults: false })
    await chat.addToolResult({ toolCallId: 'call_1', result: 'yes' })
    expect(await chat.addToolResult({ toolCallId: 'call_2', error: 'no' })).toBe(true)
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      { state: 'result', result: 'yes' },
      { state: 'error', error: 'no' },
    ])
    expect([chat.status.value, chat.server.requests.length]).toEqual(['ready', 1])
    await chat.sendMessage()
    expect(toolMessages(chat.server.requests[1])).toEqual([
      ['call_1', 'yes'],
      ['call_2', 'Error: no'],
    ])
    expect(textsOf(chat)).toEqual(['go', 'thanks'])
    expect(chat.server.requests).toHaveLength(2)
  })

  it('a new message instead of an answer: the model gets the unanswered calls marked so', async () => {
    const chat = await paused([two, ['never mind, then']])
    await chat.addToolResult({ toolCallId: 'call_1', result: 'yes' })
    await chat.sendMessage('forget it')
    expect(chat.server.requests).toHaveLength(2)
    expect(chat.server.requests[1]?.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'yes' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Error: no answer was given' },
      { role: 'user', content: 'forget it' },
    ])
    expect(allCalls(chat)).toMatchObject([
      { state: 'result' },
      { state: 'error', errorCode: 'unanswered' },
    ])
    expect(textsOf(chat)).toEqual(['go', '', 'forget it', 'never mind, then'])
  })
})

describe('maxToolRoundtrips', () => {
  it.each([
    [5, 'by default', {}],
    [3, 'when set to 3', { maxToolRoundtrips: 3 }],
    [0, 'when set to 0', { maxToolRoundtrips: 0 }],
  ] as const)(
    'limits how often the model may call tools for one message: %d times %s',
    async (limit, _name, options) => {
      let count = 0
      const calling = (id: string) => callRound([`${id}_a`, 'count'], [`${id}_b`, 'count'])
      const rounds = Array.from({ length: limit + 1 }, (_round, index) => calling(`call_${index}`))
      // The next message has all its rounds again.
      const chat = await chatOn([...rounds, callRound(['call_x', 'count']), ['done']], {
        tools: [{ name: 'count', execute: () => ++count }],
        ...options,
      })
      await chat.sendMessage('go')
      await quiet()
      expect(chat.server.requests).toHaveLength(limit + 1)
      expect(count).toBe(2 * limit)
      const calls = allCalls(chat)
      expect(calls.slice(0, -2).every(({ state }) => state === 'result')).toBe(true)
      const limited = { state: 'error', errorCode: 'limit', error: 'tool round limit reached' }
      expect(calls.slice(-2)).toMatchObject([limited, limited])
      expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
      expect(chat.messages.value).toHaveLength(2)
      await chat.sendMessage('again')
      expect(count).toBe(2 * limit + (limit ? 1 : 0))
      expect(chat.server.requests).toHaveLength(limit + (limit ? 3 : 2))
    },
  )

  it('the last round may answer in words', async () => {
    const rounds = [callRound(['call_1', 't']), callRound(['call_2', 't']), ['enough']]
    const chat = await chatOn(rounds, {
      tools: [{ name: 't', execute: () => 1 }],
      maxToolRoundtrips: 2,
    })
    await chat.sendMessage('go')
    expect(textsOf(chat)).toEqual(['go', 'enough'])
    expect(allCalls(chat).map(({ state }) => state)).toEqual(['result', 'result'])
  })
})
