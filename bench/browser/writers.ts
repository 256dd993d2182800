import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import { cells, type Group } from './cells'
import { measureHidden } from './hiddenTab'
import { measureGrowth, textBytes, type Habit } from './memory'
import type { Contender } from './page/contenders'
import { measureReplies } from './replies'
import { bytes, headOf, lineOf, medianOf, millis, tail, toCells } from './table'
import { measureCompiling, measureLongestTask } from './trace'
import type { Answer } from './wire'

/** What is measured, with what, and where it is written to. */
export interface Bench {
  browser: Browser
  url: string
  runs: number
  /** The groups that were asked for. */
  only: readonly string[]
  /** Leaves out what takes long. */
  isQuick: boolean
  write: (line: string) => void
}

const both: readonly Contender[] = ['by hand, per frame', 'vue-llm']

/** Measures something a few times for each contender, in turn; gives the medians of each, by name. */
async function inTurn<K extends string>(
  runs: number,
  measure: (side: Contender) => Promise<Record<K, number>>,
): Promise<Map<string, number[]>> {
  const taken = both.map((): Record<string, number>[] => [])
  for (let run = 0; run < runs; run++) {
    for (const [index, side] of both.entries()) taken[index]?.push(await measure(side))
  }
  const names = Object.keys(taken[0]?.[0] ?? {})
  const median = (list: Record<string, number>[], name: string) =>
    medianOf(list.map((one) => one[name] ?? NaN))
  return new Map(names.map((name) => [name, taken.map((list) => median(list, name))]))
}

async function writeReplies({ browser, url, runs, only, isQuick, write }: Bench): Promise<void> {
  const wanted = cells.filter(({ group, isSlow }) => only.includes(group) && !(isQuick && isSlow))
  if (wanted.length) write(headOf())
  for (const cell of wanted) write(lineOf(cell, await measureReplies(browser, url, cell, runs)))
}

async function writeRows({ browser, url, write, isQuick }: Bench): Promise<void> {
  write('\n  rows drawn from partial arguments, looked at after each write')
  for (const { what, setup, isSlow } of cells.filter(({ group }) => group === 'rows')) {
    if (isQuick && isSlow) continue
    for (const contender of both) {
      const seen = await withPage(browser, url, async ({ page, open }) => {
        await open({ ...setup, contender })
        return page.evaluate(() => bench.sendWatched())
      })
      const { looks, stale, backwards, rows, wrong } = seen
      const found = `${stale} stale, ${backwards} backwards, ${wrong} of ${rows} wrong at the end`
      write(`    ${contender.padEnd(20)} ${what}: ${looks} looks, ${found}`)
    }
  }
}

async function writeLatency({ browser, url, runs, write }: Bench): Promise<void> {
  const answer: Answer = { kind: 'text', size: 205 }
  const times = await inTurn(Math.max(5, runs), (contender) =>
    withPage(browser, url, async ({ page }) => {
      const measure = () => page.evaluate((setup) => bench.latency(setup), { contender, answer })
      const first = await measure()
      const next = await measure()
      return {
        'the first byte of an answer: shown on the page': first.firstByteToPage,
        'the same of the next answer in the page': next.firstByteToPage,
        'the last byte: shown on the page': first.lastByteToPage,
        'the last byte: `sendMessage` has resolved': first.lastByteToEnd,
        'the same of the next answer': next.lastByteToEnd,
      }
    }),
  )
  write(`\n  from a byte to what it does, milliseconds by the clock${tail(both)}`)
  for (const [what, values] of times) write(millis(what, values))
}

async function writeCold({ browser, url, runs, write }: Bench): Promise<void> {
  const answer: Answer = { kind: 'args', size: 12_500 }
  const times = await inTurn(runs, async (contender) => {
    const found = await measureCompiling(browser, url, { contender, answer })
    return {
      'functions compiled while the first answer comes': found.functions,
      'the time that takes, ms': found.time,
      'functions compiled while the next answer comes': found.nextFunctions,
      'the time that takes, then, ms': found.nextTime,
    }
  })
  write(`\n  cold code, arguments of 12.5 kB, in a page that was never visited${tail(both)}`)
  for (const [what, values] of times) write(millis(what, values))
}

async function writeTask({ browser, url, runs, write }: Bench): Promise<void> {
  const answer: Answer = { kind: 'text', size: 20_000 }
  write(`\n  the longest task of the main thread, milliseconds of processor time${tail(both)}`)
  for (const earlier of [0, 1000]) {
    const times = await inTurn(runs, (contender) =>
      measureLongestTask(browser, url, { contender, answer, earlier }),
    )
    const what = `20,000 deltas at once, ${earlier} earlier messages`
    write(millis(what, times.get('first') ?? []))
    write(millis(`${what}, the next answer`, times.get('next') ?? []))
  }
}

async function writeHidden({ url, write }: Bench): Promise<void> {
  write('\n  behind another tab: the answer is whole there, and seen when one comes back')
  for (const answer of [
    { kind: 'text', size: 2000 },
    { kind: 'text', size: 2000, rate: 1000 },
  ] as const) {
    for (const contender of both) {
      const reply = await measureHidden(url, { contender, answer })
      if (!reply.isHidden) throw new Error('the page was not hidden')
      const how = 'rate' in answer ? '1,000 a second' : 'at once'
      const took = `${reply.writes} writes, ${reply.frames} frames, whole after ${reply.ms.toFixed(0)} ms`
      write(`    ${contender.padEnd(20)} 2,000 deltas, ${how}: ${took}`)
    }
  }
}

const habits: Record<Habit, string> = {
  turns: 'the chat goes on',
  cleared: 'the chat is cleared after each',
  closed: 'a chat of its own for each, unmounted',
}

async function writeMemory({ browser, url, write, isQuick }: Bench): Promise<void> {
  const answer: Answer = { kind: 'text', size: 5000 }
  const turns = isQuick ? 20 : 100
  const about = `${turns} turns of 5,000 deltas (${bytes(textBytes(answer))} of text)`
  write(`\n  what stays in the heap of each of ${about}${tail(both)}`)
  for (const [habit, what] of Object.entries(habits)) {
    const grown: string[] = []
    for (const side of both) {
      grown.push(bytes(await measureGrowth(browser, url, side, answer, habit as Habit, turns)))
    }
    write(toCells(what, grown))
  }
}

const byGroup: Partial<Record<Group, (bench: Bench) => Promise<void>>> = {
  rows: writeRows,
  cold: writeCold,
  latency: writeLatency,
  task: writeTask,
  hidden: writeHidden,
  memory: writeMemory,
}

/** What writes the table, in order; each leaves out what was not asked for. */
export const writers: readonly ((bench: Bench) => Promise<void>)[] = [
  writeReplies,
  ...Object.entries(byGroup).map(([group, write]) => async (bench: Bench) => {
    if (bench.only.includes(group)) await write(bench)
  }),
]
