import type { Contender } from './page/contenders'
import type { Setup } from './page/main'
import type { Shape } from './wire'

/** One line of the table: an answer in a chat, read by several. */
export interface Cell {
  group: Group
  what: string
  setup: Omit<Setup, 'contender'>
  sides: readonly Contender[]
  /** Left out with `--quick`. */
  isSlow?: boolean
}

/** What can be asked for alone: `--only=burst,args`. */
export type Group = (typeof groups)[number]

export const groups = [
  'burst',
  'singly',
  'paced',
  'markdown',
  'args',
  'rows',
  'cold',
  'latency',
  'task',
  'hidden',
  'memory',
] as const

const usual = ['by hand', 'by hand, per frame', 'vue-llm'] as const
const perFrame = ['by hand, per frame', 'vue-llm'] as const
const count = (size: number) => size.toLocaleString('en')

const bursts = [5000, 20_000].flatMap((size) =>
  [0, 100, 1000].map((earlier): Cell => ({
    group: 'burst',
    what: `${count(size)} deltas at once, ${count(earlier)} earlier messages`,
    setup: { answer: { kind: 'text', size }, earlier },
    sides: usual,
  })),
)

const singly: Cell = {
  group: 'singly',
  what: '5,000 deltas at once, yielded one by one by a foreign provider',
  setup: { answer: { kind: 'text', size: 5000 } },
  sides: ['by hand, per frame', 'vue-llm, singly'],
}

const paced = [
  [1000, 5000],
  [100, 1000],
].flatMap(([rate = 0, size = 0]) =>
  [0, 1000].map((earlier): Cell => ({
    group: 'paced',
    what: `${count(size)} deltas, ${count(rate)} a second, ${count(earlier)} earlier messages`,
    setup: { answer: { kind: 'text', size, rate }, earlier },
    sides: perFrame,
    isSlow: true,
  })),
)

const markdown: Cell = {
  group: 'markdown',
  what: '5,000 deltas, 1,000 a second, drawn as Markdown anew each time',
  setup: { answer: { kind: 'text', size: 5000, rate: 1000 }, look: 'markdown' },
  sides: perFrame,
  isSlow: true,
}

const sized = (shape: Shape, piece: number, sizes: readonly number[], name: string) =>
  sizes.map((kilobytes): Cell => ({
    group: 'args',
    what: `${name}, ${count(kilobytes)} kB in pieces of ${count(piece)}`,
    setup: { answer: { kind: 'args', size: kilobytes * 1000, piece, shape } },
    sides: usual,
  }))

const args = [
  ...sized('rows', 16, [12.5, 50, 100, 500, 2000], 'arguments'),
  // 16 bytes a member: 20,000 of them.
  ...sized('keys', 16, [320], 'one object of 20,000 keys'),
  ...sized('numbers', 1200, [200, 1000], 'a list of numbers'),
]

const rows: Cell[] = [
  {
    group: 'rows',
    what: 'arguments of 50 kB at once, a component for each row',
    setup: { answer: { kind: 'args', size: 50_000 }, look: 'rows' },
    sides: perFrame,
  },
  {
    group: 'rows',
    what: 'arguments of 32 kB, 1,000 deltas a second, a component for each row',
    setup: { answer: { kind: 'args', size: 32_000, rate: 1000 }, look: 'rows' },
    sides: perFrame,
    isSlow: true,
  },
]

/** Every answer whose processor time is measured. */
export const cells: readonly Cell[] = [...bursts, singly, ...paced, markdown, ...args, ...rows]
