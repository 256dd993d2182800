import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside the workspace, so that a sample's imports are found as in its sources.
const folder = join(root, 'node_modules', '.cache', 'readme')

/** The samples of a page that stand alone: TypeScript, and components with a script. */
function samples(page: string): { name: string; text: string }[] {
  const markdown = readFileSync(join(root, page), 'utf8')
  return [...markdown.matchAll(/^```(ts|vue)\n(.*?)^```$/gms)]
    .map(([, language = '', text = ''], index) => ({
      // The README's first is the chat that its sample of a component test imports.
      name:
        index || page !== 'README.md'
          ? `${page.replaceAll(/\W/g, '_')}${index}.${language}`
          : 'Chat.vue',
      text,
    }))
    .filter(({ name, text }) => name.endsWith('.ts') || text.includes('<script'))
}

test('the samples of the README compile', { timeout: 120_000 }, () => {
  const pages = ['README.md'].map(samples)
  for (const page of pages) expect(page.length).toBeGreaterThan(2)
  const found = pages.flat()
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
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
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
