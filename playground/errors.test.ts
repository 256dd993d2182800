import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import {
  findOverflow,
  findViolations,
  startPlayground,
  tabTo,
  type OpenPage,
} from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 15_000 }

describe.skipIf(chromiumPath === undefined)(
  'the page of errors in Chromium',
  { timeout: 60_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('errors', 1)
      page = open.page
      await page.getByRole('link', { name: 'Errors', exact: true }).click()
      await page.getByRole('heading', { name: 'What shall go wrong?' }).waitFor()
    }, 60_000)
    afterAll(() => open?.close())
    // Chromium itself writes a line for each answer that is an error, and for each connection that breaks.
    afterEach(() => {
      const known = /status of (?:429|500|503)|net::ERR_/
      const said = open.complaints.splice(0).filter((text) => !known.test(text))
      if (said.length) throw new Error(`The page's console says:\n${said.join('\n')}`)
    })

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const alert = () => page.getByRole('alert')
    const outcomes = async () =>
      (await page.locator('.attempts li').allTextContents()).map((text) =>
        text.trim().replace(/^[\d.]+ s\s+/, ''),
      )
    const answer = async () =>
      (await page.locator('.from-model .markdown').last().textContent()) ?? ''
    const isWhole = () => expect.poll(answer, patient).toContain('Thank you for reading to the end')

    it('waits as long as a busy server asks, and asks again by itself', async () => {
      await button('429, once').click()
      await isWhole()
      expect(await outcomes()).toEqual(['429, come back in 1 s', '200'])
      const [, second = ''] = await page.locator('.attempts time').allTextContents()
      expect(parseFloat(second)).toBeGreaterThanOrEqual(1)
      expect(await alert().count()).toBe(0)
    })

    it('outlasts two errors of the server', async () => {
      await button('500, twice').click()
      await isWhole()
      expect(await outcomes()).toEqual(['500', '500', '200'])
      expect(await alert().count()).toBe(0)
    })

    it('says what happened once it gives up; the message of the user stays', async () => {
      await button('503, always').click()
      await alert().waitFor()
      expect(await outcomes()).toEqual(['503', '503', '503'])
      expect(await alert().textContent()).toMatch(/http 503.*The server is down/s)
      expect(await page.locator('.from-user').count()).toBe(1)
      expect(await page.locator('.from-model').count()).toBe(0)
      await button('Retry').click()
      await expect.poll(outcomes, patient).toEqual(Array.from({ length: 6 }, () => '503'))
      await alert().waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await findOverflow(page)).toEqual({})
    })

    for (const [name, reason] of [
      ['Cut', /network|truncated|provider/],
      ['Stall', /timeout.*betweenChunksMs.*2000 ms/s],
      ['Garbage', /invalid-response/],
    ] as const) {
      it(`“${name}” keeps what was read, and asks for the whole again by keyboard`, async () => {
        await button(name).click()
        await alert().waitFor({ timeout: 15_000 })
        expect(await alert().textContent()).toMatch(reason)
        expect(await outcomes()).toEqual(['200'])
        const text = await answer()
        expect(text).toContain('How an answer travels')
        expect(text).not.toContain('Bad gateway')
        await button(name).focus()
        await tabTo(page, 'Retry')
        await page.keyboard.press('Enter')
        await isWhole()
        expect(await outcomes()).toEqual(['200', '200'])
        // One answer, not the half and the whole.
        expect(await page.locator('.from-model').count()).toBe(1)
        expect(await alert().count()).toBe(0)
      })
    }

    it('counts the attempts of each message anew', async () => {
      await button('500, twice').click()
      await isWhole()
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.fill('thanks')
      await field.press('Enter')
      await expect.poll(answer, patient).toContain('welcome')
      expect(await outcomes()).toEqual(['500', '500', '200'])
    })
  },
)
