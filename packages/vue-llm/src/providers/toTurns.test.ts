import { describe, expect, it } from 'vitest'
import { normaliseMessages, type MessageInput } from '../core'
import { toTurns } from './toTurns'

const call = (toolCallId: string, step = 0, providerExecuted = false) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName: 'look',
  args: {},
  state: 'result' as const,
  result: 1,
  step,
  ...(providerExecuted && { providerExecuted }),
})
const text = (value: string, step = 0) => ({ type: 'text' as const, text: value, step })

/** Turns in short: `user: a|b`, `assistant: text|id`. */
function short(inputs: MessageInput[]): string[] {
  const steps = Array.from({ length: 4 }, () => ({ finishReason: 'other' as const }))
  const messages = normaliseMessages(inputs.map((input) => ({ steps, ...input })))
  const turns = toTurns(messages, (part) => part.type === 'text')
  return turns.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-call' ? part.toolCallId : part.type
    })
    return `${role}: ${words.join('|')}`
  })
}

describe('toTurns', () => {
  it('makes one turn of each round with calls', () => {
    const parts = [
      text('look'),
      call('a'),
      call('b'),
      text('again', 1),
      call('c', 1),
      text('so', 2),
    ]
    expect(
      short([
        { role: 'user', content: 'hi' },
        { role: 'assistant', parts },
      ]),
    ).toEqual(['user: hi', 'assistant: look|a|b', 'assistant: again|c', 'assistant: so'])
  })

  it('joins neighbours of one role', () => {
    const inputs: MessageInput[] = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'assistant', parts: [text('d'), call('e')] },
      { role: 'assistant', content: 'f' },
    ]
    expect(short(inputs)).toEqual(['user: a|b', 'assistant: c|d|e', 'assistant: f'])
  })

  it('joins a round without calls to the one after it', () => {
    const parts = [text('a', 0), text('b', 1), call('c', 1)]
    expect(short([{ role: 'assistant', parts }])).toEqual(['assistant: a|b|c'])
  })

  it('skips an assistant with nothing to send, so that its neighbours join', () => {
    const inputs: MessageInput[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, text('')] },
      { role: 'assistant', parts: [] },
      { role: 'user', content: 'b' },
    ]
    expect(short(inputs)).toEqual(['user: a|b'])
  })

  it('leaves out calls that the side of the model ran itself', () => {
    const parts = [text('a'), call('x', 0, true), text('b')]
    expect(short([{ role: 'assistant', parts }])).toEqual(['assistant: a|b'])
  })

  it('keeps files of a user and nothing else of theirs but text', () => {
    const parts: MessageInput['parts'] = [
      { type: 'file', mediaType: 'image/png', data: 'AA' },
      { type: 'data', name: 'n', data: 1 },
      { type: 'text', text: 'what is it' },
    ]
    expect(short([{ role: 'user', parts }])).toEqual(['user: file|what is it'])
  })

  it('lists the calls of a turn in order', () => {
    const messages = normaliseMessages([{ role: 'assistant', parts: [call('a'), call('b')] }])
    const [turn] = toTurns(messages, () => true)
    expect(turn?.role === 'assistant' && turn.calls.map((one) => one.toolCallId)).toEqual([
      'a',
      'b',
    ])
  })
})
