import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { findOverflow, findViolations, startPlayground, type OpenPage } from './startPlayground.ts'

/** A busy machine is no failure. */
const patient = { timeout: 10_000 }

describe.skipIf(chromiumPath === undefined)(
  'the tools page in Chromium',
  { timeout: 30_000 },
  () => {
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      open = await startPlayground('tools')
      page = open.page
      await page.getByRole('link', { name: 'HTTP tools' }).click()
    }, 60_000)
    afterAll(() => open?.close())
    afterEach(() => open.expectSilence())

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const card = (name: string) => page.getByRole('group', { name: `Tool call ${name}` })
    const answer = () => page.locator('.from-model').last()
    const atRest = () => button('Regenerate').waitFor()
    async function send(text: string): Promise<void> {
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.fill(text)
      await field.press('Enter')
    }

    beforeEach(async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      if (await button('Clear').isEnabled()) await button('Clear').click()
      const again = button('Back to the example')
      if (await again.isEnabled()) await again.click()
    })

    const definitions = () => page.getByRole('textbox', { name: 'Definitions, as JSON' })
    const status = () => page.locator('#tools-summary')
    const problems = (kind: 'Errors' | 'Warnings') =>
      page.getByRole('region', { name: kind }).getByRole('button').allTextContents()
    const exchange = (name: string) => card(name).locator('.exchange pre').allTextContents()
    const oneTool = (more: object) =>
      JSON.stringify(
        [{ name: 'list_items', description: 'List the items.', ...more }],
        undefined,
        2,
      )

    /** As a person pastes: over all that is there. */
    async function paste(text: string): Promise<void> {
      await definitions().focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    }

    it('runs the tools of the example, and shows what was sent and what the model got', async () => {
      expect(await status().textContent()).toMatch(/^7 tools, in use/)
      await button('List the items').click()
      await atRest()
      const [request, text = ''] = await exchange('list_items')
      expect(request).toBe('GET /api/items')
      expect(JSON.parse(text)).toMatchObject([{ id: '1', name: 'Desk lamp' }, {}, {}, {}])
      expect(await answer().locator('.markdown').textContent()).toContain('Bookshelf')

      await send('Add an item named Kettle')
      await atRest()
      expect(await exchange('add_item')).toEqual([
        'POST /api/items\ncontent-type: application/json\n\n{"name":"Kettle"}',
        '{"id":"5","name":"Kettle","qty":1}',
      ])
    })

    it('tells reading, changing and looking for an item apart, and says what came of it', async () => {
      await button('Set the qty of item 1 to 5').click()
      await atRest()
      expect(await exchange('update_item')).toEqual([
        'PATCH /api/items/1\ncontent-type: application/json\n\n{"qty":5}',
        '{"id":"1","name":"Desk lamp","qty":5}',
      ])
      await send('Get item 1')
      await expect.poll(async () => (await exchange('get_item'))[1]).toContain('"qty":5')
      await atRest()
      await send('Is there an item 2?')
      await expect.poll(() => answer().textContent(), patient).toContain('Yes, item 2 exists.')
    })

    it('shows what a failing request told the model', async () => {
      // The browser says so by itself.
      const expected = /status of 404/
      await send('Show the details of item 99')
      await atRest()
      expect(await exchange('get_item')).toEqual([
        'GET /api/items/99',
        'Error: HTTP 404 — {"error":"there is no item 99"}',
      ])
      expect(open.complaints.splice(0).every((text) => expected.test(text))).toBe(true)
    })

    it('tells errors at their place, and uses the definitions once they are mended', async () => {
      await paste(oneTool({ url: 7, method: 'GET' }))
      expect(await problems('Errors')).toEqual([expect.stringMatching(/^5:12.*\/0\/url/)])
      expect(await page.locator('.code-marks p[data-kind=error] i').textContent()).toBe('7')
      expect(await definitions().getAttribute('aria-invalid')).toBe('true')
      expect(await status().textContent()).toContain('keeps the 7 tools from before')

      // The cursor goes to what is wrong.
      await page.getByRole('region', { name: 'Errors' }).getByRole('button').click()
      await page.keyboard.insertText('"/api/items?limit=2"')
      await expect.poll(() => status().textContent(), patient).toMatch(/^1 tool, in use/)
      expect(await definitions().getAttribute('aria-invalid')).toBe('false')

      await send('List the items')
      await atRest()
      const [request, text = ''] = await exchange('list_items')
      expect(request).toBe('GET /api/items?limit=2')
      expect(JSON.parse(text)).toHaveLength(2)
    })

    it('tells line and column where the text is no JSON', async () => {
      await paste('[\n  { "name" "x" }\n]')
      expect(await problems('Errors')).toEqual([
        expect.stringMatching(/^2:12.*Not valid JSON: expected a colon/),
      ])
    })

    it('keeps warnings apart from errors: they leave the tools in use', async () => {
      await paste(oneTool({ url: '/api/items', method: 'GET', colour: 'red' }))
      expect(await page.getByRole('region', { name: 'Errors' }).count()).toBe(0)
      expect(await problems('Warnings')).toEqual([expect.stringMatching(/^7:5.*\/0\/colour/)])
      expect(await status().textContent()).toMatch(/^1 tool, in use/)
    })

    it('checks arguments: the model reads what is wrong, and nothing is sent', async () => {
      const parameters = {
        type: 'object',
        properties: { id: { type: 'string', pattern: '^[a-z]+$' } },
        required: ['id'],
      }
      await paste(
        JSON.stringify([
          {
            name: 'get_item',
            description: 'Details of one item.',
            parameters,
            url: '/api/items/{id}',
            method: 'GET',
          },
        ]),
      )
      await send('Show the details of item 2')
      await atRest()
      expect(await card('get_item').locator('.exchange').textContent()).toMatch(
        /None: the call was refused.*Error: invalid arguments for tool 'get_item': \/id must match/s,
      )
    })

    it('keeps the text over a reload', async () => {
      await paste(oneTool({ url: '/api/items', method: 'GET' }))
      await status().getByText('1 tool, in use').waitFor()
      await page.reload()
      expect(await definitions().inputValue()).toContain('list_items')
      expect(await status().textContent()).toMatch(/^1 tool/)
    })

    it('fits a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await paste(oneTool({ url: 7 }))
      await page.getByRole('region', { name: 'Errors' }).waitFor()
      expect(await findOverflow(page)).toEqual({})
      expect(await findViolations(page)).toEqual([])
    })
  },
)
