// Compares vue-llm with its peers: `npm run bench:peers`. Installs them into a temporary folder (needs the registry), then
// prints what a chat weighs in a page and what it costs to read one answer, each on the wire of its own. The times need
// Node 22 or newer, as the peers do; ratios within one run are what counts.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from '../../scripts/ensureBuilt.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const packageFolder = join(here, '..', '..', 'packages', 'vue-llm')
const versions = {
  '@ai-sdk/vue': '4.0.142',
  ai: '7.0.173',
  '@tanstack/ai': '0.3.1',
  '@tanstack/ai-vue': '0.3.0',
  esbuild: '0.27.0',
  vue: '3.5.45',
}

/** A chat as small as each allows. */
const chats = {
  'vue-llm, a server of one’s own': `import { createProxyProvider, useChat } from 'vue-llm'
    export const chat = () => useChat({ provider: createProxyProvider('/api') })`,
  'vue-llm, Chat Completions': `import { createOpenAIProvider, useChat } from 'vue-llm'
    export const chat = () => useChat({ provider: createOpenAIProvider() })`,
  [`@ai-sdk/vue ${versions['@ai-sdk/vue']}`]: `import { useChat } from '@ai-sdk/vue'
    import { DefaultChatTransport } from 'ai'
    export const chat = () => useChat({ transport: new DefaultChatTransport({ api: '/api' }) })`,
  [`@tanstack/ai-vue ${versions['@tanstack/ai-vue']}`]: `import { fetchServerSentEvents, useChat } from '@tanstack/ai-vue'
    export const chat = () => useChat({ connection: fetchServerSentEvents('/api') })`,
}

const folder = mkdtempSync(join(tmpdir(), 'vue-llm-peers-'))
try {
  ensureBuilt()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const [{ filename }] = JSON.parse(
    npm('pack', '--json', '--ignore-scripts', packageFolder).toString(),
  )
  npm('install', '--no-audit', '--no-fund', `./${filename}`, ...names)
  cpSync(join(here, 'reading.mjs'), join(folder, 'reading.mjs'))
  const { build } = await import(join(folder, 'node_modules', 'esbuild', 'lib', 'main.js'))
  process.stdout.write('What a chat weighs (esbuild, minified, gzip, vue left out)\n')
  for (const [name, contents] of Object.entries(chats)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      external: ['vue'],
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    })
    const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length
    process.stdout.write(`  ${name.padEnd(36)} ${(bytes / 1000).toFixed(1).padStart(6)} kB\n`)
  }
  if (Number(process.versions.node.split('.')[0]) < 22) {
    process.stdout.write('\nThe times need Node 22 or newer, as the peers do.\n')
  } else {
    process.stdout.write('\nWhat reading costs (CPU in Node, median of 5, production)\n')
    execFileSync(process.execPath, ['--expose-gc', 'reading.mjs'], {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
