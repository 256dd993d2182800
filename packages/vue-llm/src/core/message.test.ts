import { describe, expect, it } from 'vitest'
import { closingText } from './calls'
import { createId, createMessage, normaliseMessages } from './message'
import type { Message, MessageInput, PartInput, ToolCallPart } from './types'

const call = (more: Partial<ToolCallPart> = {}) =>
  ({
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 't',
    args: {},
    state: 'pending',
    ...more,
  }) as const

/** One assistant message of those parts, normalised. */
function assistant(parts: PartInput[], more: Partial<MessageInput> = {}): Message {
  const [message] = normaliseMessages([{ role: 'assistant', parts, ...more }])
  if (!message) throw new Error('no message')
  return message
}

describe('createMessage', () => {
  it('makes an empty message with an id of its own and the time', () => {
    const before = Date.now()
    const [one, other] = [createMessage('assistant'), createMessage('assistant')]
    expect(one).toEqual({
      id: expect.stringMatching(/^msg_[a-z0-9]{16}/),
      role: 'assistant',
      parts: [],
      steps: [],
      createdAt: expect.any(Number),
    })
    expect(one.id).not.toBe(other.id)
    expect(one.createdAt).toBeGreaterThanOrEqual(before)
  })

  it('keeps what is given', () => {
    const given = { id: 'i', createdAt: 3, content: 'hi', metadata: { a: 1 } }
    expect(createMessage('user', given)).toEqual({
      id: 'i',
      role: 'user',
      parts: [{ type: 'text', text: 'hi', state: 'done', step: 0 }],
      steps: [],
      createdAt: 3,
      metadata: { a: 1 },
    })
  })

  it('puts content after the parts', () => {
    const message = createMessage('user', {
      content: 'what is it?',
      parts: [{ type: 'file', mediaType: 'image/png', url: 'u' }],
    })
    expect(message.parts.map(({ type }) => type)).toEqual(['file', 'text'])
  })
})

describe('createId', () => {
  it('begins as asked and does not repeat', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => createId('x_')))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^x_[a-z0-9]+$/)
  })
})

describe('normaliseMessages', () => {
  it('needs no steps, ids or dates', () => {
    expect(normaliseMessages([{ role: 'user', content: 'hi' }])).toEqual([
      {
        id: 'message-0',
        role: 'user',
        parts: [{ type: 'text', text: 'hi', state: 'done', step: 0 }],
        steps: [],
        createdAt: 0,
      },
    ])
  })

  it('gives ids by place, so that a server and a browser agree', () => {
    const inputs: MessageInput[] = [{ role: 'user' }, { role: 'user', id: 'x' }, { role: 'user' }]
    expect(normaliseMessages(inputs).map(({ id }) => id)).toEqual(['message-0', 'x', 'message-2'])
  })

  it('gives an assistant without steps one closed step', () => {
    expect(assistant([], { content: 'hi' }).steps).toEqual([{ finishReason: 'other' }])
    expect(assistant([call()]).steps).toEqual([{ finishReason: 'other' }])
    expect(assistant([]).steps).toEqual([{ finishReason: 'other' }])
  })

  it('gives a user no step', () => {
    const [message] = normaliseMessages([{ role: 'user', parts: [{ type: 'text', text: 'x' }] }])
    expect(message?.steps).toEqual([])
  })

  it('keeps steps that are closed, and closes a round that never was', () => {
    const steps = [{ finishReason: 'tool-calls' as const }]
    const closed: PartInput = { type: 'text', text: 'a', step: 0 }
    expect(assistant([closed], { steps }).steps).toEqual(steps)
    const message = assistant([closed, { type: 'text', text: 'b', step: 1 }], { steps })
    expect(message.steps).toEqual([...steps, { finishReason: 'other' }])
    expect(message.parts.map(({ step }) => step)).toEqual([0, 1])
  })

  it('closes a round in which something was streaming as truncated, with its calls', () => {
    const steps = [{ finishReason: 'tool-calls' as const }]
    const parts: PartInput[] = [
      call({ toolCallId: 'a', state: 'result', step: 0 }),
      call({ toolCallId: 'b', state: 'pending', step: 1 }),
      { type: 'text', text: 'Let m', state: 'streaming', step: 1 },
    ]
    const message = assistant(parts, { steps })
    expect(message.steps).toEqual([...steps, { finishReason: 'truncated' }])
    expect(message.parts).toMatchObject([
      { state: 'result' },
      { state: 'error', errorCode: 'cut' },
      { state: 'done' },
    ])
    expect(assistant([call({ state: 'streaming' })]).steps).toEqual([{ finishReason: 'truncated' }])
    const stale: PartInput[] = [
      { type: 'text', text: 'a', state: 'streaming', step: 0 },
      { type: 'text', text: 'b', step: 1 },
    ]
    expect(assistant(stale, { steps }).steps).toEqual([...steps, { finishReason: 'other' }])
  })

  it('puts parts of rounds that do not exist into the last', () => {
    expect(assistant([{ type: 'text', text: 'a', step: 7 }]).parts).toEqual([
      { type: 'text', text: 'a', state: 'done', step: 0 },
    ])
  })

  it.each(['text', 'reasoning'] as const)('ends a %s that was streaming', (type) => {
    expect(assistant([{ type, text: 'a', state: 'streaming' }]).parts).toEqual([
      { type, text: 'a', state: 'done', step: 0 },
    ])
  })

  it.each(['streaming', 'running'] as const)('closes a %s call as interrupted', (state) => {
    expect(assistant([call({ state })]).parts[0]).toMatchObject({
      state: 'error',
      errorCode: 'interrupted',
      error: closingText.interrupted,
    })
  })

  it('leaves a call of the last message to its person, and its approval', () => {
    const approval = { state: 'requested' } as const
    expect(assistant([call({ approval })]).parts[0]).toMatchObject({ state: 'pending', approval })
  })

  it('closes an open call of an earlier message as unanswered, and asks for it no more', () => {
    const approval = { state: 'requested' } as const
    const [first] = normaliseMessages([
      {
        role: 'assistant',
        parts: [call({ approval }), call({ toolCallId: 'b', state: 'running' })],
      },
      { role: 'user', content: 'never mind' },
    ])
    expect(first?.parts[0]).toMatchObject({
      state: 'error',
      errorCode: 'unanswered',
      error: closingText.unanswered,
    })
    expect(first?.parts[0]).not.toHaveProperty('approval')
    expect(first?.parts[1]).toMatchObject({ state: 'error', errorCode: 'interrupted' })
  })

  it('leaves closed calls as they are', () => {
    const parts = [
      call({ state: 'result', result: { a: 1 } }),
      call({ toolCallId: 'b', state: 'error', error: 'no', errorCode: 'timeout' }),
    ]
    expect(assistant(parts).parts).toEqual(
      parts.map((part) => ({ ...part, step: 0, argsText: '{}' })),
    )
  })

  it('completes the text of arguments, and makes what is no object an empty one', () => {
    expect(assistant([call({ args: { a: 1 } })]).parts[0]).toMatchObject({ argsText: '{"a":1}' })
    for (const args of [null, undefined, 'x', [1]]) {
      const part = assistant([call({ args: args as never })]).parts[0]
      expect(part).toMatchObject({ args: {}, argsText: '{}' })
      expect(part?.type === 'tool-call' && part.args).toEqual({})
    }
  })

  it('changes nothing of what it is given, down to the last field, and shares nothing that it may write', () => {
    const inputs: MessageInput[] = [
      {
        role: 'assistant',
        parts: [
          call({ state: 'running', args: { a: [1] }, approval: { state: 'requested' } }),
          { type: 'text', text: 'a', state: 'streaming', providerMetadata: { x: 1 } },
          { type: 'data', name: 'n', data: [1] },
        ],
        steps: [{ finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }],
        metadata: { a: 1 },
      },
      { role: 'user', content: 'hi' },
    ]
    const before = structuredClone(inputs)
    const once = normaliseMessages(inputs)
    expect(inputs).toEqual(before)
    expect(once[0]?.parts).not.toBe(inputs[0]?.parts)
    const frozen = JSON.parse(JSON.stringify(inputs), (_, value: unknown) => Object.freeze(value))
    expect(normaliseMessages(frozen as MessageInput[])).toEqual(once)
    expect(normaliseMessages(once)).toEqual(once)
  })
})
