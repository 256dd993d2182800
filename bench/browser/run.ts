import { join } from 'node:path'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { launch, withPage } from './browserPage'
import { cells, groups, type Group } from './cells'
import { measureHidden } from './hiddenTab'
import { measureLongestTask } from './longestTask'
import { measureGrowth, textBytes, type Habit } from './memory'
import type { Contender } from './page/contenders'
import { measureReplies } from './replies'
import { startPageServer } from './server'
import { bytes, headOf, lineOf, medianOf, millis, tail } from './table'
import type { Answer } from './wire'

/** What may be said on the command line. */
interface Options {
  runs: number
  only: readonly string[]
  isQuick: boolean
}

interface Bench extends Options {
  browser: Browser
  url: string
  write: (line: string) => void
}

const both: readonly Contender[] = ['by hand, per frame', 'vue-llm']

function readOptions(words: readonly string[]): Options {
  const value = (name: string) =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = value('only')?.split(',') ?? groups
  const unknown = only.filter((name) => !groups.includes(name as Group))
  if (unknown.length) throw new Error(`no group ${unknown.join()}; there are ${groups.join()}`)
  return { runs: Number(value('runs') ?? 3), only, isQuick: words.includes('--quick') }
}

/** Runs something a few times for each contender, in turn; gives the medians of each. */
async function inTurn<T extends object>(
  { runs }: Bench,
  sides: readonly Contender[],
  measure: (side: Contender) => Promise<T>,
): Promise<Record<keyof T, number[]>> {
  const taken = sides.map((): T[] => [])
  for (let run = 0; run < runs; run++) {
    for (const [index, side] of sides.entries()) taken[index]?.push(await measure(side))
  }
  const keys = Object.keys(taken[0]?.[0] ?? {}) as (keyof T)[]
  const median = (list: T[], key: keyof T) => medianOf(list.map((one) => Number(one[key])))
  return Object.fromEntries(
    keys.map((key) => [key, taken.map((list) => median(list, key))]),
  ) as Record<keyof T, number[]>
}

async function writeReplies(bench: Bench): Promise<void> {
  const wanted = cells.filter(
    ({ group, isSlow }) => bench.only.includes(group) && !(bench.isQuick && isSlow),
  )
  if (!wanted.length) return
  bench.write(headOf())
  for (const cell of wanted) {
    bench.write(lineOf(cell, await measureReplies(bench.browser, bench.url, cell, bench.runs)))
  }
}

async function writeRows({ browser, url, write, isQuick }: Bench): Promise<void> {
  write('\n  rows drawn from partial arguments: after each write what is drawn is what has come')
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

async function writeLatency(bench: Bench): Promise<void> {
  const answer: Answer = { kind: 'text', size: 200 }
  const { firstByteToPage, lastByteToPage, lastByteToEnd } = await inTurn(
    { ...bench, runs: Math.max(5, bench.runs) },
    both,
    (contender) =>
      withPage(bench.browser, bench.url, ({ page }) =>
        page.evaluate((setup) => globalThis.bench.latency(setup), { contender, answer }),
      ),
  )
  bench.write(`\n  from a byte to what it does, milliseconds${tail(both)}`)
  bench.write(millis('the first byte of an answer: shown on the page', firstByteToPage))
  bench.write(millis('the last byte: shown on the page', lastByteToPage))
  bench.write(millis('the last byte: `sendMessage` has resolved', lastByteToEnd))
}

async function writeTask(bench: Bench): Promise<void> {
  const { browser, url, write } = bench
  const answer: Answer = { kind: 'text', size: 20_000 }
  write(`\n  the longest task of the main thread, milliseconds of processor time${tail(both)}`)
  for (const earlier of [0, 1000]) {
    const { ms } = await inTurn(bench, both, async (contender) => ({
      ms: await measureLongestTask(browser, url, { contender, answer, earlier }),
    }))
    write(millis(`20,000 deltas at once, ${earlier} earlier messages`, ms))
  }
}

async function writeHidden(bench: Bench): Promise<void> {
  const { browser, url, write } = bench
  write('\n  behind another tab: the answer is whole, and there when one comes back')
  for (const rate of [undefined, 1000]) {
    const answer: Answer = { kind: 'text', size: 2000, ...(rate && { rate }) }
    for (const contender of both) {
      // By hand with a frame for each write nothing is shown while no frame comes; the end writes it.
      const { state, frames, ms } = await measureHidden(browser, url, { contender, answer })
      const how = rate ? '1,000 a second' : 'at once'
      const took = `${state}, ${frames} frames, whole after ${ms.toFixed(0)} ms`
      write(`    ${contender.padEnd(20)} 2,000 deltas, ${how}: ${took}`)
    }
  }
}

async function writeMemory(bench: Bench): Promise<void> {
  const { browser, url, write, isQuick } = bench
  const answer: Answer = { kind: 'text', size: 5000 }
  const turns = isQuick ? 20 : 100
  const size = bytes(textBytes(answer))
  write(
    `\n  what stays in the heap of each of ${turns} turns of 5,000 deltas (${size} of text)${tail(both)}`,
  )
  const habits: Record<Habit, string> = {
    turns: 'the chat goes on',
    cleared: 'the chat is cleared after each',
    closed: 'a chat of its own for each, unmounted',
  }
  for (const habit of Object.keys(habits) as Habit[]) {
    const grown: string[] = []
    for (const side of both) {
      grown.push(bytes(await measureGrowth(browser, url, side, answer, habit, turns)))
    }
    write(`    ${habits[habit].padEnd(66)} ${grown.map((text) => text.padStart(11)).join('')}`)
  }
}

/** Builds the page, measures what was asked for, and writes one table, line by line. */
export async function runBrowserBench(
  here: string,
  outDir: string,
  words: readonly string[],
  write: (line: string) => void,
): Promise<void> {
  const options = readOptions(words)
  const root = join(here, 'browser', 'page')
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    build: { outDir, emptyOutDir: true },
  })
  const server = await startPageServer(outDir)
  const browser = await launch()
  try {
    const bench: Bench = { ...options, browser, url: server.url, write }
    await writeReplies(bench)
    const others: Partial<Record<Group, (bench: Bench) => Promise<void>>> = {
      rows: writeRows,
      latency: writeLatency,
      task: writeTask,
      hidden: writeHidden,
      memory: writeMemory,
    }
    for (const group of groups) if (options.only.includes(group)) await others[group]?.(bench)
  } finally {
    await browser.close()
    server.close()
  }
}
