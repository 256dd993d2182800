// Takes the package as users get it: packs it, installs the tarball into a fresh Vite + Vue app and a fresh Node server
// outside the workspace (scripts/packed), type-checks and builds both, and has a conversation in Chromium: a server
// tool, a browser tool, a call that a person answers. `--keep` leaves the folder to be looked at.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { ensureBuilt } from './ensureBuilt.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageFolder = join(root, 'packages', 'vue-llm')
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { devDependencies: pinned } = readJson(join(root, 'package.json'))
const folder = mkdtempSync(join(tmpdir(), 'vue-llm-packed-'))
const app = join(folder, 'app')
const server = join(folder, 'server')
const started = Date.now()

/** Says what was done, and how long all of it took until then. */
const tell = (text) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`)

/** Runs a command; its output is shown where it fails. */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, shell: process.platform === 'win32' })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${output}`))
    })
  })
}

function pack() {
  const { stdout, status, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: packageFolder, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`)
  const [{ filename, size, files }] = JSON.parse(stdout)
  const foreign = files.filter(
    ({ path }) =>
      !/^(?:dist\/|package\.json$|README|LICENSE|tools\.(?:schema|example)\.json$)/.test(path),
  )
  if (foreign.length) throw new Error(`packed too much: ${foreign.map(({ path }) => path)}`)
  tell(`packed ${filename}: ${files.length} files, ${Math.round(size / 1024)} kB`)
  return join(folder, filename)
}

/** Makes a project of its own with the packed package and what else it needs. */
async function install(target, tarball, names, flags = []) {
  const versions = Object.fromEntries(names.map((name) => [name, pinned[name]]))
  const manifest = {
    name: `fresh-${target === app ? 'app' : 'server'}`,
    private: true,
    type: 'module',
    dependencies: { 'vue-llm': `file:${tarball}`, ...versions },
  }
  cpSync(join(root, 'scripts', 'packed', target === app ? 'app' : 'server'), target, {
    recursive: true,
  })
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, undefined, 2))
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quiet, ...flags], target)
}

async function converse(page, url) {
  const complaints = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.setDefaultTimeout(15_000)
  await page.goto(url)
  const send = async (text) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }
  const ready = () => page.locator('main[data-status=ready]').waitFor()
  await send('What is the stock of “lamp” and the size of my window?')
  await page.getByText('In stock: 7').waitFor()
  await ready()
  await send('Ask me for a color')
  await page.getByRole('button', { name: 'teal' }).click()
  await page.getByText('Your answer is').waitFor()
  await ready()
  const calls = await page
    .locator('.call')
    .evaluateAll((all) =>
      all.map(({ dataset, textContent }) =>
        [dataset.tool, dataset.onServer === 'true' ? 'server' : 'page', textContent.trim()].join(
          ' ',
        ),
      ),
    )
  const expected = [
    'ask_color page result {"color":"teal"}',
    'stock_level server result {"item":"LAMP","inStock":7,"for":"ada"}',
    `window_size page result ${page.viewportSize().width} px`,
  ]
  if (JSON.stringify(calls.sort()) !== JSON.stringify(expected))
    throw new Error(`the calls were ${JSON.stringify(calls)}`)
  if (complaints.length) throw new Error(`the page's console says:\n${complaints.join('\n')}`)
}

/** Without a browser the server is asked by hand: it must at least stream what its own tool gave. */
async function ask(url) {
  const parts = [{ type: 'text', text: 'What is the stock of “lamp”?', state: 'done', step: 0 }]
  const message = { id: 'msg_1', role: 'user', createdAt: 0, steps: [], parts }
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ id: 'chat_1', messageId: 'msg_2', messages: [message] }),
  })
  const text = await response.text()
  for (const wanted of ['"type":"tool-result"', '"inStock":7', '"for":"ada"', 'data: [DONE]'])
    if (!text.includes(wanted)) throw new Error(`the answer holds no ${wanted}:\n${text}`)
}

async function serve(work) {
  const child = spawn(process.execPath, [join(server, 'dist', 'server.js'), join(app, 'dist')], {
    cwd: server,
    env: { ...process.env, STOCK_KEY: 'canary' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
    if (child.exitCode !== null) throw new Error('the server ended at once')
    await work(String(line[0]))
  } finally {
    child.kill()
    await ended
  }
}

async function drive(url) {
  const found = [process.env.CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path))
  if (!found) return tell('no Chromium at $CHROMIUM or /usr/bin/chromium: the page is not driven')
  const browser = await chromium.launch({
    executablePath: found,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    await converse(await browser.newPage(), url)
    tell('had the conversation in Chromium')
  } finally {
    await browser.close()
  }
}

try {
  ensureBuilt()
  const tarball = pack()
  await Promise.all([
    install(app, tarball, ['vue', 'vite', '@vitejs/plugin-vue', 'typescript', 'vue-tsc']),
    // A server has no use for Vue, and must not need it.
    install(server, tarball, ['typescript', '@types/node'], ['--omit=peer']),
  ])
  if (existsSync(join(server, 'node_modules', 'vue'))) throw new Error('the server was given Vue')
  tell('installed it into an app and a server')
  const bin = (target, name) => join(target, 'node_modules', '.bin', name)
  await Promise.all([
    run(bin(app, 'vue-tsc'), ['--noEmit'], app),
    run(bin(server, 'tsc'), [], server),
  ])
  tell('type-checked both')
  await run(bin(app, 'vite'), ['build'], app)
  tell('built the app')
  await serve(async (url) => {
    await ask(url)
    tell('the server answers')
    await drive(url)
  })
} catch (error) {
  console.error(`packed: ${error.message}`)
  process.exitCode = 1
} finally {
  if (process.argv.includes('--keep')) tell(`kept ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
