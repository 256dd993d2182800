import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { startPlayground, type OpenPage } from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 15_000 }

describe.skipIf(chromiumPath === undefined)(
  'a conversation of 10,000 messages in Chromium',
  { timeout: 60_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('long', 2)
      page = open.page
    }, 60_000)
    afterAll(() => open?.close())
    beforeEach(async () => {
      await page.getByRole('link', { name: 'Recipe', exact: true }).click()
      await page.getByRole('link', { name: '10,000 messages', exact: true }).click()
      await page.getByText('Answer 5000.').waitFor()
      while ((await below()) >= 2) await page.waitForTimeout(50)
    })
    afterEach(() => open.expectSilence())

    const scroller = () => page.getByRole('region', { name: 'Conversation' })
    const below = () =>
      scroller().evaluate((one) => Math.abs(one.scrollHeight - one.scrollTop - one.clientHeight))
    const rows = () => page.locator('.long-scroll li.message').count()
    const answer = () => page.locator('.long-scroll .from-model').last()

    it('draws what is in view only', async () => {
      expect(await page.getByRole('heading', { name: '10,000 messages' }).count()).toBe(1)
      expect(await rows()).toBeGreaterThan(3)
      expect(await rows()).toBeLessThan(40)
    })

    it('stays at the end while an answer grows there, and no frame is late', async () => {
      const frames = await page.evaluateHandle(() => {
        const times: number[] = []
        const away: number[] = []
        let isOn = true
        let last = performance.now()
        const look = (now: number) => {
          times.push(now - last)
          last = now
          const one = document.querySelector('.long-scroll')
          if (one) away.push(one.scrollHeight - one.scrollTop - one.clientHeight)
          if (isOn) requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
        return {
          end() {
            isOn = false
            return { times: times.toSorted((a, b) => a - b), away: away.toSorted((a, b) => a - b) }
          },
        }
      })
      await page.getByRole('button', { name: 'Write something long' }).click()
      await expect.poll(() => answer().textContent(), patient).toContain('Thank you for reading')
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
      const { times, away } = await frames.evaluate((one) => one.end())
      const at = (list: number[], part: number) => list[Math.floor(list.length * part)] ?? 0
      expect(at(times, 0.5)).toBeLessThan(34)
      expect(at(away, 0.9)).toBeLessThan(120)
      expect(await rows()).toBeLessThan(40)
      await expect.poll(below, patient).toBeLessThan(2)
    })

    it('leaves the reader alone who has scrolled up, and tells that there is more', async () => {
      await scroller().hover()
      await page.mouse.wheel(0, -3000)
      await expect.poll(below, patient).toBeGreaterThan(1500)
      await page.getByRole('button', { name: 'To the end' }).waitFor()
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.fill('Count to 200')
      await field.press('Enter')
      // Who sends wants to see the answer.
      await expect.poll(below, patient).toBeLessThan(60)
      await page.mouse.wheel(0, -2000)
      const seen = () =>
        page.evaluate(() => {
          const top = document.querySelector('.long-scroll')?.getBoundingClientRect().top ?? 0
          const all = [...document.querySelectorAll('.long-scroll li.message')]
          const first = all.find((one) => one.getBoundingClientRect().bottom > top + 40)
          return `${first?.textContent?.slice(0, 30)} ${Math.round(first?.getBoundingClientRect().top ?? 0)}`
        })
      await page.waitForTimeout(300)
      const before = await seen()
      await page.waitForTimeout(400)
      expect(await seen()).toBe(before)
      await page.getByRole('button', { name: /New messages|To the end/ }).click()
      await expect.poll(below, patient).toBeLessThan(60)
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
    })

    it('goes to the beginning and back by keyboard', async () => {
      await scroller().focus()
      await page.keyboard.press('Home')
      await page.getByText('Question 1: what about tides?').waitFor()
      expect(await rows()).toBeLessThan(40)
      await page.keyboard.press('End')
      await page.getByText('Answer 5000.').waitFor()
      await expect.poll(below, patient).toBeLessThan(60)
      // Page by page, whatever is measured on the way.
      for (let pages = 1; pages <= 4; pages++) {
        const before = await below()
        await page.keyboard.press('PageUp')
        await expect.poll(async () => (await below()) - before, patient).toBeGreaterThan(200)
      }
    })

    it('sends the last messages only', async () => {
      const request = page.waitForRequest('**/v1/chat/completions')
      await page.getByRole('button', { name: 'Count to 300' }).click()
      const { messages } = JSON.parse((await request).postData() ?? '') as { messages: unknown[] }
      expect(messages.length).toBeLessThanOrEqual(20)
      await page.getByRole('button', { name: 'Stop' }).click()
    })
  },
)
