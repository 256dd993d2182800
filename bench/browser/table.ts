import type { Cell } from './cells'
import type { Contender } from './page/contenders'
import type { Replies, Reply } from './replies'

/** The one in the middle. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const round = (value: number): string => value.toFixed(value < 100 ? 1 : 0)

const width = 66
const column = 11

/** Numbers of bytes, for people. */
export const bytes = (value: number): string => `${(value / 1000).toFixed(1)} kB`

/** The names of who is compared, at the end of a headline. */
export const tail = (sides: readonly Contender[]): string => `: ${sides.join(' / ')}`

/** A line with a value for each contender. */
export const toCells = (what: string, values: readonly string[]): string =>
  `    ${what.padEnd(width)} ${values.map((value) => value.padStart(column)).join('')}`

/** A line of milliseconds, one for each contender. */
export const millis = (what: string, values: readonly number[]): string =>
  toCells(
    what,
    values.map((value) => value.toFixed(2)),
  )

const columns = ['by hand', 'per frame', 'vue-llm', 'ratio', 'of least']

/** What stands above the lines of {@link lineOf}. */
export function headOf(): string {
  const names = columns.map((name) => name.padStart(column)).join('')
  return [
    '  processor time of the main thread, milliseconds, medians; `of least` compares the fastest runs',
    `  ${''.padEnd(width)} ${'the first answer of a page'.padStart(columns.length * column)}` +
      'the next in the same chat'.padStart(columns.length * column),
    `  ${''.padEnd(width)} ${names}${names}`,
  ].join('\n')
}

/** One cell: medians, and how ours compares with what is written by hand with one write a frame. */
export function lineOf({ what, sides }: Cell, replies: Replies): string {
  const ours = sides.at(-1) ?? 'vue-llm'
  const half = (when: 'first' | 'second') => {
    const timesOf = (side: Contender) => (replies[side] ?? []).map((reply) => reply[when])
    const least = (side: Contender) => Math.min(...timesOf(side))
    const median = (side: Contender) => medianOf(timesOf(side))
    const base = 'by hand, per frame'
    const values = (['by hand', base, ours] as const).map(median).map(round)
    const ratios = [median(ours) / median(base), least(ours) / least(base)]
    return [...values, ...ratios.map((ratio) => ratio.toFixed(2))]
      .map((value) => (value === 'NaN' ? '–' : value).padStart(column))
      .join('')
  }
  const updates = (side: Contender, key: keyof Reply['updates']) =>
    medianOf((replies[side] ?? []).map((reply) => reply.updates[key]))
  // Each is a frame that came: under load fewer do, and cost less.
  const growing = `${updates(ours, 'growing')} growing (by hand ${updates('by hand, per frame', 'growing')})`
  const others = `${updates(ours, 'list')} list, ${updates(ours, 'earlier')} earlier`
  return `  ${what.padEnd(width)} ${half('first')}${half('second')}   ${growing}, ${others}`
}
