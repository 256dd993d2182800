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

/** What stands above the lines of {@link lineOf}. */
export const headOf = (): string =>
  [
    '  processor time of the main thread, milliseconds: the first answer of a page, and the next in the same chat',
    `  ${''.padEnd(width)} ${['by hand', 'per frame', 'vue-llm', 'ratio', '| next', 'per frame', 'vue-llm', 'ratio', '| updates'].map((name) => name.padStart(column)).join('')}`,
  ].join('\n')

/** One cell: medians, and how ours compares with what is written by hand with one write a frame. */
export function lineOf({ what, sides }: Cell, replies: Replies): string {
  const ours = sides.at(-1) ?? 'vue-llm'
  const half = (when: 'first' | 'second') => {
    const time = (side: Contender) => {
      const list = replies[side]
      return list ? medianOf(list.map((reply) => reply[when])) : NaN
    }
    const show = (value: number) => (Number.isNaN(value) ? '–' : round(value)).padStart(column)
    const ratio = time(ours) / time('by hand, per frame')
    const shown = Number.isNaN(ratio) ? '–' : ratio.toFixed(2)
    return (
      [time('by hand'), time('by hand, per frame'), time(ours)].map(show).join('') +
      shown.padStart(column)
    )
  }
  const most = (key: keyof Reply['updates']) =>
    Math.max(...(replies[ours] ?? []).map(({ updates }) => updates[key]))
  const updates = `${most('list')} list, ${most('growing')} growing, ${most('earlier')} earlier`
  return `  ${what.padEnd(width)} ${half('first')}${half('second')}    ${updates}`
}
