import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** One source file: its path within `packages/vue-llm/src` with `/`, and its text. */
export interface Source {
  path: string
  text: string
}

/** The folder of the package. */
export const packageFolder = fileURLToPath(new URL('../../packages/vue-llm', import.meta.url))

/** The folder that holds the rings. */
export const sourceFolder = join(packageFolder, 'src')

const testFile = /\.(test|test-d|bench)\.ts$|(^|\/)(__tests__|fixtures)\//

/** Every source file of the package, tests left out. */
export function readSources(): Source[] {
  return readdirSync(sourceFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|vue)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: relative(sourceFolder, file).split(sep).join('/') }))
    .filter(({ path }) => !testFile.test(path))
    .map(({ file, path }) => ({ path, text: readFileSync(file, 'utf8') }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The TypeScript of a source: a `.vue` file's scripts, everything else blanked out line by line. */
export function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, scriptOf(path, text), ts.ScriptTarget.Latest, true)
}

function scriptOf(path: string, text: string): string {
  if (!path.endsWith('.vue')) return text
  let inside = false
  return text
    .split('\n')
    .map((line) => {
      const tag = /^<(\/?)script\b/.exec(line)
      if (tag !== null) inside = tag[1] === ''
      return inside && tag === null ? line : ''
    })
    .join('\n')
}

/** Calls `visit` with every node below `node`, outermost first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child)
    walk(child, visit)
  })
}

/** The line of a position, counted from 1. */
export function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1
}
