import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import type { Setup } from './page/main'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** The longest task of the main thread while an answer is read and drawn, in milliseconds of processor time. */
export function measureLongestTask(browser: Browser, url: string, setup: Setup): Promise<number> {
  return withPage(browser, url, async ({ page, open }) => {
    await open(setup)
    await browser.startTracing(page, {
      categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
    })
    await page.evaluate(() => bench.send())
    const trace = (await browser.stopTracing()).toString()
    await page.evaluate(() => bench.check())
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
    const mains = new Set(
      traceEvents
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid}/${tid}`),
    )
    const tasks = traceEvents.filter(
      ({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid}/${tid}`),
    )
    if (!tasks.length) throw new Error('the trace has no tasks')
    return Math.max(...tasks.map(({ tdur, dur }) => tdur ?? dur ?? 0)) / 1000
  })
}
