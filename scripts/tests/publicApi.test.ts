import { describe, expect, test } from 'vitest'
import { publicEntries, publicNames, undocumented } from './publicApi.ts'

const entries = publicEntries()
const names = publicNames([...entries.values()])

describe('the check itself', () => {
  const texts = {
    '/a/src/index.ts': `
      export * from './b.ts'
      /** Documented. */
      export const one = 1
      export const two = 2
      /** */
      export function empty(): void {}`,
    '/a/src/b.ts': `
      /** A type. */
      export interface Shape {}
      export type Bare = Shape
      /** @internal */
      export class Tagged {}`,
  }
  const found = publicNames(['/a/src/index.ts'], texts).get('/a/src/index.ts') ?? []

  test('it reads names and kinds through re-exports', () => {
    expect(found.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'type Bare',
      'interface Shape',
      'class Tagged',
      'function empty',
      'const one',
      'const two',
    ])
  })

  test('it finds what has no words of its own', () => {
    expect(undocumented(found)).toEqual([
      'b.ts:4 Bare has no docblock',
      'b.ts:6 Tagged has no docblock',
      'index.ts:7 empty has no docblock',
      'index.ts:5 two has no docblock',
    ])
  })
})

test('every public export is documented', () => {
  expect(undocumented([...names.values()].flat())).toEqual([])
})

test('every public export can be resolved', () => {
  expect([...names.values()].flat().filter(({ kind }) => kind === 'unresolved')).toEqual([])
})

// A wanted change: npx vitest run --project node publicApi -u
test.each([...entries])('the public names of %s are these', async (subpath, file) => {
  const lines = (names.get(file) ?? [])
    .filter(({ internal }) => !internal)
    .map(({ name, kind }) => `${name}: ${kind}\n`)
  const snapshot = `./api/${subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-')}.txt`
  await expect(lines.join('')).toMatchFileSnapshot(snapshot)
})
