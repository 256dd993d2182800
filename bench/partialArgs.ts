import { createPartialArgs } from '../packages/vue-llm/src/core/partialArgs'
import { medians, ratio, type Row } from './measure'

const size = 16

/** Arguments of about so many characters: a list of small objects, or one long string. */
const shapes: Record<string, (length: number) => object> = {
  'a list of objects': (length) => ({
    rows: Array.from({ length: length / 50 }, (_, id) => ({
      id,
      name: `row number ${id}`,
      ok: true,
    })),
  }),
  'one long string': (length) => ({ text: 'some words '.repeat(length / 11) }),
}

function parse(text: string): object {
  const args = createPartialArgs()
  let value: object = {}
  for (let at = 0; at < text.length; at += size) {
    args.push(text.slice(at, at + size))
    value = args.value
  }
  args.end(text)
  return value
}

/** Arguments as they grow, a snapshot after each piece. */
export async function* partialArgs(): AsyncGenerator<Row> {
  for (const [shape, toArgs] of Object.entries(shapes)) {
    let before = 0
    for (const kilobytes of [50, 500, 2000]) {
      const text = JSON.stringify(toArgs(kilobytes * 1000))
      const [whole = 0, grown = 0] = await medians([() => JSON.parse(text), () => parse(text)], 5)
      const perByte = grown / text.length
      const growth = before ? `, ${(perByte / before).toFixed(2)} × per byte of 50 KB` : ''
      before ||= perByte
      const what = `${kilobytes} KB, ${shape}, in pieces of ${size}`
      yield {
        what,
        value: grown,
        unit: 'ms',
        against: ratio(grown, whole, 'JSON.parse once') + growth,
      }
    }
  }
}
