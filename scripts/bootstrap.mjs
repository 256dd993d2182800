// Installs the workspace when it has to be: `npm start` and `npm test` run this first, so that a
// fresh clone needs Node and npm only. With `--build` the package is built too, for what takes it
// as a user would.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './ensureBuilt.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.bootstrap')

function fail(message) {
  console.error(`\n${message}\n`)
  process.exit(1)
}

/** The files that decide what an install gives. */
function inputs() {
  const inside = (folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).map((name) => join(folder, name))
      : []
  const folders = ['.', 'playground', 'docs', ...inside('packages'), ...inside('examples')]
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...folders.map((folder) => join(folder, 'package.json')),
  ]
    .filter((file) => existsSync(join(root, file)))
    .toSorted()
}

function hashInputs() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`)
  for (const file of inputs())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`vue-llm needs Node 20.19 or newer; this is ${process.versions.node}.`)
}

function done() {
  if (process.argv.includes('--build')) ensureBuilt()
  process.exit(0)
}

const hash = hashInputs()
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) done()

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
console.log(
  `Installing dependencies with ${packageManager} (the first time takes about half a minute) …`,
)

const args = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline']
const install = spawnSync('npx', args, {
  cwd: root,
  encoding: 'utf8',
  // Without a terminal pnpm would refuse to replace an outdated node_modules; CI says that it may.
  env: { ...process.env, CI: 'true' },
  shell: process.platform === 'win32',
})
if (install.status !== 0) {
  const output = [install.stdout, install.stderr, install.error?.message].filter(Boolean).join('\n')
  const outdated = output.includes('ERR_PNPM_OUTDATED_LOCKFILE')
  fail(
    `${output.trim()}\n\nThe install failed. ` +
      (outdated
        ? `A package.json asks for what pnpm-lock.yaml does not hold: run "npx ${packageManager} install" and commit the lockfile.`
        : `Is the npm registry reachable? To try by hand: npx ${args.join(' ')}`),
  )
}
writeFileSync(stamp, hash)
done()
