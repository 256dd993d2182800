import { describe, expect, it } from 'vitest'
import { closingText } from './calls'
import { resultText, toolOutput } from './toolOutput'
import type { AnyTool, ToolCallPart } from './types'

const call = (more: Partial<ToolCallPart>): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: 'a',
  toolName: 't',
  args: {},
  argsText: '{}',
  state: 'result',
  step: 0,
  ...more,
})

describe('what the model reads of a call', () => {
  it.each([
    ['a string as it is', 'sunny "today"', 'sunny "today"'],
    ['an empty string as it is', '', ''],
    ['an object as JSON', { a: [1] }, '{"a":[1]}'],
    ['a number as JSON', 0, '0'],
    ['false as JSON', false, 'false'],
    ['null as JSON', null, 'null'],
    ['undefined as null', undefined, 'null'],
    ['a date as JSON', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('%s', (_rule, result, text) => {
    expect(toolOutput(call({ result }))).toBe(text)
    expect(resultText(result)).toBe(text)
  })

  it('tells the model that a person declined, with the reason', () => {
    const declined = (error: string) =>
      toolOutput(call({ state: 'error', errorCode: 'declined', error }))
    expect(declined('declined by the user')).toBe('Error: declined by the user')
    expect(declined('too dear')).toBe('Error: declined by the user: too dear')
  })

  it('an error with Error: before it', () => {
    expect(toolOutput(call({ state: 'error', error: 'no such city' }))).toBe('Error: no such city')
  })

  it.each(['streaming', 'pending', 'running'] as const)(
    'of a call that is still %s, that no answer was given',
    (state) => {
      expect(toolOutput(call({ state }))).toBe(`Error: ${closingText.unanswered}`)
    },
  )

  it('what toModelOutput of the tool makes of the result: text or parts', () => {
    const parts = [{ type: 'file', mediaType: 'image/png', data: 'x' }] as const
    const tools: AnyTool[] = [
      { name: 'u', toModelOutput: () => 'not mine' },
      { name: 't', toModelOutput: (result) => (result === 1 ? 'one' : parts) },
    ]
    expect(toolOutput(call({ result: 1 }), tools)).toBe('one')
    expect(toolOutput(call({ result: 2 }), tools)).toEqual(parts)
    expect(toolOutput(call({ state: 'error', error: 'x' }), tools)).toBe('Error: x')
  })

  it('an error where toModelOutput throws', () => {
    const toModelOutput = () => {
      throw new Error('no image')
    }
    expect(toolOutput(call({ result: 1 }), [{ name: 't', toModelOutput }])).toBe('Error: no image')
  })

  it.each([
    ['a function', () => 1, /^a function can't be sent/],
    ['a symbol', Symbol('x'), /^a symbol can't be sent/],
    ['a bigint', 1n, /BigInt/],
  ])('nothing of %s: it is a TypeError that says so', (_what, result, message) => {
    expect(() => resultText(result)).toThrow(TypeError)
    expect(() => resultText(result)).toThrow(message)
  })
})
