import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { findOverflow, findViolations, startPlayground, type OpenPage } from './startPlayground.ts'

describe.skipIf(chromiumPath === undefined)(
  'the page of cards in Chromium',
  { timeout: 30_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('ui')
      page = open.page
      await page.getByRole('link', { name: 'Cards', exact: true }).click()
      await page.getByRole('heading', { name: 'A tool call becomes a component' }).waitFor()
    }, 60_000)
    afterAll(() => open?.close())
    afterEach(() => open.expectSilence())

    beforeEach(async () => {
      const clear = button('Clear')
      if (await clear.isEnabled()) await clear.click()
    })

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const card = (name: string) => page.getByRole('group', { name, exact: true })
    const answer = () => page.locator('.from-model').last()
    const atRest = () => page.locator('.from-model[aria-busy=false] .markdown').last().waitFor()

    it('shows the weather in a card, and speaks of it', async () => {
      await button('Weather card').click()
      await atRest()
      expect(await card('Weather').textContent()).toMatch(/Oslo-?\d+°.*humidity/)
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
      expect(await card('Book a table').textContent()).toContain('is booked for 6 at 19:30')
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
      expect(await card('Book a table').textContent()).toContain(
        'Not booked: the user does not want this table',
      )
    })

    it('waits for a seat, which the model then reads', async () => {
      await button('Seat picker').click()
      await page.getByText('1A', { exact: true }).waitFor()
      await page.locator('.ui-seat:not(:has(:disabled))').first().click()
      await button('Take this seat').click()
      await atRest()
      expect(await card('Pick a seat').textContent()).toMatch(/Seat \d[A-D] is yours/)
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
      expect(await findViolations(page)).toEqual([])
      expect(await findOverflow(page)).toEqual({})
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
