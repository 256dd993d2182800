import { describe, expect, it } from 'vitest'
import { joinDelta } from './joinDelta'
import type { Chunk } from './types'

function join(...deltas: Chunk[]): Chunk[] {
  const joined: Chunk[] = []
  for (const delta of deltas) if (!joinDelta(joined.at(-1), delta)) joined.push(delta)
  return joined
}

describe('deltas of one text become one', () => {
  it.each<[string, Chunk[], Chunk[]]>([
    [
      'text',
      [
        { type: 'text-delta', text: 'a' },
        { type: 'text-delta', text: 'b' },
      ],
      [{ type: 'text-delta', text: 'ab' }],
    ],
    [
      'arguments of one call',
      [
        { type: 'tool-call-delta', toolCallId: 'x', argsText: '{' },
        { type: 'tool-call-delta', toolCallId: 'x', argsText: '}' },
      ],
      [{ type: 'tool-call-delta', toolCallId: 'x', argsText: '{}' }],
    ],
    [
      'text with what the wire wants back: merged, as into the part',
      [
        { type: 'reasoning-delta', text: 'a', providerMetadata: { w: 1 } },
        { type: 'reasoning-delta', text: 'b' },
        { type: 'reasoning-delta', text: 'c', providerMetadata: { w: 2, v: 3 } },
      ],
      [{ type: 'reasoning-delta', text: 'abc', providerMetadata: { w: 2, v: 3 } }],
    ],
  ])('%s', (_what, deltas, expected) => {
    expect(join(...deltas)).toEqual(expected)
  })
})

describe('what does not belong together stays apart', () => {
  it.each<[string, Chunk, Chunk]>([
    ['types', { type: 'text-delta', text: 'a' }, { type: 'reasoning-delta', text: 'b' }],
    ['ids', { type: 'text-delta', text: 'a', id: '1' }, { type: 'text-delta', text: 'b', id: '2' }],
    [
      'calls',
      { type: 'tool-call-delta', toolCallId: 'x', argsText: '1' },
      { type: 'tool-call-delta', toolCallId: 'y', argsText: '2' },
    ],
    ['no deltas', { type: 'source', url: 'a' }, { type: 'source', url: 'a' }],
  ])('%s', (_what, first, second) => {
    expect(join(first, second)).toHaveLength(2)
  })
})
