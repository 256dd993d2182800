import { takeArgs } from './json'
import { takeRest, takeUntil } from './text'
import type { ToolCallDialect } from './types'

const start = '<|start|>'
const channel = '<|channel|>'
const recipient = 'to=functions.'
const ends = ['<|end|>', '<|return|>', '<|call|>']

/**
 * The channels of Harmony, the format of gpt-oss: `analysis` is reasoning, what goes `to=functions.get_weather` is a
 * call, anything else is shown.
 */
export const harmony: ToolCallDialect = {
  name: 'harmony',
  open: /* @__PURE__ */ (() =>
    Object.fromEntries([recipient, start, channel, ...ends].map((word) => [word, ''])))(),
  *read(input, open, space) {
    if (ends.includes(open)) return true
    // The prompt may end with the beginning of a header.
    if (open === recipient) {
      if (!input.isFirst || space) return undefined
      while (!input.isLast && /^[^\s<]{0,200}\s{0,9}(<\|?\w{0,20}\|?)?$/.test(input.text)) yield
      if (!/^[^\s<]+\s*<\|\w+\|>/.test(input.text)) return undefined
    }
    let header = open
    const found = yield* takeUntil(input, ['<|message|>'], (text) => (header += text))
    // Without a message it was a text about the format, or one that was cut.
    if (!found) {
      if (!input.isWhole && !space) return false
      input.rewind()
      input.show(open + space)
      yield* takeRest(input, (text) => input.show(text))
      return true
    }
    const name = /\bto=(?:functions\.)?([^\s<]+)/.exec(header)?.[1]
    const isReasoning = !name && /\banalysis\b/.test(header)
    // To the assistant go results of tools, which a model may make up.
    const isRead = !name || name === 'assistant' || (yield* takeArgs(input, name))
    const end = yield* takeUntil(input, [...ends, start, channel], (text) => {
      if (!name) input.show(text, isReasoning ? 'reasoning-delta' : 'text-delta')
    })
    if (!ends.includes(end)) input.unread(end)
    return isRead
  },
}
