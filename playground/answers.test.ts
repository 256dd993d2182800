import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from './launchChromium.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const axePath = fileURLToPath(import.meta.resolve('axe-core'))
/** A busy machine is no failure. */
const patient = { timeout: 10_000 }

describe.skipIf(chromiumPath === undefined)(
  'recipe and speech in Chromium',
  { timeout: 60_000 },
  () => {
    let server: ViteDevServer
    let browser: Browser
    let page: Page
    const complaints: string[] = []

    beforeAll(async () => {
      process.env['DEMO_DELAY_MS'] = '10'
      server = await createServer({
        root,
        configFile: `${root}vite.config.ts`,
        // A cache of its own: other tests and people use the playground meanwhile.
        cacheDir: 'node_modules/.vite-test-answers',
        server: { port: 0, hmr: false, watch: null },
        logLevel: 'warn',
      })
      await server.listen()
      browser = await launchChromium(chromiumPath ?? '')
      page = await browser.newPage()
      page.setDefaultTimeout(10_000)
      // A dev server sends the page as a hundred modules, on a busy machine slowly.
      page.setDefaultNavigationTimeout(40_000)
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.getByRole('main').waitFor()
    }, 60_000)

    afterAll(async () => {
      delete process.env['DEMO_DELAY_MS']
      await browser?.close()
      await server?.close()
    })

    beforeEach(() => void complaints.splice(0))

    const texts = async () => (await page.getByRole('article').textContent()) ?? ''

    async function violations(): Promise<string[]> {
      const found: string[] = []
      await page.addScriptTag({ path: axePath })
      for (const theme of ['light', 'dark']) {
        await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme)
        // Colours on their way from one theme to the other have no contrast to speak of.
        await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
        const { violations: all } = await page.evaluate(() =>
          (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        )
        found.push(...all.map(({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html}`))
      }
      return found
    }

    it('a recipe grows field by field, and is whole', async () => {
      await page.getByRole('link', { name: 'Recipe' }).click()
      await page.getByRole('button', { name: 'Cook' }).click()
      await expect.poll(texts, patient).toContain('lemon')
      expect(await texts()).not.toContain('Taste, and serve.')
      await expect.poll(texts, patient).toContain('Taste, and serve.')
      await expect
        .poll(() => page.getByRole('status').textContent(), patient)
        .toMatch(/^Whole and valid: \d+ in, \d+ out\.$/)
      expect(await violations()).toEqual([])
      expect(complaints).toEqual([])
    })

    it('one that is stopped stays as it is', async () => {
      await page.getByRole('button', { name: 'Cook' }).click()
      await expect.poll(texts, patient).toContain('lemon')
      await page.getByRole('button', { name: 'Stop' }).click()
      await expect
        .poll(() => page.getByRole('status').textContent(), patient)
        .toBe('Stopped: this is what came.')
      expect(await texts()).not.toContain('Taste, and serve.')
    })

    it('an answer is said sentence by sentence, until it shall be quiet', async () => {
      await page.getByRole('link', { name: 'Speech' }).click()
      const captions = page.getByRole('checkbox', { name: 'Captions' })
      if (await captions.isEnabled()) await captions.check()
      await page.getByRole('button', { name: 'Tell me' }).click()
      const caption = page.locator('.answer-caption')
      await expect.poll(() => caption.textContent(), patient).toMatch(/\S/)
      const first = await caption.textContent()
      await expect.poll(() => caption.textContent(), patient).not.toBe(first)
      expect(await violations()).toEqual([])
      await page.getByRole('button', { name: 'Be quiet' }).click()
      await expect.poll(() => caption.count(), patient).toBe(0)
      expect(await page.getByRole('status').textContent()).toBe('Silent.')
      expect(complaints).toEqual([])
    })
  },
)
