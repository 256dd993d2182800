import { heapInUse } from '#test/collectGarbage'
import { expect, it } from 'vitest'
import { readText } from './readBody'

it('a body in many tiny pieces takes up little more than its bytes', async () => {
  const count = 100_000
  const before = await heapInUse()
  let during = 0
  let given = 0
  const read = async () => {
    if (given++ < count) return { value: new Uint8Array([0x78]) }
    during = await heapInUse()
    return {}
  }
  const request = {
    method: 'POST',
    bodyUsed: false,
    headers: new Headers(),
    body: { getReader: () => ({ read, cancel: async () => {} }) },
  }
  const text = await readText(request, count, new AbortController().signal)
  expect(text).toBe('x'.repeat(count))
  expect(during - before).toBeLessThan(4e6)
})
