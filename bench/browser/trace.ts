import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import type { Setup } from './page/main'

/** What the main thread did for a while, as Chromium's trace has it; times in microseconds. */
interface Span {
  name: string
  ph: string
  pid: number
  tid: number
  /** By the clock, and of the processor. */
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** The spans of the main thread while the page reads and draws an answer. */
async function traceReply(browser: Browser, url: string, setup: Setup, categories: string[]) {
  return withPage(browser, url, async ({ page, open, heap }) => {
    await open(setup)
    const replies: Span[][] = []
    for (let reply = 0; reply < 2; reply++) {
      await heap()
      await browser.startTracing(page, { categories: [...categories, '__metadata'] })
      await page.evaluate(() => bench.send())
      const trace = (await browser.stopTracing()).toString()
      await page.evaluate(() => bench.check())
      const { traceEvents } = JSON.parse(trace) as { traceEvents: Span[] }
      const mains = new Set(
        traceEvents
          .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
          .map(({ pid, tid }) => `${pid}/${tid}`),
      )
      replies.push(
        traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid}/${tid}`)),
      )
    }
    const [first = [], next = []] = replies
    return { first, next }
  })
}

const timeOf = ({ tdur, dur }: Span): number => (tdur ?? dur ?? 0) / 1000

/** The longest task of the main thread in the first answer and in the next, in milliseconds of processor time. */
export async function measureLongestTask(browser: Browser, url: string, setup: Setup) {
  const categories = ['toplevel', 'disabled-by-default-devtools.timeline']
  const { first, next } = await traceReply(browser, url, setup, categories)
  const longest = (spans: Span[]) => {
    const tasks = spans.filter(({ name }) => name.endsWith('RunTask'))
    if (!tasks.length) throw new Error('the trace has no tasks')
    return Math.max(...tasks.map(timeOf))
  }
  return { first: longest(first), next: longest(next) }
}

/** How many functions were compiled in the first answer and in the next, and how long that took. */
export async function measureCompiling(browser: Browser, url: string, setup: Setup) {
  const categories = ['v8', 'disabled-by-default-v8.compile']
  const { first, next } = await traceReply(browser, url, setup, categories)
  const compiled = (spans: Span[]) => spans.filter(({ name }) => name === 'V8.CompileCode')
  const sum = (spans: Span[]) => compiled(spans).reduce((time, span) => time + timeOf(span), 0)
  return {
    functions: compiled(first).length,
    time: sum(first),
    nextFunctions: compiled(next).length,
    nextTime: sum(next),
  }
}
