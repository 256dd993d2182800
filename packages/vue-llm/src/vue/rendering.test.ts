import { countRenders } from '#test/countRenders'
import { describe, expect, it } from 'vitest'
import type { Chunk, Provider } from '../core'

/** Yields its chunks one at a time, with a break of one macrotask after every `pause` of them. */
function slowly(chunks: Iterable<Chunk>, pause = 25): Provider {
  return {
    name: 'slow',
    async *stream() {
      let count = 0
      for (const chunk of chunks) {
        yield chunk
        if (++count % pause === 0) await new Promise((resolve) => setTimeout(resolve))
      }
    },
  }
}

function* deltas(count: number): Generator<Chunk> {
  for (let i = 0; i < count; i++) yield { type: 'text-delta', text: `${i % 10}` }
}

describe('rendering', { timeout: 60_000 }, () => {
  it('touches no earlier message, the list twice, the growing part once per flush', async () => {
    const counts = await countRenders(slowly(deltas(5000), 100), 1000)
    expect(counts.earlier).toBe(0)
    expect(counts.list).toBeLessThanOrEqual(3)
    expect(counts.frames).toBeGreaterThan(3)
    // The first delta mounts it; the end of the round writes once more.
    expect(counts.writes).toBeLessThanOrEqual(counts.frames + 3)
    expect(counts.growing).toBeLessThanOrEqual(counts.writes)
    expect(counts.stale).toEqual([])
    expect(counts.shown).toBe(`done: ${'0123456789'.repeat(500)}`)
  })

  it('never shows stale arguments or states in a child that has only the part', async () => {
    const args = { city: 'Oslo', days: Array.from({ length: 200 }, (_, day) => ({ day })) }
    const pieces = JSON.stringify(args).match(/.{1,7}/g) ?? []
    const provider = slowly(
      [
        { type: 'tool-call-start', toolCallId: 'c', toolName: 'get_weather' },
        ...pieces.map((argsText): Chunk => ({
          type: 'tool-call-delta',
          toolCallId: 'c',
          argsText,
        })),
        { type: 'tool-call-end', toolCallId: 'c' },
        { type: 'tool-start', toolCallId: 'c' },
        { type: 'tool-result', toolCallId: 'c', result: { temp: 7 } },
      ],
      5,
    )
    const counts = await countRenders(provider, 10)
    expect(counts.earlier).toBe(0)
    expect(counts.frames).toBeGreaterThan(3)
    expect(counts.growing).toBeLessThanOrEqual(counts.writes)
    expect(counts.stale).toEqual([])
    expect(counts.shown).toBe(`result: ${JSON.stringify(args)} {"temp":7}`)
  })

  it('draws each chunk by itself with throttleMs: 0, and shows what came', async () => {
    const counts = await countRenders(slowly(deltas(30), 1), 3, { throttleMs: 0 })
    expect(counts).toMatchObject({ earlier: 0, frames: 0, stale: [], writes: 31 })
    expect(counts.growing).toBeGreaterThanOrEqual(29)
  })
})
