import { execFile } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from './launchChromium.ts'
import { openPage, type OpenPage } from './startPlayground.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
}

/** Serves files and nothing else, in a folder of the site: a path that is none is a 404. */
function serveFiles(folder: string): Promise<Server> {
  const server = createServer(({ method, url = '/' }, response) => {
    const path = url.replace(/^\/somewhere\//, '/').replace(/\/$/, '/index.html')
    const file = join(folder, path)
    if (method !== 'GET' || !url.startsWith('/somewhere/') || !existsSync(file)) {
      return void response.writeHead(404).end()
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe.skipIf(chromiumPath === undefined)(
  'the built playground, from a server of files in Chromium',
  { timeout: 60_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'vue-llm-playground-'))
    const asked: string[] = []
    let server: Server
    let open: OpenPage
    let page: OpenPage['page']

    beforeAll(async () => {
      // A process of its own, as by `npm run build:playground`: what runs tests is no production.
      const { NODE_ENV: _, ...env } = process.env
      const args = [vite, 'build', root, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
      await promisify(execFile)(process.execPath, args, { env })
      server = await serveFiles(folder)
      const { port } = server.address() as AddressInfo
      open = await openPage(`http://127.0.0.1:${port}/somewhere/`)
      page = open.page
      page.on('request', (request) => asked.push(request.url()))
    }, 120_000)
    afterAll(async () => {
      await open?.close()
      server?.close()
      rmSync(folder, { recursive: true, force: true })
    })
    afterEach(() => {
      open.expectSilence()
      // What asks a server finds none here.
      const wrong = asked.splice(0).filter((url) => !url.includes('/somewhere/assets/'))
      if (wrong.length) throw new Error(`The page asked for ${wrong.join(', ')}`)
    })

    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const atRest = () => button('Regenerate').waitFor()
    async function send(text: string): Promise<void> {
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.fill(text)
      await field.press('Enter')
    }

    it('has a conversation with tools of the page and of the server that it plays itself', async () => {
      await send('Search the orders for Ada and the weather in Oslo')
      await atRest()
      expect(await page.locator('.tool-state').allTextContents()).toEqual(['Done', 'Done'])
      expect(await page.locator('.orders tbody tr').count()).toBe(2)
      await send('Delete report.txt')
      await button('Approve').click()
      await atRest()
      expect(await page.locator('.from-model').last().textContent()).toContain('report.txt')
    })

    it('has a socket within itself, too', async () => {
      await button('Settings').click()
      await button('Demo over a socket').click()
      await button('Save').click()
      await send('Search the orders for Grace')
      await atRest()
      expect(await page.locator('.from-model').last().textContent()).toContain('Moth trap')
      await send('thanks')
      await atRest()
      expect(await page.locator('.from-model').last().textContent()).toContain('welcome')
    })

    it('asks the demo model itself', async () => {
      await button('Settings').click()
      await button('Demo model').click()
      await button('List models').click()
      await page.getByText('3 models').waitFor()
      await button('Save').click()
      await send('thanks')
      await atRest()
      expect(await page.locator('.from-model').last().textContent()).toContain('welcome')
    })

    it('has the pages that ask a server of their own', async () => {
      const go = (name: string) => page.getByRole('link', { name, exact: true }).click()
      const answer = () =>
        page.locator('.from-model[aria-busy=false] .markdown').last().textContent()
      await go('Server tools')
      await page.getByText('the same one, and runs in the page').waitFor()
      await button('Both in one round').click()
      await expect.poll(answer, { timeout: 10_000 }).toContain('Bookshelf')
      expect(await page.locator('.place').allTextContents()).toEqual(['Server', 'Page'])
      await go('Calls as text')
      await page.getByRole('radio', { name: 'Mistral' }).check({ force: true })
      await button('One call').click()
      await expect.poll(answer, { timeout: 10_000 }).toContain('Oslo')
      await go('Providers')
      await page.getByRole('radio', { name: 'Gemini' }).check({ force: true })
      await button('Weather in Oslo').click()
      await expect.poll(answer, { timeout: 10_000 }).toContain('humidity')
      await page.getByRole('radio', { name: 'WebSocket' }).check({ force: true })
      await button('Orders for Ada').click()
      await expect.poll(answer, { timeout: 10_000 }).toContain('Bookshelf')
      await go('Human in the loop')
      await button('Needs your approval').click()
      await button('Pay').click()
      await expect.poll(answer, { timeout: 10_000 }).toContain('120')
    })

    it('runs the tools of the tools page', async () => {
      await page.getByRole('link', { name: 'HTTP tools', exact: true }).click()
      await button('List the items').click()
      await atRest()
      expect(await page.locator('.from-model').last().textContent()).toContain('Bookshelf')
    })

    it('fails on demand, and recovers', async () => {
      await page.getByRole('link', { name: 'Errors', exact: true }).click()
      await button('429, once').click()
      await expect.poll(() => page.locator('.attempts li').count(), { timeout: 10_000 }).toBe(2)
      await button('Cut').click()
      await page.getByRole('alert').waitFor()
      await button('Retry').click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await button('Stop').click()
    })

    it('fills an object, shows its source, and records the wire', async () => {
      await page.getByRole('link', { name: 'Recipe', exact: true }).click()
      await button('What comes over the wire').click()
      await button('Cook').click()
      await expect
        .poll(() => page.getByRole('article').textContent(), { timeout: 20_000 })
        .toContain('Taste, and serve.')
      expect(await page.locator('.wire-list [data-kind=event]').count()).toBeGreaterThan(5)
      await button('Source of this page').click()
      expect(await page.getByRole('complementary').locator('pre').textContent()).toContain(
        'useObject({',
      )
    })
  },
)
