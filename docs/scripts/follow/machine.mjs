// What a reader of the guides does at the machine: types commands, writes files, asks the page.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'

export const docs = fileURLToPath(new URL('../..', import.meta.url))
export const root = join(docs, '..')

export function run(command, cwd) {
  const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}\n${stderr}`)
  return stdout
}

const running = []

/** Starts what does not end by itself; `stopAll` ends it. */
export function start(command, cwd, env = {}) {
  console.log(`$ ${command}`)
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    // Nobody is here to say yes where `npx` asks.
    env: { ...process.env, NO_COLOR: '1', npm_config_yes: 'true', ...env },
  })
  child.said = ''
  child.stderr.on('data', (text) => (child.said += text))
  running.push(child)
  return child
}

/** The address that a started program prints. */
export async function addressFrom(child, pattern) {
  for await (const line of createInterface(child.stdout)) {
    const [url] = pattern.exec(line) ?? []
    if (url) return url
  }
  throw new Error(`${child.spawnargs.at(-1)} ended before it said where it is:\n${child.said}`)
}

export const startVite = (command, cwd) =>
  addressFrom(start(command, cwd), /http:\/\/localhost:\d+\//)

export function stopAll() {
  for (const child of running.splice(0)) {
    try {
      process.kill(-child.pid)
    } catch (error) {
      // It ended by itself.
      if (error.code !== 'ESRCH') throw error
    }
  }
}

const isRegion = (line) => /^\s*\/\/ #(end)?region/.test(line)

export const readSource = (file) => readFileSync(join(docs, file), 'utf8')

/** As the page shows it. */
export const withoutRegions = (text) =>
  text
    .split('\n')
    .filter((line) => !isRegion(line))
    .join('\n')

/** What a page or a sample says, by a pattern with one group. */
export function find(text, pattern) {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(`no ${pattern} in the guide any more`)
  return found
}

/** Asks the page, and waits until it shows all of `shown`. `login` is typed into its console. */
export async function converse(url, { question, shown, login }) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage()
    const complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // The page has no icon, as the guide gives it none.
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        complaints.push(message.text())
    })
    await page.goto(url)
    if (login) await page.evaluate(login)
    await page.getByRole('textbox', { name: 'Message' }).fill(question)
    await page.keyboard.press('Enter')
    const answer = page.locator('article').nth(1)
    for (const text of shown) await answer.getByText(text).first().waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    if (complaints.length) throw new Error(`the page's console says:\n${complaints.join('\n')}`)
    console.log(await answer.innerText())
  } finally {
    await browser.close()
  }
}
