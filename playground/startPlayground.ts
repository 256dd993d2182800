import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright'
import { createServer } from 'vite'
import { chromiumPath, launchChromium } from './launchChromium.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const axePath = fileURLToPath(import.meta.resolve('axe-core'))

/** The windows that every page must fit; the first is 1280 × 1024 at four times the size (WCAG 1.4.10). */
const sizes = [
  [320, 256],
  [390, 800],
  [1280, 800],
] as const

/** A page in Chromium, and what its console complained about. */
export interface OpenPage {
  page: Page
  complaints: string[]
  /** Throws what the console said since the last time. */
  expectSilence(): void
  close(): Promise<void>
}

/** Opens an address in a Chromium of its own. */
export async function openPage(url: string): Promise<OpenPage> {
  const browser: Browser = await launchChromium(chromiumPath ?? '')
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  // A dev server sends the page as a hundred modules, on a busy machine slowly.
  page.setDefaultNavigationTimeout(40_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  await page.getByRole('main').waitFor()
  return {
    page,
    complaints,
    expectSilence() {
      const said = complaints.splice(0)
      if (said.length) throw new Error(`The page's console says:\n${said.join('\n')}`)
    },
    close: () => browser.close(),
  }
}

/** Serves the playground and opens it; `name` gives it a cache of its own, as people and tests use others. */
export async function startPlayground(
  name: string,
  delayMs = 5,
): Promise<OpenPage & { url: string }> {
  process.env['DEMO_DELAY_MS'] = `${delayMs}`
  const server = await createServer({
    root,
    configFile: `${root}vite.config.ts`,
    cacheDir: `node_modules/.vite-test-${name}`,
    server: { port: 0, hmr: false, watch: null },
    logLevel: 'warn',
  })
  delete process.env['DEMO_DELAY_MS']
  await server.listen()
  const url = server.resolvedUrls?.local[0] ?? ''
  const open = await openPage(url)
  return {
    ...open,
    url,
    async close() {
      await open.close()
      await server.close()
    },
  }
}

/** What axe finds wrong in light and in dark. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: axePath })
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours on their way from one theme to the other have no contrast to speak of.
    await page.evaluate(() =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map((one) => one.finished),
      ),
    )
    const { violations } = await page.evaluate<AxeResults>(
      "axe.run({ resultTypes: ['violations'] })",
    )
    for (const { id, nodes } of violations) {
      found.push(...nodes.map(({ html }) => `${colorScheme} ${id}: ${html.slice(0, 200)}`))
    }
  }
  return found
}

/** How many pixels a page is too wide or too high, by the size of the window; only where it is. */
export async function findOverflow(page: Page): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {}
  const before = page.viewportSize()
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    const over = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return [scrollWidth - innerWidth, scrollHeight - innerHeight]
    })
    if (over.some((pixels) => pixels > 0)) found[`${width} × ${height}`] = over
  }
  if (before) await page.setViewportSize(before)
  return found
}

/** Presses Tab until what has the focus is called so; throws where it never is. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const label = await page.evaluate(() => {
      const one = document.activeElement
      const named = (one instanceof HTMLInputElement && one.labels?.[0]) || one
      return (one?.getAttribute('aria-label') ?? named?.textContent ?? '').trim()
    })
    if (typeof name === 'string' ? label === name : name.test(label)) return
    await page.keyboard.press(key)
  }
  throw new Error(`no focus on ${String(name)} after 60 presses of ${key}`)
}
