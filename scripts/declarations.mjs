// Compares the values that each entry's declarations promise with what the built module exports: a
// name that only the types know passes a type check and then fails in the bundler. Needs a build.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const packageFolder = fileURLToPath(new URL('../packages/vue-llm', import.meta.url))
const { exports: subpaths } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
const entries = Object.entries(subpaths).filter(([, target]) => target.types)

const files = entries.map(([, target]) => join(packageFolder, target.types))
const program = ts.createProgram(files, {
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  skipLibCheck: true,
})
const checker = program.getTypeChecker()

/** Whether an export is a value, and not exported for its type alone anywhere on the way. */
function isValue(symbol) {
  for (
    let at = symbol;
    at.flags & ts.SymbolFlags.Alias;
    at = checker.getImmediateAliasedSymbol(at)
  ) {
    if (at.declarations?.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration)))
      return false
  }
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return (target.flags & ts.SymbolFlags.Value) !== 0
}

let failed = false
for (const [index, [subpath, target]] of entries.entries()) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(files[index]))
  const promised = checker
    .getExportsOfModule(module)
    .filter(isValue)
    .map(({ name }) => name)
    .sort()
  const exported = Object.keys(
    await import(pathToFileURL(join(packageFolder, target.default))),
  ).sort()
  const missing = promised.filter((name) => !exported.includes(name))
  const untyped = exported.filter((name) => !promised.includes(name))
  if (missing.length)
    console.error(
      `${subpath}: the declarations promise ${missing.join(', ')}, which the module does not export`,
    )
  if (untyped.length)
    console.error(`${subpath}: the module exports ${untyped.join(', ')} without a declaration`)
  if (missing.length || untyped.length) failed = true
  else console.log(`${subpath}: ${exported.length} values, all declared`)
}
process.exit(failed ? 1 : 0)
