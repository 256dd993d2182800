// Follows `docs/getting-started.md` word by word in an empty folder, with the packed package in
// place of the one on npm, and asks the page that comes of it in Chromium; then lets the page ask
// the server of `docs/server.md`, and the one in Python of `docs/protocol.md`:
// `npm run docs:follow`. `--keep` leaves the folder to be looked at.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureBuilt } from '../../scripts/ensureBuilt.mjs'
import { followPython, followServer } from './follow/backEnds.mjs'
import {
  converse,
  readSource,
  root,
  run,
  startVite,
  stopAll,
  withoutRegions,
} from './follow/machine.mjs'

const folder = mkdtempSync(join(tmpdir(), 'vue-llm-follow-'))
const project = join(folder, 'my-chat')

/** What the page says to do, in its order: files to be written, commands to be typed. */
function readSteps() {
  const page = readSource('getting-started.md')
  const step = /^<<< @\/(\S+) \[([\w./]+\.\w+)\]$|^```sh\n(.*?)^```$/gms
  return [...page.matchAll(step)].map(([, sample, file, commands]) =>
    sample ? { sample, file } : { commands: commands.trim().split('\n') },
  )
}

function writeSample({ sample, file }) {
  const target = join(project, file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, withoutRegions(readSource(sample)))
  console.log(`wrote ${file}`)
}

function pack() {
  const packed = run(
    `npm pack --json --ignore-scripts --pack-destination ${folder}`,
    join(root, 'packages', 'vue-llm'),
  )
  return join(folder, JSON.parse(packed)[0].filename)
}

async function openPage(command) {
  try {
    await converse(await startVite(command, project), {
      question: "What's the weather in Oslo?",
      shown: ['→ 4 °C'],
    })
  } finally {
    stopAll()
  }
}

async function followStart(tarball) {
  let opened = false
  for (const step of readSteps()) {
    if (!step.commands) writeSample(step)
    for (const command of step.commands ?? []) {
      if (command === 'npx vite') {
        await openPage(command)
        opened = true
      } else {
        console.log(`$ ${command}`)
        run(command.replace(/ vue-llm$/, ` ${tarball}`), project)
      }
    }
  }
  if (!opened) throw new Error('the guide starts nothing')
}

ensureBuilt()
mkdirSync(project)
try {
  await followStart(pack())
  await followServer(project)
  await followPython(project)
  console.log('The guides work as they are written.')
} finally {
  if (process.argv.includes('--keep')) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
