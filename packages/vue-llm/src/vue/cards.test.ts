import { cardProvider, countCards } from '#test/countCards'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../core'
import { streamedToolCall, toolCall } from '../testing'

const names = ['mapped', 'slot', 'nested', 'shown', 'asking']
const calls = names.map((name) => toolCall(name, { city: 'Oslo' }, name))

describe('cards', { timeout: 60_000 }, () => {
  it('render zero times while 5,000 pieces of text stream below them', async () => {
    const counts = await countCards(cardProvider(calls, 5000))
    expect(Object.keys(counts.before).toSorted()).toEqual(names.toSorted())
    expect(counts.after).toEqual(counts.before)
    expect(counts.textWrites).toBeGreaterThan(3)
    expect(counts.shown).toContain('x'.repeat(5000))
    for (const name of names) expect(counts.shown).toContain(name)
  })

  it.each(['mapped', 'slot', 'nested'])(
    'render at most once per write while their arguments stream: %s',
    async (name) => {
      const args = { city: 'Oslo', days: Array.from({ length: 300 }, (_, day) => ({ day })) }
      const chunks = [
        ...streamedToolCall(name, args, name).map((chunk): Chunk => ({
          ...chunk,
          toolCallId: name,
        })),
        ...calls.slice(3),
      ]
      const counts = await countCards(cardProvider(chunks, 10))
      expect(counts.argsWrites).toBeGreaterThan(5)
      expect(counts.before[name]).toBeGreaterThan(5)
      expect(counts.before[name]).toBeLessThanOrEqual(counts.argsWrites + 1)
      expect(counts.shown).toContain('{"day":299}')
    },
  )
})
