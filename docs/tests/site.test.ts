// long: the built site, and every page of it in Chromium
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from '../../playground/launchChromium.ts'
import { docsFolder, pagesIn } from '../scripts/pages.ts'
import { createReference } from '../scripts/reference.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const axePath = fileURLToPath(import.meta.resolve('axe-core'))
const outDir = mkdtempSync(join(tmpdir(), 'vue-llm-docs-'))

interface Axe {
  run(context: object, options: object): Promise<AxeResults>
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** The built files as hosts serve them: `/tools` is `tools.html`. */
function serveFiles(): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://a').pathname)
    const file = [path, `${path}.html`, `${path}index.html`]
      .map((one) => join(outDir, one))
      .find((one) => existsSync(one) && statSync(one).isFile())
    if (file === undefined) return void response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'text/plain',
      'cache-control': path.startsWith('/assets/') ? 'max-age=3600' : 'no-cache',
    })
    response.end(readFileSync(file))
  })
}

beforeAll(async () => {
  const build = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitepress/bin/vitepress.js'),
      'build',
      docsFolder,
      '--outDir',
      outDir,
    ],
    { env: { ...process.env, NODE_ENV: 'production', VITEST: '' }, stdio: 'pipe' },
  )
  let said = ''
  build.stdout.on('data', (text) => (said += text))
  build.stderr.on('data', (text) => (said += text))
  const [code] = (await once(build, 'exit')) as [number]
  // VitePress fails on dead links, and says which.
  if (code !== 0) throw new Error(`vitepress build failed:\n${said}`)
}, 240_000)

afterAll(() => rmSync(outDir, { recursive: true, force: true }))

const languages = ['', ...(pagesIn('ru').length ? ['ru'] : [])]
const written = languages.flatMap((language) =>
  pagesIn(language).map((page) => (language ? `${language}/${page}` : page)),
)
const pages = [...written, ...createReference().keys()]
const pathOf = (page: string) => `/${page.replace(/(^|\/)index$/, '$1')}`

it.each(pages)('%s is built', (page) => {
  expect(readFileSync(join(outDir, `${page}.html`), 'utf8')).toContain('<h1')
})

it('the texts for programs, the search and the linked example are there', () => {
  expect(readFileSync(join(outDir, 'llms.txt'), 'utf8')).toContain('(/getting-started)')
  expect(existsSync(join(outDir, 'llms-full.txt'))).toBe(true)
  expect(readFileSync(join(outDir, 'protocol.html'), 'utf8')).toContain(
    'href="/examples/python/server.py"',
  )
  expect(existsSync(join(outDir, 'examples/python/server.py'))).toBe(true)
})

const skip = chromiumPath === undefined
if (skip) console.info('No Chromium at $CHROMIUM or /usr/bin/chromium: the docs are not driven.')

describe.skipIf(skip)('the site in Chromium', { timeout: 60_000 }, () => {
  let server: Server
  let browser: Browser
  let url = ''
  let complaints: string[] = []

  beforeAll(async () => {
    server = serveFiles().listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium(chromiumPath ?? '')
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  async function open(
    path: string,
    {
      width = 1280,
      ...look
    }: Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion'> & { width?: number } = {},
  ): Promise<Page> {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: 'light',
      ...look,
    })
    page.setDefaultTimeout(15_000)
    complaints = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(url + path)
    await page.locator('.VPNavBarTitle').waitFor()
    return page
  }
  const live = (page: Page, index = 0): Locator => page.locator('.live').nth(index)
  const send = (sample: Locator, name = 'Send') =>
    sample.getByRole('button', { name, exact: true }).click()

  /**
   * What axe-core finds, what the console said, and whether the page scrolls sideways. The coloured words of the samples are
   * looked at on one page only: there are thousands, of a dozen colours.
   */
  async function problemsOf(page: Page, { code = false } = {}): Promise<string[]> {
    if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: axePath })
    const { violations } = await page.evaluate(
      ([exclude, options]) => (window as unknown as { axe: Axe }).axe.run({ exclude }, options),
      // Asked for violations alone it is much quicker.
      [code ? [] : ['pre code'], { resultTypes: ['violations'] }] as const,
    )
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    return [...found, ...complaints, ...(tooWide > 0 ? [`${tooWide} px too wide`] : [])]
  }

  const wideLight = { width: 1280, colorScheme: 'light' } as const
  const narrowDark = { width: 390, colorScheme: 'dark' } as const
  const isThorough = !!process.env['EVERY_LOOK']
  /** All four with `EVERY_LOOK=1`; else two by turns. */
  const looksOf = (index: number) => {
    if (isThorough) {
      return [wideLight, narrowDark, { ...wideLight, width: 390 }, { ...narrowDark, width: 1280 }]
    }
    return [index % 2 ? narrowDark : wideLight]
  }
  /** Without `EVERY_LOOK=1` the guides in English, and some of what is drawn in the same way. */
  const seen = isThorough
    ? pages
    : pages.filter((page) => !/^(ru|reference)\//.test(page) || /\/(index|serve|ajv)$/.test(page))

  // One page for all of them, so that what they share is loaded once.
  it('no page has a violation or a complaint, wide and narrow, light and dark', async () => {
    const page = await open('/')
    const problems: Record<string, string[]> = {}
    for (const [index, one] of seen.entries()) {
      await page.goto(url + pathOf(one))
      await page.locator('.VPNavBarTitle').waitFor()
      for (const { width, colorScheme } of looksOf(index)) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const isDark = colorScheme === 'dark'
        await page.locator(isDark ? 'html.dark' : 'html:not(.dark)').waitFor({ state: 'attached' })
        const found = await problemsOf(page, { code: one === 'tools' })
        if (found.length) problems[`${one}, ${width} ${colorScheme}`] = found
      }
    }
    expect(problems).toEqual({})
    await page.close()
  }, 1_200_000)

  it('the home page plays a chat in the first screen', async () => {
    for (const [path, width] of [
      ['/', 1280],
      ['/ru/', 1280],
      ['/', 390],
    ] as const) {
      const page = await open(path, { width })
      await live(page).getByText('6 °C').waitFor()
      expect(await live(page).locator('.card').isVisible()).toBe(true)
      await live(page).getByRole('textbox').fill("What's the weather in Rome?")
      await page.keyboard.press('Enter')
      await live(page).getByText('4 °C').waitFor()
      expect(await problemsOf(page)).toEqual([])
      await page.close()
    }
  })

  it('a chat that plays waits for those who want less motion', async () => {
    const page = await open('/', { reducedMotion: 'reduce' })
    await live(page).getByRole('button', { name: 'Send' }).waitFor()
    expect(await live(page).locator('article').count()).toBe(0)
    await send(live(page))
    await live(page).getByText('6 °C').waitFor()
    await page.close()
  })

  it('the weather example runs its tool, and what came of it has no violation either', async () => {
    const page = await open('/tools', { colorScheme: 'dark' })
    await send(live(page))
    await live(page).getByText('result').nth(1).waitFor()
    await live(page).getByText('4 °C').first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.close()
  })

  it('a person allows and declines a call', async () => {
    const page = await open('/human-in-the-loop')
    const sample = live(page)
    await send(sample)
    await send(sample, 'Decline')
    await sample.getByText('I still need it').first().waitFor()
    await sample.getByRole('textbox').fill('Delete the file report.txt')
    await send(sample)
    await send(sample, 'Allow')
    await sample.getByText('deleted report.txt').first().waitFor()
    expect(await problemsOf(page)).toEqual([])

    await send(live(page, 1))
    await send(live(page, 1), 'Use this color')
    await live(page, 1).getByText('0d6b57').first().waitFor()
    await page.close()
  })

  it('calls become components, and one asks by itself', async () => {
    const page = await open('/generative-ui', { width: 390 })
    await send(live(page))
    await live(page).getByText('6 °C').waitFor()
    await send(live(page, 1))
    await send(live(page, 1), 'Allow')
    await live(page, 1).getByText('result').waitFor()
    await send(live(page, 2))
    await send(live(page, 2), '2B')
    await live(page, 2).getByText('2B').last().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.close()
  })

  it('an object grows until it is whole', async () => {
    const page = await open('/structured-output')
    await send(live(page), 'Ask')
    await live(page).locator('[aria-busy=false] li').first().waitFor()
    await send(live(page, 1), 'Write')
    await send(live(page, 1), 'Stop')
    await live(page, 1).getByRole('button', { name: 'Write' }).waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.close()
  })

  it('a call that the model writes as text runs like any other', async () => {
    const page = await open('/text-tool-calls')
    await send(live(page))
    await live(page).getByText('get_weather: result').waitFor()
    expect(await live(page).textContent()).not.toContain('<function')
    await page.close()
  })

  it('Markdown is drawn, and an attack in it does nothing', async () => {
    const page = await open('/recipes/markdown')
    await send(live(page))
    await live(page).locator('strong').getByText('Whisk').waitFor()
    await live(page).getByText('Bake').waitFor()
    expect(await live(page).locator('img, [onerror]').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('of ten thousand messages a few are drawn, and the end is followed', async () => {
    const page = await open('/recipes/long-chats')
    await live(page).locator('article').first().waitFor()
    expect(await live(page).locator('article').count()).toBeLessThan(40)
    await send(live(page))
    await live(page).getByText('19, 20').waitFor()
    expect(await live(page).locator('article').count()).toBeLessThan(40)
    expect(await problemsOf(page)).toEqual([])
    await page.close()
  })

  it('a picture goes along with a message', async () => {
    const page = await open('/recipes/files')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
    await live(page)
      .getByLabel('Pictures')
      .setInputFiles({ name: 'dot.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
    await send(live(page))
    await live(page).getByAltText('dot.svg').waitFor()
    await live(page).locator('article[data-role=assistant]').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('works by keyboard alone', async () => {
    const page = await open('/getting-started')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await live(page).getByRole('textbox').focus()
    await page.keyboard.press('Enter')
    await live(page).locator('article[data-role=assistant] p').waitFor()
    await live(page).getByRole('button', { name: 'Send' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.type('answerApproval')
    await page.locator('.result').first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/reference|human-in-the-loop/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it.skipIf(!languages.includes('ru'))('the other language is one click away', async () => {
    const page = await open('/tools#the-life-of-a-call')
    const choose = async (language: string) => {
      const menu = page.locator('.VPNavBarTranslations')
      await menu.getByRole('button').hover()
      await menu.getByRole('link', { name: language }).click()
    }
    await choose('Русский')
    await page.waitForURL('**/ru/tools#the-life-of-a-call')
    await page.getByRole('heading', { name: 'Жизненный цикл вызова' }).waitFor()
    await choose('English')
    await page.waitForURL(`${url}/tools#the-life-of-a-call`)
    // The reference is in English only.
    await page.goto(`${url}/reference/core`)
    await choose('Русский')
    await page.waitForURL('**/ru/')
    await page.getByRole('heading', { name: 'Попробуйте' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('жизненный цикл')
    await page.locator('.result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/ru/tools#the-life-of-a-call')
    expect(complaints).toEqual([])
    await page.close()
  })
})
