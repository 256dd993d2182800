import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript'
import { lineAt, parse, type Source, walk } from './sources.ts'

/** What one ring may import. */
interface RingRule {
  /** Other rings, through their `index.ts`. */
  rings: readonly string[]
  /** Rings that only a dynamic `import()` may enter. */
  lazyRings?: readonly string[]
  /** Packages, with their subpaths. */
  packages: readonly string[]
  /** Whether Node's own modules are allowed. */
  node?: boolean
}

/** The import graph of `packages/vue-llm/src`; CONTRIBUTING.md shows it. */
export const rings: Readonly<Record<string, RingRule>> = {
  core: { rings: [], packages: [] },
  dialects: { rings: ['core'], packages: [] },
  'http-tools': { rings: ['core'], packages: [] },
  testing: { rings: ['core'], packages: [] },
  'testing/node': { rings: ['core', 'testing'], packages: [], node: true },
  ajv: { rings: ['core'], packages: ['ajv', 'ajv-formats'] },
  providers: { rings: ['core', 'dialects'], packages: ['eventsource-parser'] },
  server: {
    rings: ['core', 'providers', 'dialects', 'http-tools'],
    lazyRings: ['ajv'],
    packages: [],
    node: true,
  },
  vue: { rings: ['core'], packages: ['vue', '@vue/devtools-api'] },
  'index.ts': { rings: ['vue', 'core', 'providers'], packages: [] },
}

interface ImportSite {
  specifier: string
  line: number
  lazy: boolean
}

/** Every import of a file: static, type-only, re-exported, dynamic, and in `import('…')` types. */
function importsOf(source: Source): ImportSite[] {
  const file = parse(source)
  const found: ImportSite[] = []
  const add = (literal: ts.Node | undefined, lazy: boolean): void => {
    if (literal === undefined || !ts.isStringLiteralLike(literal)) return
    found.push({ specifier: literal.text, line: lineAt(file, literal.getStart()), lazy })
  }
  walk(file, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, false)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], true)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, false)
    }
  })
  return found
}

/** The ring of a path within `src`, longest name first, or the path's first segment. */
function ringOf(path: string): string {
  const names = Object.keys(rings).toSorted((a, b) => b.length - a.length)
  const known = names.find((name) => path === name || path.startsWith(`${name}/`))
  return known ?? path.split('/')[0] ?? path
}

function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Says what is wrong with one import, or nothing. */
function problemOf(source: Source, { specifier, lazy }: ImportSite): string | undefined {
  const ring = ringOf(source.path)
  const rule = rings[ring]
  if (rule === undefined) return undefined
  if (isNodeModule(specifier)) {
    return rule.node === true
      ? undefined
      : `"${specifier}" (Node's modules only in server, testing/node)`
  }
  if (!specifier.startsWith('.')) {
    if (rule.packages.includes(packageOf(specifier))) return undefined
    return `the package "${specifier}"`
  }
  const target = posix.join(posix.dirname(source.path), specifier)
  if (target.startsWith('..')) return `"${specifier}", outside src`
  const targetRing = ringOf(target)
  if (targetRing === ring) return undefined
  const allowed =
    rule.rings.includes(targetRing) || (lazy && rule.lazyRings?.includes(targetRing) === true)
  if (!allowed)
    return `the ring ${targetRing}${rule.lazyRings?.includes(targetRing) === true ? ' other than lazily' : ''}`
  const door = [targetRing, `${targetRing}/index`, `${targetRing}/index.ts`]
  return door.includes(target) ? undefined : `"${specifier}" past the ring's index.ts`
}

/** Every import that breaks the graph, as `path:line imports …`. */
export function importProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    if (rings[ringOf(source.path)] === undefined) {
      return [`${source.path} is in no ring: add its folder to scripts/tests/importGraph.ts`]
    }
    return importsOf(source).flatMap((site) => {
      const problem = problemOf(source, site)
      return problem === undefined ? [] : [`${source.path}:${site.line} imports ${problem}`]
    })
  })
}
