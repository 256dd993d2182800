import { afterEach, describe, expect, it } from 'vitest'
import { createPartialArgs } from './partialArgs'

const { charCodeAt, slice } = String.prototype
const { parse } = JSON

afterEach(() => {
  Object.assign(String.prototype, { charCodeAt, slice })
  JSON.parse = parse
})

/** The steps of the parser: characters that it looks at, and those that it copies or has read by `JSON.parse`. */
function steps(text: string, size: number): number {
  let count = 0
  // Cut before, so that cutting is not counted.
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
  // By hand: a spy would keep each of millions of calls.
  Object.assign(String.prototype, {
    charCodeAt(this: string, index: number) {
      count++
      return charCodeAt.call(this, index)
    },
    slice(this: string, from?: number, to?: number) {
      const piece = slice.call(this, from, to)
      count += piece.length
      return piece
    },
  })
  JSON.parse = (json: string) => {
    count += json.length
    return parse(json) as unknown
  }
  const args = createPartialArgs()
  let looks: unknown
  for (const piece of pieces) {
    args.push(piece)
    looks = args.value
  }
  const end = args.end(text)
  Object.assign(String.prototype, { charCodeAt, slice })
  JSON.parse = parse
  expect(end).toEqual({ args: parse(text) })
  expect(looks).toBeDefined()
  return count
}

const rows = (bytes: number) => ({
  title: 'Report',
  items: Array.from({ length: bytes / 100 }, (_, id) => ({
    id,
    name: `row ${id}`,
    note: 'a "quoted" word,\nsüß \u{1F600}',
    at: { x: id / 8, y: [1, 2] },
  })),
})
const keys = (bytes: number) =>
  Object.fromEntries(Array.from({ length: bytes / 16 }, (_, i) => [`key${10_000 + i}`, i]))
const numbers = (bytes: number) => ({
  values: Array.from({ length: bytes / 6 }, (_, i) => 1e4 + i),
})

describe('the steps of the parser', { timeout: 60_000 }, () => {
  it.each([
    ['arguments of 2 MB in pieces of 16', rows, 2_000_000, 16],
    ['arguments of 500 kB one character at a time', rows, 500_000, 1],
    ['an object of 20,000 keys in pieces of 16', keys, 320_000, 16],
    ['an object of 20,000 keys in pieces of 1,200', keys, 320_000, 1200],
    ['a flat list of numbers in pieces of 1,200', numbers, 1_000_000, 1200],
    ['a flat list of numbers in pieces of 16', numbers, 1_000_000, 16],
  ])('are a few for each character, however many there are: %s', (_, make, bytes, size) => {
    const small = JSON.stringify(make(bytes / 10))
    const large = JSON.stringify(make(bytes))
    const each = steps(large, size) / large.length
    expect(each).toBeGreaterThan(0.9)
    expect(each).toBeLessThan(4)
    expect(each / (steps(small, size) / small.length)).toBeLessThan(1.05)
  })

  it('are bounded for one long string, which is shown as it grows', () => {
    const text = JSON.stringify({ text: 'lorem ipsum '.repeat(40_000) })
    expect(steps(text, 16) / text.length).toBeLessThan(2.5)
  })
})
