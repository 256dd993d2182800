import { countRenders } from '#test/countRenders'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Chunk, Provider } from '../core'

afterEach(() => void vi.unstubAllGlobals())

/** Yields deltas one at a time, with a break of a macrotask after each ten. */
const deltas = (count: number): Provider => ({
  name: 'p',
  async *stream() {
    for (let index = 0; index < count; index++) {
      yield { type: 'text-delta', text: `${index % 10}` } satisfies Chunk
      if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 2))
    }
  },
})

describe('an answer in a hidden tab, where no frame comes', { timeout: 60_000 }, () => {
  it('is shown while it comes, and whole at its end', async () => {
    const asked: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => asked.push(callback))
    const counts = await countRenders(deltas(3000), 100)
    expect(asked.length).toBeGreaterThan(2)
    expect(counts.frames).toBe(0)
    // The first, one for each of the timers that took the place of a frame, the end.
    expect(counts.writes).toBeGreaterThan(3)
    expect(counts.writes).toBeLessThanOrEqual(asked.length + 3)
    expect(counts).toMatchObject({ earlier: 0, stale: [] })
    expect(counts.shown).toBe(`done: ${'0123456789'.repeat(300)}`)
    // The tab comes back: the frames that it was promised change nothing.
    for (const callback of asked) callback(0)
  })
})
