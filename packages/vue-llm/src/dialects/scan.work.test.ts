import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AnyTool } from '../core'
import { deepseek, glm, harmony, hermes, kimi, mistral, qwen } from './index'
import { createTextScan } from './scan'
import { think } from './think'

const tools: AnyTool[] = [
  {
    name: 'f',
    parameters: { type: 'object', properties: { x: { type: 'string' }, list: { type: 'array' } } },
  },
  { name: 'get' },
]
const dialects = [think, qwen, hermes, glm, mistral, kimi, deepseek, harmony]
const begin = '<tool_call>\n<function=f>\n<parameter=x>\n'
const end = '\n</parameter>\n</function>\n</tool_call>'

/** Texts that grow by repeating something; each was quadratic in some reader of such texts, or could be. */
const texts: [about: string, unit: string, before?: string, after?: string][] = [
  ['words', 'some words here. '],
  ['lone brackets', '<'],
  ['beginnings of a tag', '<tool_cal'],
  ['openers', '<tool_call>'],
  ['white space after an opener', ' ', '<tool_call>'],
  ['words after an opener', 'word ', '<tool_call>'],
  ['calls', `${begin}a${end}\n`],
  ['calls without an opener', '\n<function=f><parameter=x>a</function>'],
  ['calls without closers', '\n<function=f><parameter=x>a</tool_call>'],
  ['calls without closers before an opener', '\n<function=f><parameter=x>a</tool_call>', '', begin],
  ['a long value', 'word ', begin, end],
  ['a list', '1,', '<tool_call><function=f><parameter=list>[', `1]${end}`],
  ['closers of blocks in a value', '</tool_call>', begin, end],
  ['closers of blocks in a value without end', '</tool_call>', begin],
  ['closers of parameters in a value', '</parameter>', begin, end],
  ['closers with more in them in a value', '</parameter1>\n', begin, end],
  ['closers with more in them, and of functions', '</parameter1></function>\n', begin, end],
  ['parameters that the call has already', '</parameter>\n<parameter=x>\na\n', begin, end],
  ['closers of functions in a value', '</function>\n', begin, end],
  ['parameters that are not declared', '</parameter>\n<parameter=u>\na\n', begin, end],
  ['calls in a value', `${begin}a${end}`, begin, end],
  ['calls in a value without end', `${begin}a${end}`, begin],
  ['calls within calls', begin],
  ['calls within calls, on lines', `${begin}a\n`],
  ['a quote of Python', "\\'", "<tool_call><function=f><parameter=list>'", end],
  ['a long string', 'word ', '<tool_call>{"name":"f","arguments":{"x":"', '"}}</tool_call>'],
  ['a long string before the name', '\\"', '<tool_call>{"arguments":{"x":"', '"},"name":"f"}'],
  ['strings without end', '<tool_call>{"name":"f","arguments":{"x":"y}}</tool_call>'],
  ['keys', '"k":1,', '<tool_call>{', '"name":"f"}</tool_call>'],
  ['named calls of Mistral', '[TOOL_CALLS]get[ARGS]{}'],
  ['openers of Kimi', '<|tool_call_begin|>'],
  ['openers of Harmony', '<|channel|>'],
  ['closers in a value of GLM', '</arg_value>', '<tool_call>get<arg_key>x</arg_key><arg_value>'],
]

afterEach(() => {
  vi.restoreAllMocks()
})

/** How many characters are given to what looks through strings. */
function work(text: string, size: number): number {
  let count = 0
  const counted = <T extends object>(target: T, ...methods: (keyof T)[]): void => {
    for (const method of methods) {
      const original = target[method] as (this: unknown, ...values: unknown[]) => unknown
      vi.spyOn(target, method as never).mockImplementation(function (
        this: unknown,
        ...values: unknown[]
      ) {
        // A global pattern asks itself once for each match.
        const isAgain = this instanceof RegExp && this.global
        if (!isAgain) count += 1 + String(this instanceof RegExp ? values[0] : this).length
        return original.apply(this, values)
      } as never)
    }
  }
  const scan = createTextScan(
    { model: 'm', messages: [], tools, signal: new AbortController().signal },
    dialects,
  )
  counted(RegExp.prototype, 'exec', 'test')
  counted(String.prototype, 'search', 'replace', 'indexOf', 'trim', 'startsWith')
  for (let at = 0; at < text.length; at += size) {
    scan.feed({ type: 'text-delta', text: text.slice(at, at + size) })
    scan.chunks.length = 0
  }
  scan.end(true)
  vi.restoreAllMocks()
  return count
}

describe.each([
  ['one code unit at a time', 1],
  ['whole', Infinity],
])('reading %s costs twice as much for twice the text', (_, size) => {
  it.each(texts)('of %s', (_about, unit, before = '', after = '') => {
    const textOf = (length: number) => before + unit.repeat(length / unit.length) + after
    const once = work(textOf(8_000), size)
    const twice = work(textOf(16_000), size)
    expect(twice / once).toBeLessThan(2.3)
  })
})

describe('a text without marks', () => {
  const deltas = Array.from({ length: 2000 }, () => 'Some words, as they come.\n')

  it('is looked through once, and its chunks go on as they are', () => {
    const text = deltas.join('')
    // Once for an opener, and each line for white space at the beginning of a line.
    expect(work(text, 26)).toBeLessThan(2.2 * text.length)
    const scan = createTextScan(
      { model: 'm', messages: [], tools, signal: new AbortController().signal },
      dialects,
    )
    const passed = deltas.filter((delta) => scan.feed({ type: 'text-delta', text: delta }))
    expect(passed).toHaveLength(deltas.length - 1)
    expect(scan.chunks).toEqual([{ type: 'text-delta', text: deltas[0] }])
  })

  it('is held back again from an opener on', () => {
    const scan = createTextScan(
      { model: 'm', messages: [], tools, signal: new AbortController().signal },
      dialects,
    )
    const feed = (text: string) => scan.feed({ type: 'text-delta', text })
    const pieces = ['a', 'b', 'c <', 'd', 'e', 'f<tool_call>', 'g', 'h</tool_call>', 'i', 'j']
    expect(pieces.filter(feed)).toEqual(['b', 'e', 'i', 'j'])
    expect(scan.chunks.map((chunk) => 'text' in chunk && chunk.text)).toEqual(['ac <df'])
  })
})
