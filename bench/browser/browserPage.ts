import { chromium, type Browser, type CDPSession, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium'
import type { Setup } from './page/main'

/** A page of its own, in a context of its own. */
export interface BenchPage {
  page: Page
  cdp: CDPSession
  /** Milliseconds of processor time that the main thread has had; other work on the machine does not count. */
  cpu(): Promise<number>
  /** Bytes of the heap in use, once what is not needed any more is gone. */
  heap(): Promise<number>
  open(setup: Setup): Promise<void>
}

/** Starts Chromium, headless, without anything that would reach for the network by itself. */
export function launch(ignoreDefaultArgs: string[] = []): Promise<Browser> {
  if (!chromiumPath) throw new Error('no Chromium at $CHROMIUM or /usr/bin/chromium')
  return chromium.launch({ executablePath: chromiumPath, ignoreDefaultArgs, args: chromiumArgs })
}

/** Opens a page, and closes it once the work is done; an error of the page is one of the work. */
export async function withPage<T>(
  browser: Browser,
  url: string,
  work: (opened: BenchPage) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(url)
    await page.waitForFunction(() => 'bench' in globalThis)
    const result = await work({
      page,
      cdp,
      async cpu() {
        const { metrics } = await cdp.send('Performance.getMetrics')
        const found = metrics.find(({ name }) => name === 'TaskDuration')
        return (found?.value ?? NaN) * 1000
      },
      async heap() {
        // Twice: what a finalizer lets go is gone after the second.
        await cdp.send('HeapProfiler.collectGarbage')
        await cdp.send('HeapProfiler.collectGarbage')
        return (await cdp.send('Runtime.getHeapUsage')).usedSize
      },
      open: (setup) => page.evaluate((given) => bench.open(given), setup),
    })
    if (errors.length) throw new Error(errors.join('\n'))
    return result
  } finally {
    await context.close()
  }
}
