// Installs the clients of package.json into a cache, bundles a script of this folder with our
// sources, and runs it: `npm run compare` (requests), `npm run compare streams`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/compare', import.meta.url))
const [what = 'requests'] = process.argv.slice(2)
const manifest = join(folder, 'package.json')
const cached = join(cache, 'package.json')
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'))

const isInstalled =
  existsSync(join(cache, 'node_modules')) &&
  existsSync(cached) &&
  readFileSync(cached, 'utf8') === readFileSync(manifest, 'utf8')
if (!isInstalled) {
  console.log('Installing the clients to compare with …')
  mkdirSync(cache, { recursive: true })
  copyFileSync(manifest, cached)
  const install = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'],
    { cwd: cache, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  if (install.status !== 0) process.exit(1)
}

// Beside the clients, so that Node finds them.
const outfile = join(cache, `${what}.mjs`)
await build({
  entryPoints: [join(folder, `${what}.mjs`)],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['vue', ...Object.keys(dependencies)],
  logLevel: 'warning',
})
await import(pathToFileURL(outfile).href)
