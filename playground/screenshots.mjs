// Takes pictures of every page of the playground into `playground/.screenshots`, to be looked at, and
// those of the README into `docs/public`: `node playground/screenshots.mjs`, or with words of the
// pictures to take (`chat`, `pages`, `readme`). Needs a Chromium at $CHROMIUM or /usr/bin/chromium.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const folder = `${root}.screenshots`
const docs = fileURLToPath(new URL('../docs/public', import.meta.url))
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const wanted = process.argv.slice(2)

await mkdir(folder, { recursive: true })
await mkdir(docs, { recursive: true })
const server = await createServer({
  root,
  configFile: `${root}vite.config.ts`,
  cacheDir: 'node_modules/.vite-screenshots',
  server: { port: 0, hmr: false, watch: null },
  logLevel: 'warn',
})
await server.listen()
const url = server.resolvedUrls?.local[0] ?? ''
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})

async function send(page, text) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}
const atRest = (page) => page.getByRole('button', { name: 'Regenerate' }).waitFor()
const button = (page, name) => page.getByRole('button', { name, exact: true })

/** The chat and what it can show, from the welcome to the settings. */
async function shootChat(page, shoot, name) {
  await page.getByRole('heading', { name: 'What can it do?' }).waitFor()
  await shoot('01-welcome')
  await send(page, 'Search the orders for Ada and the weather in Oslo')
  await atRest(page)
  await shoot('02-server-tool')
  await send(page, "What's the weather in Paris and Rome?")
  await page.locator('progress').first().waitFor()
  await shoot('03-running')
  await atRest(page)
  await shoot('04-weather')
  await send(page, 'Delete report.txt')
  await button(page, 'Approve').waitFor()
  await shoot('05-approval')
  await button(page, 'Edit').click()
  await shoot('06-edit')
  await button(page, 'Decline …').click()
  await page.keyboard.type('I still need it')
  await page.keyboard.press('Enter')
  await page.getByText('won’t go ahead').waitFor()
  await send(page, 'Ask me for a color for the new logo')
  await button(page, 'Use this color').waitFor()
  await shoot('07-color')
  await button(page, 'Use this color').click()
  await button(page, 'Stop').waitFor({ state: 'hidden' })
  await send(page, 'Think about a long essay')
  await page.getByText('Thinking').waitFor()
  await page.waitForTimeout(400)
  await shoot('08-thinking')
  await page.waitForTimeout(5000)
  await send(page, 'And this one waits')
  await page.getByText('Waits for its turn').waitFor()
  await shoot('09-queue')
  await page.keyboard.press('Escape')
  await page.getByText('You stopped').waitFor()
  await shoot('10-stopped')
  await button(page, 'New chat').click()
  // The demo model fails for the same request three times only.
  await send(page, `Fail the request on a ${name} page`)
  await page.getByRole('alert').waitFor()
  await shoot('11-error')
  await button(page, 'Settings').click()
  await shoot('12-settings-own-server')
  await button(page, 'Demo model').click()
  await button(page, 'List models').click()
  await page.getByText('3 models').waitFor()
  await shoot('13-settings')
  await page.keyboard.press('Escape')
}

/** The other pages, each as it is found and at work. */
async function shootPages(page, shoot, viewport) {
  const go = (name) => page.goto(`${url}#${name}`)
  await go('ui')
  await button(page, 'Five at once').click()
  await button(page, 'Take this seat').waitFor()
  await page.locator('.ui-product').first().waitFor()
  await shoot('20-cards')
  await go('tools')
  await button(page, 'List the items').click()
  await atRest(page)
  await shoot('21-tools')
  const definitions = page.getByRole('textbox', { name: 'Definitions' })
  const text = await definitions.inputValue()
  await definitions.fill(text.replace('"list_items"', '"list items"'))
  await definitions.evaluate((element) => element.scrollTo(0, 0))
  await page.getByRole('region', { name: 'Errors' }).waitFor()
  await shoot('22-tools-error')
  await definitions.fill(text)
  await go('recipe')
  await button(page, 'Cook').click()
  await page.getByText('Taste, and serve.').waitFor()
  await shoot('23-recipe')
  await go('speech')
  const captions = page.getByRole('checkbox', { name: 'Captions' })
  if (await captions.isEnabled()) await captions.check()
  await button(page, 'Tell me').click()
  await page.locator('.answer-caption').waitFor()
  await shoot('24-speech')
  await go('errors')
  await button(page, '500, twice').click()
  await page.locator('.markdown').waitFor()
  await shoot('25-errors-retries')
  await button(page, 'Cut').click()
  await page.getByRole('alert').waitFor()
  await shoot('26-errors-cut')
  await go('life')
  await button(page, 'Runs by itself').click()
  await atRest(page)
  await button(page, 'Asks you first').click()
  await button(page, 'Approve').waitFor()
  await shoot('32-life')
  await go('approval')
  await button(page, 'Both at once').click()
  await page.getByText('2 calls wait for you.').waitFor()
  await shoot('33-approval')
  await go('server')
  await button(page, 'Both in one round').click()
  await atRest(page)
  await shoot('34-server')
  await go('text')
  await button(page, 'Two calls').click()
  await atRest(page)
  await shoot('35-text')
  await go('component')
  await button(page, 'Both').click()
  await button(page, 'Take this seat').waitFor()
  await shoot('36-component')
  await go('providers')
  await page.locator('.choice').getByText('Anthropic').click()
  await button(page, 'Weather in Oslo').click()
  await atRest(page)
  await shoot('37-providers')
  await go('long')
  await page.getByText('Answer 5000.').waitFor()
  await button(page, 'Write something long').click()
  await page.getByText('How an answer travels').last().waitFor()
  await page.waitForTimeout(1500)
  await shoot('27-long')
  await button(page, 'Stop').click()
  await go('')
  await button(page, 'What comes over the wire').click()
  await send(page, 'Think about the weather in Lima')
  await atRest(page)
  await page.waitForTimeout(200)
  await shoot('28-wire')
  await button(page, 'Source of this page').click()
  await shoot('29-source')
  await button(page, 'Close panel').click()
  if (viewport.width < 1000) {
    await page.getByRole('button', { name: /^Page:/ }).click()
    await shoot('30-menu')
    await page.keyboard.press('Escape')
  }
  await go('states')
  await page.getByRole('heading', { name: 'Every state' }).waitFor()
  const height = await page.evaluate(
    () => document.querySelector('.states')?.scrollHeight ?? innerHeight,
  )
  await page.setViewportSize({ width: viewport.width, height: height + 60 })
  await shoot('31-states')
}

/** A chat with a card, small and sharp. */
async function shootReadme() {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({
      viewport: { width: 720, height: 690 },
      deviceScaleFactor: 2,
      colorScheme,
    })
    await page.goto(`${url}#ui`)
    await button(page, 'Weather card').click()
    await page.locator('.from-model[aria-busy=false] .markdown').last().waitFor()
    await button(page, 'Booking form').click()
    await button(page, 'Book it').waitFor()
    await page.locator('.from-model[aria-busy=false]').last().waitFor()
    await page.evaluate(() => document.activeElement?.blur())
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${docs}/chat-${colorScheme}.png` })
    await page.close()
  }
}

const isWanted = (word) => !wanted.length || wanted.includes(word)
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [word, take] of [
      ['chat', shootChat],
      ['pages', shootPages],
    ]) {
      if (!isWanted(word)) continue
      const page = await browser.newPage({ viewport, colorScheme })
      const shoot = async (name) => {
        await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (wide > 0) console.error(`${name}, ${size}: the page is ${wide} px too wide`)
      }
      await page.goto(url)
      await take(page, shoot, take === shootChat ? `${size} ${colorScheme}` : viewport)
      await page.close()
    }
  }
}
if (isWanted('readme')) await shootReadme()
await browser.close()
await server.close()
