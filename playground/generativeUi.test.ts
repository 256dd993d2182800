import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from './launchChromium.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const axePath = fileURLToPath(import.meta.resolve('axe-core'))
/** A folder to put pictures into, for who wants to look at them. */
const pictures = process.env['SCREENSHOTS']

describe.skipIf(chromiumPath === undefined)(
  'the page of cards in Chromium',
  { timeout: 30_000 },
  () => {
    let server: ViteDevServer
    let browser: Browser
    let page: Page
    let complaints: string[] = []

    beforeAll(async () => {
      process.env['DEMO_DELAY_MS'] = '5'
      server = await createServer({
        root,
        configFile: `${root}vite.config.ts`,
        cacheDir: 'node_modules/.vite-test-ui',
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
      await page.goto(`${server.resolvedUrls?.local[0] ?? ''}#ui`)
      await page.getByRole('heading', { name: 'A tool call becomes a component' }).waitFor()
    }, 60_000)

    afterAll(async () => {
      delete process.env['DEMO_DELAY_MS']
      await browser?.close()
      await server?.close()
    })

    beforeEach(async () => {
      complaints = []
      const clear = button('Clear')
      if (await clear.isEnabled()) await clear.click()
    })
    afterEach(() => {
      if (complaints.length) throw new Error(`The page's console says:\n${complaints.join('\n')}`)
    })

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const answer = () => page.locator('.from-model').last()
    const atRest = () => page.locator('.from-model[aria-busy=false] .markdown').last().waitFor()

    it('shows the weather in a card, and speaks of it', async () => {
      await button('Weather card').click()
      await atRest()
      expect(await region('Weather').textContent()).toMatch(/Oslo-?\d+°.*humidity/)
      expect(await answer().locator('.markdown').last().textContent()).toContain('Oslo')
    })

    it('draws a chart by a component that is a tool', async () => {
      await button('Chart').click()
      await atRest()
      expect(await page.locator('.ui-chart dt').allTextContents()).toEqual([
        'apples',
        'pears',
        'plums',
      ])
    })

    it('books a table with what was edited, by mouse', async () => {
      await button('Booking form').click()
      await page.getByRole('spinbutton', { name: 'Guests' }).fill('6')
      await page.getByRole('textbox', { name: 'Note' }).fill('By the window')
      await button('Book it').click()
      await page.getByText('is booked for').waitFor()
      expect(await region('Book a table').textContent()).toContain('is booked for 6 at 19:30')
      await atRest()
    })

    it('books a table by keyboard alone, and keeps the focus in the card', async () => {
      await button('Booking form').focus()
      await page.keyboard.press('Enter')
      await button('Book it').waitFor()
      const field = page.getByRole('spinbutton', { name: 'Guests' })
      for (
        let i = 0;
        i < 20 && !(await field.evaluate((one) => one === document.activeElement));
        i++
      ) {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.getByText('is booked for 5').waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      await expect.poll(focused).toBe('Book a table')
      await atRest()
    })

    it('is told that nobody wants the table', async () => {
      await button('Booking form').click()
      await button('No, thanks').click()
      await atRest()
      expect(await region('Book a table').textContent()).toContain(
        'Not booked: the user does not want this table',
      )
    })

    it('waits for a seat, which the model then reads', async () => {
      await button('Seat picker').click()
      await page.getByText('1A', { exact: true }).waitFor()
      await page.locator('.ui-seat:not(:has(:disabled))').first().click()
      await button('Take this seat').click()
      await atRest()
      expect(await region('Pick a seat').textContent()).toMatch(/Seat \d[A-D] is yours/)
      expect(await answer().locator('.markdown').last().textContent()).toMatch(/\d[A-D]/)
    })

    it('shows a broken card as failed in its place', async () => {
      await button('Broken card').click()
      await atRest()
      expect(await page.locator('.ui-failed').textContent()).toContain('broken_card can’t be shown')
    })

    it('holds five live cards in one answer, without a violation of axe in light and dark', async () => {
      await button('Five at once').click()
      await button('Book it').waitFor()
      await button('Take this seat').waitFor()
      await page.locator('.ui-product').first().waitFor()
      expect(await answer().locator('.ui-card').count()).toBe(5)
      await page.addScriptTag({ path: axePath })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const [size, width] of [
          ['wide', 1280],
          ['phone', 390],
        ] as const) {
          await page.setViewportSize({ width, height: 1500 })
          if (pictures) await page.screenshot({ path: `${pictures}/ui-${size}-${colorScheme}.png` })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(wide).toBeLessThanOrEqual(0)
        }
        const { violations } = await page.evaluate<AxeResults>('axe.run()')
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      await button('Book it').click()
      await page.locator('.ui-seat:not(:has(:disabled))').first().click()
      await button('Take this seat').click()
      await atRest()
    })

    it('follows the end until somebody scrolls up', async () => {
      const scroller = page.getByRole('region', { name: 'Conversation' })
      const below = () =>
        scroller.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
      for (let i = 0; i < 3; i++) {
        await button('Product carousel').click()
        await atRest()
        await page.waitForTimeout(300)
      }
      await page.setViewportSize({ width: 1280, height: 500 })
      await expect.poll(below).toBeLessThan(2)
      await scroller.hover()
      await page.mouse.wheel(0, -200)
      await button('To the end').click()
      await expect.poll(below).toBeLessThan(2)
      await page.setViewportSize({ width: 1280, height: 800 })
    })
  },
)
