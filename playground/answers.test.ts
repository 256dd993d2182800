import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { findViolations, startPlayground, type OpenPage } from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 10_000 }

describe.skipIf(chromiumPath === undefined)(
  'recipe and speech in Chromium',
  { timeout: 60_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('answers', 10)
      page = open.page
    }, 60_000)
    afterAll(() => open?.close())
    afterEach(() => open.expectSilence())

    const texts = async () => (await page.getByRole('article').textContent()) ?? ''

    /** What the recipe looked like at each change, seen in the page itself: a test looks too seldom. */
    const watchRecipe = (stopAt?: string) =>
      page.evaluate((stopWord) => {
        const seen: string[] = []
        Object.assign(window, { seen })
        new MutationObserver(() => {
          const text = document.querySelector('article')?.textContent ?? ''
          if (text !== seen.at(-1)) seen.push(text)
          if (!stopWord || !text.includes(stopWord)) return
          const buttons = [...document.querySelectorAll('button')]
          buttons.find((button) => button.textContent?.trim() === 'Stop')?.click()
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
      }, stopAt)

    it('a recipe grows field by field, and is whole', async () => {
      await page.getByRole('link', { name: 'Recipe' }).click()
      await watchRecipe()
      await page.getByRole('button', { name: 'Cook' }).click()
      await expect.poll(texts, patient).toContain('Taste, and serve.')
      await expect
        .poll(() => page.getByRole('status').textContent(), patient)
        .toMatch(/^Whole and valid: \d+ in, \d+ out\.$/)
      const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
      const growing = seen.filter((text) => text.includes('lemon') && !text.includes('Taste'))
      expect(growing.length).toBeGreaterThan(1)
      expect(await findViolations(page)).toEqual([])
    })

    it('one that is stopped stays as it is', async () => {
      await watchRecipe('lemon')
      await page.getByRole('button', { name: 'Cook' }).click()
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
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Be quiet' }).click()
      await expect.poll(() => caption.count(), patient).toBe(0)
      expect(await page.getByRole('status').textContent()).toBe('Silent.')
    })
  },
)
