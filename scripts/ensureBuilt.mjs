// Builds the package where its sources are newer than what was built last.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'packages', 'vue-llm')

/** When a file was written; 0 where there is none. */
const writtenAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** What the build reads. */
const inputs = () => [
  ...readdirSync(join(folder, 'src'), { recursive: true })
    .filter((file) => /\.[jt]s$/.test(file) && !/\.test(?:-d)?\.ts$|__tests__|fixtures/.test(file))
    .map((file) => join(folder, 'src', file)),
  ...['package.json', 'tsconfig.json', 'tsup.config.ts'].map((file) => join(folder, file)),
]

/** Builds, if it has to; ends the process where that fails. */
export function ensureBuilt() {
  // The declarations are written last.
  const built = Math.min(...['index.js', 'index.d.ts', 'server.d.ts'].map(writtenAtDist))
  if (inputs().every((file) => writtenAt(file) < built)) return
  console.log('Building vue-llm …')
  const build = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (build.status === 0) return
  console.error([build.stdout, build.stderr, build.error?.message].filter(Boolean).join('\n'))
  process.exit(1)
}

const writtenAtDist = (file) => writtenAt(join(folder, 'dist', file))
