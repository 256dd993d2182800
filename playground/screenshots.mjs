// Takes pictures of the playground into `playground/.screenshots`, to be looked at:
// `node playground/screenshots.mjs`. Needs a Chromium at $CHROMIUM or /usr/bin/chromium.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const folder = `${root}.screenshots`
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

await mkdir(folder, { recursive: true })
const server = await createServer({
  root,
  configFile: `${root}vite.config.ts`,
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

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport, colorScheme })
    const shoot = (name) =>
      page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` })
    await page.goto(url)
    await page.getByRole('heading', { name: 'What can it do?' }).waitFor()
    await shoot('1-welcome')
    await send(page, 'Search the orders for Ada and the weather in Oslo')
    await atRest(page)
    await shoot('1-server-tool')
    await send(page, "What's the weather in Paris and Rome?")
    await page.locator('progress').first().waitFor()
    await shoot('2-running')
    await atRest(page)
    await shoot('3-weather')
    await send(page, 'Delete report.txt')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await shoot('4-approval')
    await page.getByRole('button', { name: 'Edit' }).click()
    await shoot('5-edit')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.keyboard.type('I still need it')
    await page.keyboard.press('Enter')
    await page.getByText('won’t go ahead').waitFor()
    await send(page, 'Ask me for a color for the new logo')
    await page.getByRole('button', { name: 'Use this color' }).waitFor()
    await shoot('6-color')
    await page.getByRole('button', { name: 'Use this color' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
    await send(page, 'Think about a long essay')
    await page.getByText('Thinking').waitFor()
    await page.waitForTimeout(400)
    await shoot('7-thinking')
    await page.waitForTimeout(5000)
    await send(page, 'And this one waits')
    await page.getByText('Waits for its turn').waitFor()
    await shoot('8-queue')
    await page.keyboard.press('Escape')
    await page.getByText('You stopped').waitFor()
    await shoot('9-stopped')
    await page.getByRole('button', { name: 'New chat' }).click()
    // The demo model fails for the same request three times only.
    await send(page, `Fail the request on a ${size} ${colorScheme} page`)
    await page.getByRole('alert').waitFor()
    await shoot('10-error')
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await shoot('11-settings-own-server')
    await page.getByRole('button', { name: 'Demo model' }).click()
    await page.getByRole('button', { name: 'List models' }).click()
    await page.getByText('1 model').waitFor()
    await shoot('11-settings')
    await page.keyboard.press('Escape')
    await page.goto(`${url}#tools`)
    await page.getByRole('button', { name: 'List the items' }).click()
    await atRest(page)
    await shoot('13-tools')
    const definitions = page.getByRole('textbox', { name: 'Definitions' })
    const text = await definitions.inputValue()
    await definitions.fill(text.replace('"list_items"', '"list items"'))
    await definitions.evaluate((element) => element.scrollTo(0, 0))
    await page.getByRole('region', { name: 'Errors' }).waitFor()
    await shoot('14-tools-error')
    await page.goto(`${url}#states`)
    await page.getByRole('heading', { name: 'Every state' }).waitFor()
    const height = await page.evaluate(
      () => document.querySelector('.states')?.scrollHeight ?? innerHeight,
    )
    await page.setViewportSize({ width: viewport.width, height: height + 60 })
    await shoot('12-states')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wide > 0) console.error(`${size}: the page is ${wide} px too wide`)
    await page.close()
  }
}
await browser.close()
await server.close()
