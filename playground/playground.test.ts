// long: one page, driven through everything that the playground shows
import type { Request } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { findViolations, startPlayground, type OpenPage } from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 10_000 }
const skip = chromiumPath === undefined
if (skip)
  console.info('No Chromium at $CHROMIUM or /usr/bin/chromium: the playground is not driven.')

describe.skipIf(skip)('the chat in Chromium', { timeout: 30_000 }, () => {
  let open: OpenPage
  let page: OpenPage['page']
  let url = ''

  // One page for all: a dev server sends it as a hundred modules.
  beforeAll(async () => {
    const started = await startPlayground('chat')
    open = started
    page = started.page
    url = started.url
  }, 60_000)
  afterAll(() => open?.close())

  beforeEach(async () => {
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: 'Chat' }).click()
    if (await button('New chat').isEnabled()) await button('New chat').click()
  })
  afterEach(() => open.expectSilence())

  const field = () => page.getByRole('textbox', { name: 'Message' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const card = (name: string) => page.getByRole('group', { name: `Tool call ${name}` })
  const answer = () => page.locator('.from-model').last()

  async function send(text: string): Promise<void> {
    await field().fill(text)
    await field().press('Enter')
  }
  async function choose(preset: string): Promise<void> {
    await button('Settings').click()
    await button(preset).click()
    await button('Save').click()
  }
  const atRest = () => button('Regenerate').waitFor()

  it('runs a server tool and a browser tool in one round, then asks a person', async () => {
    const asked: string[] = []
    const listen = (request: Request) => {
      if (request.url().endsWith('/api/chat')) asked.push(request.postData() ?? '')
    }
    page.on('request', listen)
    await button(
      'Search the orders for Ada and the weather in Oslo One tool on the server, one in the page',
    ).click()
    await atRest()
    const orders = card('search_orders')
    expect(await orders.locator('.tool-state').textContent()).toBe('Done')
    expect(await orders.textContent()).toContain('On the server')
    expect(await orders.locator('tbody tr').allTextContents()).toEqual([
      'A-1001Desk lampshipped49 €',
      'A-1002Bookshelfopen129 €',
    ])
    expect(await card('get_weather').locator('.tool-state').textContent()).toBe('Done')
    expect(await answer().locator('.steps summary').textContent()).toMatch(/^2 rounds/)
    expect(await answer().locator('.markdown').textContent()).toMatch(/Bookshelf.*Oslo|Oslo.*Book/s)
    // The page sends its own tools only, and one request for each side's part of the round.
    expect(asked).toHaveLength(2)
    const { tools } = JSON.parse(asked[0] ?? '') as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).not.toContain('search_orders')

    await send('Delete report.txt')
    await button('Approve').click()
    await atRest()
    expect(await card('delete_file').locator('.tool-state').textContent()).toBe('Done')
    page.off('request', listen)
  })

  it('runs two calls side by side, shows how far they are, and answers from both', async () => {
    await button("What's the weather in Paris and Rome? Two tools side by side").click()
    await page.getByRole('progressbar').nth(1).waitFor()
    await atRest()
    expect(await card('get_weather').locator('.tool-state').allTextContents()).toEqual([
      'Done',
      'Done',
    ])
    const text = await answer().locator('.markdown').textContent()
    expect(text).toMatch(/Paris.*Rome/s)
    const heard = page.getByRole('log', { name: 'What happens in the chat' })
    expect(await heard.textContent()).toMatch(/get_weather is running.*Rome/s)
    expect(await answer().locator('.steps summary').textContent()).toMatch(/^2 rounds, \d+ tokens$/)
  })

  it('asks before it deletes, and runs what was approved with the edited arguments', async () => {
    await send('Delete report.txt')
    await button('Approve').waitFor()
    expect(await card('delete_file').textContent()).toContain('Needs your approval')
    await button('Edit').click()
    const args = page.getByRole('textbox', { name: 'Arguments, as JSON' })
    await args.fill('{"path": ')
    await button('Approve with these').click()
    await page.getByText("That can't be sent").waitFor()
    await args.fill('{"path": "notes.md"}')
    await button('Approve with these').click()
    await atRest()
    expect(await card('delete_file').locator('.tool-head').textContent()).toContain('notes.md')
    expect(await card('delete_file').locator('.tool-state').textContent()).toBe('Done')
    // The focus went to the card, not to nowhere.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('tool')
  })

  it('does not run what was declined, and tells the model why', async () => {
    await send('Delete report.txt')
    await button('Decline …').click()
    await page.keyboard.type('I still need it')
    await page.keyboard.press('Enter')
    await atRest()
    expect(await card('delete_file').locator('.tool-error').textContent()).toMatch(
      /I still need it.*declined/,
    )
    expect(await answer().textContent()).toContain('won’t go ahead')
  })

  it('asks again for an answer that a reload broke off', async () => {
    await send('Count to 300')
    await page.getByText('1, 2, 3').waitFor()
    await page.reload()
    await page.getByText('The answer broke off.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await button('Ask again').click()
    await button('Stop').click()
    expect(await page.locator('.message').count()).toBe(2)
  })

  it('waits for a person who answers a call, even over a reload', async () => {
    await send('Ask me for a color for the new logo')
    await button('Use this color').waitFor()
    await page.reload()
    await page.getByLabel('Your color').fill('#aa3366')
    await button('Use this color').click()
    await atRest()
    expect(await card('ask_color').locator('.tool-state').textContent()).toBe('Answered by you')
    expect(await answer().locator('.markdown').textContent()).toContain('#aa3366')
  })

  it('lets a person send recorded answers by hand', async () => {
    await button('Settings').click()
    await page.getByLabel('Go on by itself').uncheck()
    await button('Save').click()
    await send('Ask me for a color for the new logo')
    await button('Skip').click()
    await button('Send the answers').click()
    await answer().locator('.markdown').waitFor()
    expect(await card('ask_color').locator('.tool-error').textContent()).toContain('no color')
    await button('Settings').click()
    await page.getByLabel('Go on by itself').check()
    await button('Save').click()
  })

  it('shows what a failing tool said, and so does the model', async () => {
    await send('Use the unstable service')
    await atRest()
    expect(await card('unstable_service').locator('.tool-state').textContent()).toBe('Failed')
    expect(await answer().locator('.markdown').textContent()).toContain('503')
  })

  it('stops at once with Escape, and goes on when asked', async () => {
    await send('Think about a long essay')
    await page.getByText('Thinking …').waitFor()
    await answer().locator('.markdown').waitFor()
    await page.keyboard.press('Escape')
    await button('Go on').waitFor()
    const text = await answer().locator('.markdown').textContent()
    await page.waitForTimeout(150)
    expect(await answer().locator('.markdown').textContent()).toBe(text)
    expect(await answer().locator('.steps').textContent()).toContain('stopped by you')
    await button('Go on').click()
    await button('Stop').waitFor()
    await button('Stop').click()
  })

  it('keeps a message that is sent too early, and sends it in its turn', async () => {
    await send('count to 200')
    await button('Stop').waitFor()
    await send('thanks')
    await page.getByText('Waits for its turn').waitFor()
    await page.getByText('welcome', { exact: false }).last().waitFor()
    expect(await page.getByText('Waits for its turn').count()).toBe(0)
    expect(await page.locator('.from-user').count()).toBe(2)
  })

  it('says what failed, and tries again', async () => {
    await page.route('**/api/chat', (route) => route.abort(), { times: 3 })
    await send('thanks')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('network')
    await button('Retry').click()
    await atRest()
    expect(await alert.count()).toBe(0)
    await send('Fail the request')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('asked to fail')
    await button('Dismiss').click()
    await button('Go on').or(button('Ask again')).waitFor()
    // Chromium itself writes a line for a request that failed, and for each of its two retries.
    expect(open.complaints.splice(0)).toHaveLength(3)
  })

  it('asks a model without a server of its own between them, too', async () => {
    await choose('Demo model')
    await send('Fail the request')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('http 500')
    await button('Dismiss').click()
    await button('Ask again').waitFor()
    expect(open.complaints.splice(0)).toHaveLength(3)
    await choose('Demo behind a server')
  })

  /** Asks for the weather in two cities: the answer, the text that the model wrote first, and tags seen. */
  async function askTwoCities(): Promise<{
    answer: string | null
    rounds: string | null | undefined
    streamed: boolean[]
    written: string
    seen: string[]
    mutations: number
  }> {
    const asked: Request[] = []
    const listen = (request: Request) => {
      if (request.url().endsWith('/v1/chat/completions')) asked.push(request)
    }
    page.on('request', listen)
    const watched = await page.evaluateHandle(() => {
      const seen: string[] = []
      let mutations = 0
      const look = () => {
        mutations++
        const text = document.body.textContent ?? ''
        const at = text.search(/<\/?(?:tool|func|param)/)
        if (at >= 0) seen.push(text.slice(at, at + 40))
      }
      const observer = new MutationObserver(look)
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      return {
        end() {
          look()
          observer.disconnect()
          return { seen, mutations }
        },
      }
    })
    await send("What's the weather in Paris and Rome?")
    await atRest()
    page.off('request', listen)
    const bodies = asked.map((request) => request.postData() ?? '')
    // The same again, past the page: Chromium keeps no body that was streamed.
    const first = await page.request.post(`${url}v1/chat/completions`, { data: bodies[0] ?? '' })
    const written = (await first.text()).matchAll(/"content":("(?:[^"\\]|\\.)*")/g)
    expect(await card('get_weather').locator('.tool-state').allTextContents()).toEqual([
      'Done',
      'Done',
    ])
    return {
      answer: await answer().locator('.markdown').textContent(),
      rounds: await answer().locator('.steps summary').textContent(),
      streamed: bodies.map((body) => body.includes('"stream":true')),
      written: Array.from(written, ([, text = '""']) => JSON.parse(text) as string).join(''),
      ...(await watched.evaluate((one) => one.end())),
    }
  }

  for (const [preset, note, streamed] of [
    ['Demo: calls as text', /without a tool parser/, [true, true]],
    ['Demo: swallowed calls', /once more without a stream/, [true, false, true]],
  ] as const) {
    it(`answers with “${preset}” as with a model that does it right`, async () => {
      await choose('Demo model')
      const right = await askTwoCities()
      expect(right.answer).toMatch(/Paris.*Rome/s)
      expect(right.streamed).toEqual([true, true])
      await button('New chat').click()

      await button('Settings').click()
      await button(preset).click()
      await page.getByText(note).waitFor()
      expect(await page.locator('.presets [aria-pressed=true]').allTextContents()).toEqual([preset])
      await button('Save').click()
      const { answer: text, seen, mutations, written, ...rest } = await askTwoCities()
      expect(text).toBe(right.answer)
      expect(seen).toEqual([])
      expect(mutations).toBeGreaterThan(10)
      expect(rest.streamed).toEqual(streamed)
      expect(rest.rounds).toMatch(/^2 rounds/)
      // It is there to be seen, had the page shown it.
      expect(written.includes('<tool_call>\n<function=get_weather>')).toBe(preset.endsWith('text'))
      await choose('Demo behind a server')
    })
  }

  it('talks to the demo model over a socket: tool, answer, and the conversation goes on', async () => {
    await choose('Demo over a socket')
    await send('Search the orders for Ada')
    await atRest()
    expect(await card('search_orders').locator('tbody tr').count()).toBe(2)
    expect(await answer().locator('.markdown').textContent()).toContain('Bookshelf')
    await send('And for Grace')
    await atRest()
    expect(await answer().textContent()).not.toBe('')
    await choose('Demo behind a server')
  })

  it('is set up by keyboard alone, and keeps the key in the session only', async () => {
    await choose('Demo model')
    await button('Settings').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Settings',
    )

    await page.keyboard.press('Enter')
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.id)
    for (let i = 0; i < 20 && (await focused()) !== 'settings-key'; i++) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type('sk-secret')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await button('vue-llm-demo').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })

    const request = page.waitForRequest('**/v1/chat/completions')
    await send('hello')
    expect((await request).headers()['authorization']).toBe('Bearer sk-secret')
    const stored = await page.evaluate(() => JSON.stringify(localStorage))
    expect(stored).not.toContain('sk-secret')
    await atRest()
    await choose('Demo behind a server')
  })

  it('does not carry a key over to another server', async () => {
    await button('Settings').click()
    await button('Demo model').click()
    await page.getByLabel('API key').fill('sk-secret')
    await button('Ollama').click()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.getByLabel('Base URL').inputValue()).toBe('http://localhost:11434')
  })

  it('sends with Enter, but not within a composition or with Shift', async () => {
    await field().fill('one')
    await field().press('Shift+Enter')
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await field().dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
    expect(await field().inputValue()).toBe('one\n')
    expect(await page.locator('.from-user').count()).toBe(0)
  })

  it('draws HTML of a model as text, and loads no picture', async () => {
    await send('<img src=x onerror="window.harmed=1"> ![a](https://example.com/a.png) <b>hi</b>')
    await atRest()
    expect(await answer().locator('img, b').count()).toBe(0)
    expect(await answer().textContent()).toContain('<img src=x')
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
  })

  it('sends pictures along with a message', async () => {
    const picked = page.waitForEvent('filechooser')
    await button('Attach pictures').click()
    const picture = { mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgo=', 'base64') }
    await (
      await picked
    ).setFiles([
      { name: 'one.png', ...picture },
      { name: 'two.png', ...picture },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
    ])
    await page.getByText('notes.txt is no picture').waitFor()
    await button('Remove two.png').click()
    const request = page.waitForRequest('**/api/chat')
    await send('What is this?')
    expect((await request).postData()).toContain('"data":"iVBORw0KGgo="')
    await atRest()
    expect(await page.locator('.from-user').textContent()).toMatch(/one\.png.*What is this\?/s)
    expect(await answer().textContent()).toContain('Thank you for the file')
  })

  it('stays at the end of a growing answer, unless the reader has scrolled up', async () => {
    await page.setViewportSize({ width: 390, height: 700 })
    const scroller = page.getByRole('region', { name: 'Conversation' })
    const left = () =>
      scroller.evaluate(
        (element) => element.scrollHeight - element.scrollTop - element.clientHeight,
      )
    await send('Write a long essay')
    await expect
      .poll(() => scroller.evaluate((element) => element.scrollTop), patient)
      .toBeGreaterThan(200)
    expect(await left()).toBeLessThan(60)
    await scroller.hover()
    await page.mouse.wheel(0, -400)
    await button('New messages').click()
    await expect.poll(left, patient).toBeLessThan(60)
    await page.keyboard.press('Escape')
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBe(0)
  })

  it('has nothing that axe complains about', async () => {
    expect(await findViolations(page)).toEqual([])
    await send('Delete report.txt')
    await button('Edit').click()
    expect(await findViolations(page)).toEqual([])
    await button('Settings').click()
    expect(await findViolations(page)).toEqual([])
    await button('Demo model').click()
    await button('List models').click()
    await page.getByText('3 models').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'States' }).click()
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    expect(await findViolations(page)).toEqual([])
  })
})
