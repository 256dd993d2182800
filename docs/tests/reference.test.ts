import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicEntries, publicNames } from '../../scripts/tests/publicApi.ts'
import { packageFolder } from '../../scripts/tests/sources.ts'
import { rings } from '../../scripts/tests/importGraph.ts'
import { drawRings, readRings, tellRings } from '../scripts/architecture.ts'
import { createReference } from '../scripts/reference.ts'

const pages = createReference()
const packagesFolder = join(packageFolder, '..')
/** Every entry of every package that is published. */
const entries = readdirSync(packagesFolder).flatMap((name) =>
  [...publicEntries(join(packagesFolder, name))].map(([subpath, file]) => {
    const manifest = JSON.parse(readFileSync(join(packagesFolder, name, 'package.json'), 'utf8'))
    return [posix.join(manifest.name as string, subpath), file] as const
  }),
)
const names = publicNames(entries.map(([, file]) => file))

describe('the reference', () => {
  it.each(entries)('every public name of %s is in it', (specifier, file) => {
    const own = names.get(file)?.filter(({ internal }) => !internal) ?? []
    const page = [...pages.values()].find((text) => text.includes(`\n# \`${specifier}\`\n`)) ?? ''
    const missing = own.filter(
      ({ name }) => !page.includes(`\n### ${name} {#${name}}`) && !page.includes(`#${name})`),
    )
    expect(own).not.toEqual([])
    expect(missing).toEqual([])
    expect(pages.get('reference/index')).toContain(`[\`${specifier}\`]`)
  })

  it('describes each name once, with words and a signature', () => {
    const text = [...pages.values()].join('\n')
    const all = [...names.values()].flat().filter(({ internal }) => !internal)
    const wrong = all.filter(({ name }) => {
      const [, own = '', again] = text.split(`\n### ${name} {#${name}}\n`)
      const [described = ''] = own.split('\n### ')
      return (
        again !== undefined || !/^\n\S[^\n]{10,}/.test(described) || !/```ts\n\S/.test(described)
      )
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('leads every link to a name that is there', () => {
    const text = [...pages.values()].join('\n')
    for (const [, page, name] of text.matchAll(/\]\(\.\/([\w-]+)#([\w-]+)\)/g)) {
      expect(pages.get(`reference/${page}`)).toContain(`{#${name}}`)
    }
    expect(text.match(/\{@link[^}]*\}/g)).toBeNull()
  })

  it('says in whole words what is thrown', () => {
    const thrown = [...pages.values()].flatMap((text) => text.match(/^\*\*Throws\*\*.*/gm) ?? [])
    expect(thrown.length).toBeGreaterThan(5)
    expect(thrown.filter((line) => !/^\*\*Throws\*\* [`[].*\w/.test(line))).toEqual([])
  })
})

describe('the picture of the architecture', () => {
  const graph = readRings()

  it('has every ring and no import that the rules forbid', () => {
    expect(graph.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(rings)
        .filter((name) => graph.some((ring) => ring.name === name) || name === 'core')
        .toSorted(),
    )
    for (const { name, imports, lazy } of graph) {
      expect(rings[name]?.rings).toEqual(expect.arrayContaining(imports))
      expect([...(rings[name]?.rings ?? []), ...(rings[name]?.lazyRings ?? [])]).toEqual(
        expect.arrayContaining(lazy),
      )
    }
    expect(graph.find(({ name }) => name === 'server')?.lazy).toEqual(['ajv'])
  })

  it('is drawn with a box for each, and told in words', () => {
    const svg = drawRings(graph, 'Import graph')
    expect(svg.match(/<rect/g)).toHaveLength(graph.length)
    for (const { name } of graph) expect(svg).toContain(`>${name}</text>`)
    expect(tellRings(graph)).toContain('core: nothing')
  })
})
