// long: one browser goes through all pages without a mouse
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import {
  findOverflow,
  findViolations,
  startPlayground,
  tabTo,
  type OpenPage,
} from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 20_000 }

describe.skipIf(chromiumPath === undefined)(
  'the pages in Chromium, by keyboard alone',
  { timeout: 90_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('keyboard', 2)
      page = open.page
      page.setDefaultTimeout(20_000)
    }, 90_000)
    afterAll(() => open?.close())
    afterEach(() => open.expectSilence())

    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement
        return one?.getAttribute('aria-label') ?? one?.textContent?.trim() ?? ''
      })
    const press = (key: string) => page.keyboard.press(key)
    /** Goes to what is called so, forwards through the page, and activates it. */
    async function use(name: string | RegExp, key = 'Enter'): Promise<void> {
      await tabTo(page, name)
      await press(key)
    }
    /** Begins at the top, past the navigation. */
    async function toPage(): Promise<void> {
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      })
      await tabTo(page, 'Skip to the page')
      await press('Enter')
    }
    async function go(label: string, heading: string): Promise<void> {
      await tabTo(page, label)
      await press('Enter')
      await page.getByRole('heading', { name: heading }).waitFor()
      await toPage()
    }
    const answer = async () =>
      (await page.locator('.from-model[aria-busy=false] .markdown').last().textContent()) ?? ''
    const says = (text: string | RegExp) => expect.poll(answer, patient).toMatch(text)
    const isSilent = async () => {
      expect(await findViolations(page)).toEqual([])
      expect(await findOverflow(page)).toEqual({})
    }

    it('the navigation is passed by one key', async () => {
      await toPage()
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
    })

    describe('a person decides', () => {
      beforeAll(() => go('Human in the loop', 'A person decides'))
      beforeEach(toPage)

      it('below the limit nobody is asked', async () => {
        await use('Below the limit')
        await says('20')
        expect(await page.locator('.ui-done').textContent()).toContain('nobody was asked')
      })

      it('an amount is changed and approved: the focus goes to the field, then stays in the card', async () => {
        await use('Needs your approval')
        await page.getByText('One call waits for you.').waitFor()
        // Nobody was taken away from where they were.
        expect(await focused()).toBe('Needs your approval')
        await use('Answer')
        await press('Control+a')
        await page.keyboard.type('80')
        await press('Enter')
        await page.getByText('Ada gets 80 € back').waitFor()
        expect(await focused()).toBe('Refund for Ada')
        await says('80')
      })

      it('a refusal has a reason, and a way back', async () => {
        await use('Needs your approval')
        await page.getByText('One call waits for you.').waitFor()
        await use('Answer')
        await use('Don’t …')
        await page.keyboard.type('the lamp')
        await press('Escape')
        await expect.poll(focused, patient).toBe('Don’t …')
        await press('Enter')
        await page.keyboard.type(' is whole')
        await press('Enter')
        await page.getByText('Not paid: the lamp is whole').waitFor()
        expect(await focused()).toBe('Refund for Ada')
        await says(/\S/)
      })

      it('a question is answered, beside a call that waits for approval', async () => {
        await use('Both at once')
        await page.getByText('2 calls wait for you.').waitFor()
        await isSilent()
        await use('Answer')
        await press('Enter')
        await page.getByText('Linus gets 120 € back').waitFor()
        await page.getByText('One call waits for you.').waitFor()
        await use('Answer')
        await press(' ')
        await press('ArrowRight')
        await press('Enter')
        await page.getByText('You picked Tuesday.').waitFor()
        expect(await focused()).toBe('Pick a day')
        await says('Tuesday')
      })
    })

    describe('the life of a call', () => {
      const events = async () =>
        (await page.locator('.life-events li > span:nth-child(2)').allTextContents()).map((text) =>
          text.replace(/^\w+ /, ''),
        )
      beforeAll(() => go('Life cycle', 'The life of a tool call'))
      beforeEach(async () => {
        await toPage()
        if (await page.getByRole('button', { name: 'Clear' }).isEnabled()) await use('Clear')
        await toPage()
      })

      it('goes through all states, and is told by what', async () => {
        await use('Asks you first')
        await page.getByRole('button', { name: 'Approve' }).waitFor()
        await use('Approve')
        await says('report.txt')
        expect(await events()).toEqual([
          'streaming',
          'pending',
          'pending, requested',
          'pending, approved',
          'running',
          'result',
        ])
        await isSilent()
      })

      it('is stopped by Escape, once and for all', async () => {
        await use('Runs by itself')
        await page.locator('.life-states [data-state=running][aria-current]').waitFor()
        await press('Escape')
        await expect.poll(async () => (await events()).at(-1), patient).toBe('error, stopped')
      })

      it('ends at the limit of rounds', async () => {
        await use('Over the limit')
        await expect.poll(async () => (await events()).at(-1), patient).toBe('error, limit')
      })
    })

    it('tools run on either side in one round', async () => {
      await go('Server tools', 'Tools on either side')
      await use('Both in one round')
      await says('Bookshelf')
      expect(await page.locator('.runs tbody tr').allTextContents()).toEqual([
        'search_orders1ServerDone',
        'get_weather1PageDone',
      ])
      expect(await page.locator('.asked li').allTextContents()).toEqual([
        expect.stringMatching(/a new message; tools of the page: get_weather, delete_file$/),
        expect.stringMatching(/brings what came of search_orders, get_weather$/),
      ])
      await isSilent()
    })

    it('calls are read out of the text of the chosen dialect, or are not', async () => {
      await go('Calls as text', 'Calls written as text')
      await tabTo(page, 'Qwen XML')
      await press('ArrowRight')
      await use('Two calls')
      await says(/Paris.*Rome/)
      const [calls] = await page.locator('.text-rounds pre').allTextContents()
      expect(calls).toMatch(/^<tool_call>\n\{"name": "get_weather", "arguments": \{"city":"Paris"/)
      expect(await page.getByRole('group', { name: 'Tool call get_weather' }).count()).toBe(2)
      expect(await page.locator('.text-parts').textContent()).toContain(
        'get_weather({"city":"Rome"})',
      )
      await isSilent()
      await toPage()
      await use('Read the calls out of the text', ' ')
      await use('One call')
      await says('get_weather')
      expect(await page.getByRole('group', { name: 'Tool call get_weather' }).count()).toBe(2)
    })

    it('one chat goes on over every wire', async () => {
      await go('Providers', 'The same chat over every wire')
      const wires: [label: string, ask: string, words: RegExp, sent: RegExp][] = [
        ['Chat Completions', 'Weather in Oslo', /Oslo/, /"stream_options"/],
        ['Responses', 'Weather in Oslo', /Oslo/, /"function_call_output"/],
        ['Anthropic', 'Weather in Oslo', /Oslo/, /"tool_result"/],
        ['Gemini', 'Weather in Oslo', /Oslo/, /"functionResponse"/],
        ['Ollama', 'Weather in Oslo', /Oslo/, /"tool_name"/],
        ['Your server', 'Orders for Ada', /Bookshelf/, /"messageId"/],
        ['WebSocket', 'Orders for Ada', /Bookshelf/, /"user_text"/],
      ]
      const answers = page.locator('.from-model[aria-busy=false] .markdown')
      for (const [index, [, ask, words, sent]] of wires.entries()) {
        await toPage()
        await tabTo(page, wires[Math.max(0, index - 1)]?.[0] ?? '')
        if (index) await press('ArrowRight')
        await use(ask)
        await expect.poll(() => answers.count(), patient).toBe(index + 1)
        expect(await answers.last().textContent()).toMatch(words)
        const [body, back] = await page.locator('.requests details[open] pre').allTextContents()
        expect(body).toMatch(sent)
        expect(back).toMatch(/\S/)
      }
      await isSilent()
    })

    it('a component that is a tool is shown, another one waits for its answer', async () => {
      await go('Component as tool', 'A component that is a tool')
      await use('Both')
      await page.getByRole('button', { name: 'Take this seat' }).waitFor()
      expect(await page.locator('.ui-chart dt').allTextContents()).toEqual(['rain', 'sun'])
      await isSilent()
      await tabTo(page, /^\d[A-D]$/)
      await press(' ')
      await press('Enter')
      await page.getByText('is yours').waitFor()
      expect(await focused()).toBe('Pick a seat')
      await says(/\d[A-D]/)
    })

    it('a recipe is asked for, and stopped', async () => {
      await go('Recipe', 'An object, as it grows')
      const status = () => page.getByRole('status').textContent()
      await tabTo(page, 'What would you like to cook?')
      await press('Control+a')
      await page.keyboard.type('A recipe for plum cake')
      await press('Enter')
      await expect.poll(status, patient).toMatch(/^Whole and valid/)
      expect(await page.getByRole('article').textContent()).toContain('plum')
      await press('Enter')
      await expect.poll(status, patient).toMatch(/^(Asking|Writing)/)
      await use('Stop')
      await expect.poll(status, patient).toMatch(/^(Stopped|Whole)/)
      expect(await focused()).not.toBe('')
      await toPage()
      await use('Cook')
      await expect.poll(status, patient).toMatch(/^(Asking|Writing)/)
      await press('Escape')
      await expect.poll(status, patient).toMatch(/^(Stopped|Whole)/)
    })

    it('an answer is read aloud at a pace, and made quiet', async () => {
      await go('Speech', 'An answer, read aloud')
      const captions = page.getByRole('checkbox', { name: 'Captions' })
      if (!(await captions.isChecked())) await use(/^Captions/, ' ')
      expect(await captions.isChecked()).toBe(true)
      await toPage()
      await tabTo(page, 'What shall be told?')
      await press('Enter')
      const caption = page.locator('.answer-caption')
      await expect.poll(() => caption.count(), patient).toBe(1)
      await use('Be quiet')
      await expect.poll(() => page.getByRole('status').textContent(), patient).toBe('Silent.')
      await toPage()
      await use('Tell me')
      await expect.poll(() => caption.count(), patient).toBe(1)
      await press('Escape')
      await expect.poll(() => page.getByRole('status').textContent(), patient).toBe('Silent.')
      expect(await page.getByRole('button', { name: 'Stop' }).isEnabled()).toBe(false)
    })
  },
)
