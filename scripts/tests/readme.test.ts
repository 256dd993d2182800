import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageReadme } from '../../packages/vue-llm/scripts/packageReadme.mjs'

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

/** Where a page's links and pictures lead, code left out. */
function targets(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '`')
  return [...prose.matchAll(/\]\(([^)]*)\)|\b(?:src|srcset|href)="([^"]*)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  )
}

/** The addresses of a page's headings. */
const anchors = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-')}`,
  )

test.each(['README.md', 'packages/serve/README.md', 'CONTRIBUTING.md'])(
  'no link of %s is dead',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const files = targets(text).filter((target) => !/^(https?:|#)/.test(target))
    expect(files.filter((file) => !existsSync(join(root, page, '..', file)))).toEqual([])
    const inside = targets(text).filter((target) => target.startsWith('#'))
    expect(inside.filter((anchor) => !anchors(text).includes(anchor))).toEqual([])
  },
)

test.each([
  ['vue-llm', () => packageReadme(readFileSync(join(root, 'README.md'), 'utf8'))],
  ['vue-llm-serve', () => readFileSync(join(root, 'packages/serve/README.md'), 'utf8')],
])('the README in the package %s leads to nothing that stays in the repository', (_, read) => {
  const text = read()
  expect(targets(text).filter((target) => !/^(https:|#)/.test(target))).toEqual([])
  expect(text).not.toContain('](docs')
  expect(text.length).toBeGreaterThan(3000)
})
