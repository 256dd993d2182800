import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside the workspace, so that a sample's imports are found as in its sources.
const folder = join(root, 'node_modules', '.cache', 'readme')

/** The README's samples that stand alone: TypeScript, and components with a script. */
function samples(): { name: string; text: string }[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```(ts|vue)\n(.*?)^```$/gms)]
    .map(([, language = '', text = ''], index) => ({
      // The first is the chat that the sample of a component test imports.
      name: index ? `sample${index}.${language}` : 'Chat.vue',
      text,
    }))
    .filter(({ name, text }) => name.endsWith('.ts') || text.includes('<script'))
}

test('the samples of the README compile', { timeout: 120_000 }, () => {
  const found = samples()
  expect(found.length).toBeGreaterThan(4)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { name, text } of found) writeFileSync(join(folder, name), `${text}\n`)
  const src = join(root, 'packages', 'vue-llm', 'src')
  const tsconfig = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      // What a reader does not use after a sample is no fault of it.
      noUnusedLocals: false,
      paths: { 'vue-llm': [join(src, 'index.ts')], 'vue-llm/*': [join(src, '*', 'index.ts')] },
      types: [],
    },
    include: ['*'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { stdout } = spawnSync('vue-tsc', ['--noEmit', '-p', folder], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: join(root, 'node_modules', '.bin') + delimiter + process.env['PATH'],
    },
  })
  expect(stdout).toBe('')
})
