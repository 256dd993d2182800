// From the page of `docs/getting-started.md` on: it asks a server, in JavaScript and in Python.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  addressFrom,
  converse,
  find,
  readSource,
  root,
  start,
  startVite,
  stopAll,
  withoutRegions,
} from './machine.mjs'

/** "Replace the provider. That is the only thing that changes." */
function replaceProvider(project, provider) {
  const app = readSource('samples/getting-started/App.vue')
    .replace(/\/\/ #region provider\n.*?\/\/ #endregion provider/s, `const provider = ${provider}`)
    .replace('createOpenAIProvider', find(provider, /^(\w+)/))
  writeFileSync(join(project, 'src', 'App.vue'), withoutRegions(app))
}

/** The first sample of the page, with the provider that the page gives for those without a key. */
function writeServer(project, page) {
  const sample = readSource(find(page, /^<<< @\/(\S+)$/m))
  const demo = readSource(find(page, /^<<< @\/(\S*[dD]emo\.ts)$/m))
  const provider = find(demo, /provider = (.+)/)
  const server = sample.replace(/(?<=provider: )createOpenAIProvider\(.+?\)(?=,\n)/, provider)
  if (server === sample) throw new Error('the server has no provider to replace')
  const imports = find(demo, /^(import .+'vue-llm\/testing'\n)/m)
  writeFileSync(join(project, 'server.ts'), imports + withoutRegions(server))
}

function startServer(project, port) {
  const sample = readFileSync(join(project, 'server.ts'), 'utf8')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const readsTypes = major > 22 || (major === 22 && minor >= 18)
  const command = find(sample, readsTypes ? /`(node server\.ts)`/ : /`(npx tsx server\.ts)`/)
  return start(command, project, { PORT: String(port) })
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The server of the guide is silent: it is up once it answers. */
async function listening(child, url) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${child.said}`)
    if (await fetch(url).catch(() => undefined)) return
    await wait(200)
  }
  throw new Error(`nothing listens at ${url}`)
}

export async function followServer(project) {
  const page = readSource('server.md')
  // 3000 may be taken here.
  const port = await freePort()
  writeServer(project, page)
  const config = readSource(find(page, /^<<< @\/(\S+) \[vite\.config\.ts\]$/m))
  writeFileSync(join(project, 'vite.config.ts'), config.replace('3000', port))
  replaceProvider(project, find(readSource('samples/proxyChat.ts'), /(createProxyProvider\(.+?\))/))
  try {
    await listening(startServer(project, port), `http://localhost:${port}`)
    await converse(await startVite('npx vite', project), {
      question: 'Where is my order 1234?',
      shown: ['find_order', 'shipped'],
      login: find(page, /`(document\.cookie = .+?)`/),
    })
  } finally {
    stopAll()
  }
}

export async function followPython(project) {
  if (spawnSync('python3', ['--version']).status !== 0) {
    console.log('No python3 here: the back end in Python is left out.')
    return
  }
  const file = find(readSource('protocol.md'), /\[`(\S+\.py)`\]/)
  const guide = readFileSync(join(root, file), 'utf8')
  copyFileSync(join(root, file), join(project, 'server.py'))
  try {
    const page = await startVite('npx vite', project)
    const command = find(guide, /^ +(python3 server\.py .+)$/m)
      .replace('8000', '0')
      .replace(/http:\S+/, new URL(page).origin)
    const url = await addressFrom(start(command, project), /http:\S+/)
    const provider = find(guide, /`(createSSEProvider\(.+?\))`/)
    replaceProvider(project, provider.replace('8000', new URL(url).port))
    await converse(page, {
      question: 'How many lamps are in stock?',
      shown: ['stock_level', '"inStock": 7'],
    })
  } finally {
    stopAll()
  }
}
