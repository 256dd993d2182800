import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { views } from './src/views.ts'
import {
  findOverflow,
  findViolations,
  startPlayground,
  tabTo,
  type OpenPage,
} from './startPlayground.ts'

describe.skipIf(chromiumPath === undefined)('the pages in Chromium', { timeout: 60_000 }, () => {
  let open: OpenPage
  let page: OpenPage['page']

  beforeAll(async () => {
    open = await startPlayground('pages')
    page = open.page
  }, 60_000)
  afterAll(() => open?.close())
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }))
  afterEach(() => open.expectSilence())

  const button = (name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  const panel = () => page.getByRole('complementary')
  const current = () =>
    page
      .locator('.header-nav [aria-current=page]')
      .evaluateAll((all) => all.map((one) => one.textContent?.trim()))

  for (const { label, title } of views) {
    it(`“${label}” has a title, its source beside it, no violation, and fits every window`, async () => {
      await page.getByRole('link', { name: label, exact: true }).click()
      await expect.poll(() => page.title()).toBe(`${title} · vue-llm`)
      expect(await current()).toEqual([label])
      expect(await page.locator('main h2').first().textContent()).toMatch(/\S/)
      expect(await findOverflow(page)).toEqual({})
      expect(await findViolations(page)).toEqual([])

      await button('Source of this page').click()
      const text = (await panel().locator('pre').textContent()) ?? ''
      expect(text.trim()).not.toBe('')
      expect(text).not.toContain('#region')
      expect(text.split('\n').length).toBeLessThan(60)
      expect(await findOverflow(page)).toEqual({})
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await panel().waitFor({ state: 'detached' })
      // The focus is where it came from.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('open-source')
    })
  }

  it('on a phone the pages are behind a button, and reached by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    const label = page.locator('.nav-label')
    expect(await label.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    await button(/^Page:/).focus()
    expect(await page.getByRole('link', { name: 'Errors' }).isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Errors' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Errors' }).waitFor({ state: 'hidden' })

    await page.keyboard.press('Enter')
    await tabTo(page, 'Errors')
    await page.keyboard.press('Enter')
    await page.getByRole('main', { name: 'Errors and retries' }).waitFor()
    await expect.poll(current).toEqual(['Errors'])
    expect(await page.getByRole('link', { name: 'Errors' }).isVisible()).toBe(false)
    // Said once, for those who don't see it.
    expect(await page.locator('.app > [aria-live]').last().textContent()).toBe('Errors and retries')
    // Leaving the menu by Tab closes it.
    await button(/^Page:/).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Source of this page')
    expect(await page.getByRole('link', { name: 'Errors' }).isVisible()).toBe(false)
  })

  it('what is chosen, and what is drawn, is seen in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { backgroundColor, outlineStyle } = getComputedStyle(element)
          return `${backgroundColor} ${outlineStyle}`
        })
    await page.getByRole('link', { name: 'Providers', exact: true }).click()
    expect(await look('.choice:has(:checked)')).not.toBe(await look('.choice:has(:not(:checked))'))
    expect(await look('[aria-current=page]')).not.toBe(await look('.header-nav a'))
    const composer = await look('.composer')
    await page.getByRole('textbox', { name: 'Message' }).focus()
    expect(await look('.composer')).not.toBe(composer)
    await page.getByRole('link', { name: 'Errors', exact: true }).click()
    await button('All is well').click()
    expect(await look('.button[aria-pressed=true]')).not.toBe(
      await look('.button[aria-pressed=false]'),
    )
    await page.getByRole('link', { name: 'Cards', exact: true }).click()
    await button('Chart').click()
    await page.locator('.ui-bar').first().waitFor()
    expect(await look('.ui-bar')).not.toBe(await look('.ui-card'))
    await page.emulateMedia({ forcedColors: 'none' })
  })

  it('on every page with a chat a message waits in sight, and a stopped one goes on', async () => {
    for (const name of ['10,000 messages', 'Life cycle', 'HTTP tools', 'Cards', 'Errors']) {
      await page.getByRole('link', { name, exact: true }).click()
      const field = page.getByRole('textbox', { name: 'Message' })
      const send = async (text: string) => {
        await field.fill(text)
        await field.press('Enter')
      }
      await send('Count to 300')
      await send('Count to 3')
      await page.getByText('Waits for its turn').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Waits until you go on').waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.locator('.continue button').click()
      const answers = page.locator('.from-model[aria-busy=false] .markdown')
      await expect
        .poll(async () => (await answers.last().textContent())?.trim(), { timeout: 20_000 })
        .toBe('1, 2, 3')
    }
  })

  it('copies what it shows, of several files the chosen one', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await button('Source of this page').click()
    await button('tools.ts').click()
    await panel().getByRole('button', { name: 'Copy' }).click()
    await button('Copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('defineTool({')
    expect(copied).toBe(await panel().locator('pre').textContent())
    await button('Close panel').click()
  })
})
