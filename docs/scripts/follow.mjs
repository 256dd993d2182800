// Follows `docs/getting-started.md` word by word in an empty folder, with the packed package in place of the one on npm, and
// asks the page that comes of it in Chromium: `npm run docs:follow`. `--keep` leaves the folder to be looked at.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { ensureBuilt } from '../../scripts/ensureBuilt.mjs'

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = join(docs, '..')
const folder = mkdtempSync(join(tmpdir(), 'vue-llm-follow-'))
const project = join(folder, 'my-chat')

function run(command, cwd) {
  const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}\n${stderr}`)
  return stdout
}

/** What the page says to do, in its order: files to be written, commands to be typed. */
function readSteps() {
  const page = readFileSync(join(docs, 'getting-started.md'), 'utf8')
  const step = /^<<< @\/(\S+) \[([\w./]+\.\w+)\]$|^```sh\n(.*?)^```$/gms
  return [...page.matchAll(step)].map(([, sample, file, commands]) =>
    sample ? { sample, file } : { commands: commands.trim().split('\n') },
  )
}

const isRegion = (line) => /^\s*\/\/ #(end)?region/.test(line)

function writeSample({ sample, file }) {
  const lines = readFileSync(join(docs, sample), 'utf8').split('\n')
  const target = join(project, file)
  mkdirSync(dirname(target), { recursive: true })
  // As the page shows it.
  writeFileSync(target, lines.filter((line) => !isRegion(line)).join('\n'))
  console.log(`wrote ${file}`)
}

async function startVite(command) {
  const vite = spawn(command, {
    cwd: project,
    shell: true,
    detached: true,
    env: { ...process.env, NO_COLOR: '1' },
  })
  for await (const line of createInterface(vite.stdout)) {
    const [url] = /http:\/\/localhost:\d+\//.exec(line) ?? []
    if (url) return { vite, url }
  }
  throw new Error('vite ended before it said where it is')
}

async function converse(url) {
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
    await page.getByRole('textbox', { name: 'Message' }).fill("What's the weather in Oslo?")
    await page.keyboard.press('Enter')
    await page.getByText('→ 4 °C').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    if (complaints.length) throw new Error(`the page's console says:\n${complaints.join('\n')}`)
    console.log(await page.locator('article').last().innerText())
  } finally {
    await browser.close()
  }
}

ensureBuilt()
const packed = run(
  `npm pack --json --ignore-scripts --pack-destination ${folder}`,
  join(root, 'packages', 'vue-llm'),
)
const tarball = join(folder, JSON.parse(packed)[0].filename)
mkdirSync(project)
let started
try {
  for (const step of readSteps()) {
    if (!step.commands) writeSample(step)
    for (const command of step.commands ?? []) {
      console.log(`$ ${command}`)
      if (command === 'npx vite') {
        started = await startVite(command)
        await converse(started.url)
      } else run(command.replace(/ vue-llm$/, ` ${tarball}`), project)
    }
  }
  if (!started) throw new Error('the guide starts nothing')
  console.log('The guide works as it is written.')
} finally {
  if (started) process.kill(-started.vite.pid)
  if (process.argv.includes('--keep')) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
