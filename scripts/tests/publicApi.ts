import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageFolder } from './sources.ts'

/** One name that an entry exports. */
export interface PublicName {
  name: string
  /** `function`, `class`, `const`, `interface`, `type`, … */
  kind: string
  documented: boolean
  /** Marked `@internal`: exported because it must be, but no API. */
  internal: boolean
  /** Where it is declared, as `core/types.ts:12`. */
  place: string
}

const kinds: readonly (readonly [ts.SymbolFlags, string])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Enum, 'enum'],
  [ts.SymbolFlags.Variable, 'const'],
  [ts.SymbolFlags.Interface, 'interface'],
  [ts.SymbolFlags.TypeAlias, 'type'],
  [ts.SymbolFlags.Module, 'namespace'],
]

/** The source files behind the subpaths of a package.json's `exports`, keyed by subpath. */
export function publicEntries(folder = packageFolder): Map<string, string> {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return new Map(
    Object.keys(manifest.exports)
      .filter((subpath) => !subpath.endsWith('.json'))
      .map((subpath) => [subpath, join(folder, 'src', subpath, 'index.ts')] as const)
      .filter(([, file]) => existsSync(file)),
  )
}

/** What each file exports, sorted by name; the files are read from disk or from `texts`. */
export function publicNames(
  files: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): Map<string, PublicName[]> {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    // Names and docblocks need no library types.
    noLib: true,
    types: [],
  }
  const host = ts.createCompilerHost(options, true)
  const { readFile, fileExists, getSourceFile } = host
  // Without it every file is looked for, also those that exist in `texts` only.
  delete host.directoryExists
  host.readFile = (file) => texts[file] ?? readFile(file)
  host.fileExists = (file) => file in texts || fileExists(file)
  host.getSourceFile = (file, language) => {
    const text = texts[file]
    return text === undefined
      ? getSourceFile(file, language)
      : ts.createSourceFile(file, text, language, true)
  }
  const program = ts.createProgram(files, options, host)
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      const symbols = module === undefined ? [] : checker.getExportsOfModule(module)
      const names = symbols.map((symbol) => describe(symbol, checker))
      return [file, names.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
    }),
  )
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): PublicName {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declaration = target.declarations?.[0]
  const file = declaration?.getSourceFile()
  const line = declaration && file?.getLineAndCharacterOfPosition(declaration.getStart()).line
  return {
    name: symbol.name,
    kind:
      kinds
        .filter(([flag]) => target.flags & flag)
        .map(([, kind]) => kind)
        .join(' + ') || 'unresolved',
    documented: target.getDocumentationComment(checker).some(({ text }) => text.trim() !== ''),
    internal: target.getJsDocTags(checker).some(({ name }) => name === 'internal'),
    place: `${file?.fileName.replace(/^.*\/src\//, '') ?? symbol.name}:${(line ?? 0) + 1}`,
  }
}

/** Every public name without a docblock of its own words. */
export function undocumented(names: Iterable<PublicName>): string[] {
  const problems = [...names]
    .filter(({ documented }) => !documented)
    .map(({ name, place }) => `${place} ${name} has no docblock`)
  return [...new Set(problems)]
}
