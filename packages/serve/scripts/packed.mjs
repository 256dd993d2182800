// Takes vue-llm-serve as users get it: packs it and vue-llm, installs both into an empty folder, starts it by `npx`, and
// uses it: the guide's lines of curl, its WebSocket check, and /docs in Chromium. Both packages must be built.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { WebSocket } from 'ws'

const serveFolder = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vue-llm-serve-'))
const app = join(folder, 'app')
const npm = (args, cwd) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function pack(name) {
  const from = join(folder, 'staged', name)
  cpSync(join(serveFolder, '..', name), from, {
    recursive: true,
    filter: (path) => !/node_modules|[\\/]src$/.test(path),
  })
  // As publishing does: the version in place of `workspace:`.
  const manifest = join(from, 'package.json')
  const text = readFileSync(manifest, 'utf8')
  const { version } = JSON.parse(
    readFileSync(join(serveFolder, '..', 'vue-llm', 'package.json'), 'utf8'),
  )
  writeFileSync(manifest, text.replace('workspace:^', version))
  const [{ filename }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], from),
  )
  return join(folder, filename)
}

function expectThat(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`ok: ${what}`)
}

async function checkSocket(url) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const types = []
  let said = ''
  ws.on('open', () => ws.send('{"type":"user_text","text":"What\'s the weather in Paris?"}'))
  await new Promise((resolve, reject) => {
    ws.on('error', reject)
    ws.on('message', (data) => {
      const event = JSON.parse(data.toString())
      types.push(event.type)
      if (event.type === 'assistant_delta') said += event.text
      if (event.type === 'assistant_end') resolve()
    })
  })
  ws.close()
  expectThat(
    types[0] === 'tool_call' && types.at(-1) === 'assistant_end',
    'tool_call comes first, assistant_end last',
  )
  expectThat(!said.includes('<tool_call>'), 'no <tool_call> in what is said')
}

function checkStartErrors() {
  const args = ['exec', '--', 'vue-llm-serve', '--port', 'http']
  const env = { ...process.env, LLM_TOOL_TIMEOUT_SECS: 'soon' }
  const { status, stderr } = spawnSync('npm', args, { cwd: app, env, encoding: 'utf8' })
  const isTold = /PORT: .*LLM_TOOL_TIMEOUT_SECS: |LLM_TOOL_TIMEOUT_SECS: .*PORT: /s.test(stderr)
  expectThat(
    status === 1 && isTold && !/^\s+at /m.test(stderr),
    `start-up errors: ${stderr.trim()}`,
  )
}

/** The second signal is what `npm`, `concurrently` and the like pass on of the same Ctrl-C. */
async function checkSignals() {
  const cli = join(app, 'node_modules', 'vue-llm-serve', 'dist', 'cli.js')
  const env = { ...process.env, DEMO_DELAY_MS: '20' }
  const child = spawn(process.execPath, [cli, '--demo', '--port', '0'], { cwd: app, env })
  const [line] = await once(createInterface(child.stdout), 'line')
  const ws = new WebSocket(`${JSON.parse(line).url.replace('http', 'ws')}/ws`)
  await once(ws, 'open')
  ws.send('{"type":"user_text","text":"count to 20"}')
  const types = []
  ws.on('message', (data) => types.push(JSON.parse(data.toString()).type))
  await once(ws, 'message')
  child.kill('SIGINT')
  setTimeout(() => child.kill('SIGINT'), 50)
  const [[code]] = await Promise.all([once(child, 'exit'), once(ws, 'close')])
  expectThat(
    code === 0 && types.at(-1) === 'assistant_end',
    `SIGINT lets the turn end, then exits: ${code}`,
  )
}

async function checkDocs(url) {
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
    (path) => path && existsSync(path),
  )
  if (!executablePath) return console.log('left out: /docs, as there is no Chromium')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const problems = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(`${error}`))
    await page.goto(`${url}/docs`)
    await page.getByText('/api/tools').first().waitFor()
    expectThat(problems.length === 0, `/docs shows /api/tools without a console error ${problems}`)
  } finally {
    await browser.close()
  }
}

let server
try {
  const tarballs = [pack('vue-llm'), pack('serve')]
  mkdirSync(app)
  npm(['init', '--yes'], app)
  npm(['install', '--no-audit', '--no-fund', ...tarballs], app)
  const started = performance.now()
  server = spawn('npx', ['vue-llm-serve', '--demo', '--port', '0'], { cwd: app, detached: true })
  server.stderr.pipe(process.stderr)
  const [line] = await once(createInterface(server.stdout), 'line')
  const { event, url } = JSON.parse(line)
  const seconds = (performance.now() - started) / 1000
  expectThat(event === 'ready', `ready in ${seconds.toFixed(2)} s: ${line}`)
  const curl = (...args) => JSON.parse(execFileSync('curl', ['-s', ...args], { encoding: 'utf8' }))
  const { version } = JSON.parse(readFileSync(join(serveFolder, 'package.json'), 'utf8'))
  expectThat(npm(['exec', '--', 'vue-llm-serve', '--version'], app).trim() === version, '--version')
  expectThat(curl(`${url}/api/tools`).source === 'file', 'GET /api/tools: the example tools')
  await checkSocket(url)
  await checkDocs(url)
  checkStartErrors()
  await checkSignals()
} finally {
  if (server?.pid) process.kill(-server.pid)
  rmSync(folder, { recursive: true, force: true })
}
