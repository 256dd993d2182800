import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import type { Setup } from './page/main'

/** An answer that came while another tab was in front. */
export interface HiddenReply {
  /** What the page says of itself, and how many frames it was given meanwhile. */
  state: string
  frames: number
  /** Milliseconds until the answer was whole. */
  ms: number
}

/** Hides a page behind another one, and has it read an answer; throws unless all is there, and is seen again in front. */
export function measureHidden(browser: Browser, url: string, setup: Setup): Promise<HiddenReply> {
  return withPage(browser, url, async ({ page, cdp, open }) => {
    await open(setup)
    // Playwright pretends that every page is in front.
    await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await page.context().newPage()
    await other.bringToFront()
    const reply = await page.evaluate(async () => {
      let frames = 0
      const count = () => {
        frames++
        requestAnimationFrame(count)
      }
      requestAnimationFrame(count)
      await new Promise((resolve) => setTimeout(resolve, 300))
      frames = 0
      const ms = await bench.send()
      return { state: document.visibilityState, frames, ms }
    })
    await page.evaluate(() => bench.check())
    await page.bringToFront()
    await page.evaluate(() => bench.check())
    return reply
  })
}
