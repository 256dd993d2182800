import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import {
  findOverflow,
  findViolations,
  startPlayground,
  tabTo,
  type OpenPage,
} from './startPlayground.ts'

describe.skipIf(chromiumPath === undefined)(
  'the wire panel in Chromium',
  { timeout: 60_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('wire')
      page = open.page
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    }, 60_000)
    afterAll(() => open?.close())
    beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }))
    afterEach(() => open.expectSilence())

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const panel = () => page.getByRole('complementary', { name: 'Wire' })
    const kinds = () =>
      panel()
        .locator('.wire-list li')
        .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-kind')))].sort())
    const rows = () => panel().locator('.wire-list li').allTextContents()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())

    async function ask(text: string): Promise<void> {
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.fill(text)
      await field.press('Enter')
      await button('Regenerate').waitFor()
    }

    it('records nothing while it is closed', async () => {
      await ask('thanks')
      await button('What comes over the wire').click()
      await panel().getByText('from the next request on').waitFor()
      expect(await rows()).toEqual([])
      expect(await findViolations(page)).toEqual([])
    })

    it('shows an answer from bytes to parts, with its tool calls', async () => {
      await ask("What's the weather in Paris and Rome?")
      await expect.poll(kinds).toEqual(['bytes', 'chunk', 'event', 'part', 'request'])
      const all = (await rows()).join('\n')
      expect(all).toMatch(/request\s*POST \/api\/chat/)
      expect(all).toMatch(/bytes\s*\d+ bytes/)
      expect(all).toMatch(/event\s*id: \d+\ndata: \{/)
      expect(all).toMatch(/chunk\s*\{"type":"tool-call-start"/)
      expect(all).toMatch(/part\s*tool-result → get_weather\(.*Rome.*\), result/)
      expect(await findViolations(page)).toEqual([])
      expect(await findOverflow(page)).toEqual({})
    })

    it('shows the chosen kinds only, by keyboard alone', async () => {
      await button('Events').focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(kinds).toEqual(['bytes', 'part', 'request'])
      expect(await button('Chunks').getAttribute('aria-pressed')).toBe('false')
      await page.keyboard.press('Enter')
      await button('Events').click()
      await expect.poll(kinds).toEqual(['bytes', 'chunk', 'event', 'part', 'request'])
    })

    it('is copied as a fixture, of its chunks or of its events', async () => {
      await button('Copy chunks').click()
      await button('Copied').waitFor()
      expect(await copied()).toMatch(/^import \{ createScriptedProvider \}.*"tool-call-start"/s)
      await button('Copy events').click()
      await expect.poll(copied).toMatch(/^import \{ sseResponse \}.*"text-delta"/s)
    })

    it('has no answers to copy from a socket, only its chunks', async () => {
      await page.getByRole('link', { name: 'Providers', exact: true }).click()
      await panel().getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('radio', { name: 'WebSocket' }).check({ force: true })
      await button('Orders for Ada').click()
      await button('Regenerate').waitFor()
      await expect.poll(kinds).toContain('event')
      expect(await button('Copy events').isEnabled()).toBe(false)
      expect(await button('Copy chunks').isEnabled()).toBe(true)
    })

    it('is cleared and closed by keyboard, and the focus returns', async () => {
      await panel().getByRole('button', { name: 'Clear' }).click()
      await expect.poll(rows).toEqual([])
      await tabTo(page, 'Close panel', 'Shift+Tab')
      await page.keyboard.press('Enter')
      await panel().waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('open-wire')
      await page.keyboard.press('Enter')
      await panel().waitFor()
    })

    for (const [name, start] of [
      ['Cards', 'Weather card'],
      ['Component as tool', 'One that shows'],
      ['Life cycle', 'Runs by itself'],
      ['Human in the loop', 'Below the limit'],
      ['Server tools', 'On the server'],
      ['HTTP tools', 'List the items'],
      ['Calls as text', 'One call'],
      ['Providers', 'Count to 20'],
      ['Errors', 'All is well'],
      ['10,000 messages', 'Count to 300'],
      ['Speech', 'Tell me'],
      ['Recipe', 'Cook'],
    ] as const) {
      it(`records on the page “${name}” as well`, async () => {
        await page.getByRole('link', { name, exact: true }).click()
        await expect.poll(() => page.title()).toContain('vue-llm')
        if (await button('Clear').last().isEnabled()) await button('Clear').last().click()
        await button(start).click()
        await expect.poll(kinds, { timeout: 10_000 }).toContain('chunk')
        expect(await kinds()).toContain('event')
        // In the page: by the time of a click from here it may be over, and the button disabled.
        await button('Stop').evaluateAll((all) => (all[0] as HTMLElement | undefined)?.click())
      })
    }
  },
)
