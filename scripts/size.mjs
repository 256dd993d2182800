// Bundles the imports named in size-budget.json as a user's bundler would and compares them with
// their budgets. Needs a build. Another budget file may be given as an argument. Where an entry has
// `beside`, what it adds to that is measured: a provider adds little to the parts that all of them
// share, which are `useChat`, `defineProvider` and, for those whose models may write calls as text,
// the two wrappers of `createOpenAIProvider`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageFolder = join(root, 'packages', 'vue-llm')
const budgets = JSON.parse(
  readFileSync(process.argv[2] ?? join(root, 'scripts', 'size-budget.json'), 'utf8'),
)
const { exports: subpaths } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))

/** Resolves `vue-llm` and its subpaths to the built package, as its `exports` say. */
const builtPackage = {
  name: 'built-package',
  setup({ onResolve }) {
    onResolve({ filter: /^vue-llm(\/|$)/ }, ({ path }) => {
      const target = subpaths[`.${path.slice('vue-llm'.length)}`]?.default
      if (target === undefined) return { errors: [{ text: `package.json exports no "${path}"` }] }
      const file = join(packageFolder, target)
      if (!existsSync(file))
        return { errors: [{ text: `${target} is missing: run "npm run build"` }] }
      return { path: file, sideEffects: false }
    })
  },
}

async function bundle(statement) {
  const result = await build({
    stdin: { contents: statement, resolveDir: packageFolder, sourcefile: 'entry.js' },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    // Neutral, so that an import of a Node module is an error and not silently left in.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import', 'browser'],
    external: ['vue', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [builtPackage],
  })
  // "Import … will always be undefined" is a warning to esbuild; here it is a wrong budget line.
  const missing = result.warnings.find(({ id }) => id === 'import-is-undefined')
  if (missing !== undefined) throw new Error(missing.text)
  const [output] = Object.values(result.metafile.outputs)
  const text = result.outputFiles[0].text
  return {
    min: Buffer.byteLength(text),
    gzip: gzipSync(text, { level: 9 }).length,
    text,
    externals: output.imports.filter(({ external }) => external).map(({ path }) => path),
    inputs: Object.keys(result.metafile.inputs),
  }
}

/** The entries that browsers load. */
const clientEntries = new Set(['.', './core', './providers', './http-tools'])

/** What a bundle of a client's entry must be free of. */
function foreignParts({ text, externals, inputs }) {
  const found = externals.filter((path) => path !== 'vue').map((path) => `an import of "${path}"`)
  if (/\bajv\b/i.test(text) || inputs.some((path) => /[\\/]ajv[\\/@]/.test(path))) found.push('ajv')
  if (inputs.some((path) => path.endsWith('dist/server.js'))) found.push('the server')
  if (/\bnode:[a-z]/.test(text)) found.push('a "node:" module')
  if (/\bnew Function\b|[^.\w]Function\(/.test(text)) found.push('new Function')
  return found
}

const rows = []
const problems = []

async function attempt(name, work) {
  try {
    return await work()
  } catch (error) {
    const texts = error.errors?.map(({ text }) => text) ?? [error.message]
    problems.push(`${name}: ${texts.join('; ')}`)
    return undefined
  }
}

/** The size of a statement, or of what it adds to another. */
async function measure(statement, beside) {
  const size = await bundle(beside === undefined ? statement : `${beside}; ${statement}`)
  if (beside === undefined) return size
  const without = await bundle(beside)
  return { min: size.min - without.min, gzip: size.gzip - without.gzip }
}

for (const { name, import: statement, beside, gzip: budget } of budgets) {
  const size = await attempt(name, () => measure(statement, beside))
  if (size === undefined) continue
  rows.push({ entry: name, min: size.min, gzip: size.gzip, budget })
  if (size.gzip > budget) problems.push(`${name}: ${size.gzip - budget} bytes over its budget`)
}

for (const subpath of Object.keys(subpaths).filter((one) => !one.endsWith('.json'))) {
  const specifier = `vue-llm${subpath.slice(1)}`
  const size = await attempt(specifier, () => bundle(`export * from '${specifier}'`))
  if (size === undefined) continue
  rows.push({ entry: `all of ${specifier}`, min: size.min, gzip: size.gzip })
  if (subpath !== '.' && size.externals.includes('vue'))
    problems.push(`${specifier} imports Vue: only the root entry may`)
  if (!clientEntries.has(subpath)) continue
  for (const part of foreignParts(size)) problems.push(`${specifier} contains ${part}`)
}

const table = [
  ['entry', 'min', 'gzip', 'budget'],
  ...rows.map(({ entry, min, gzip, budget }) => [entry, min, gzip, budget ?? ''].map(String)),
]
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
for (const row of table) {
  const cells = row.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
  )
  console.log(cells.join('  ').trimEnd())
}
for (const problem of problems) console.error(`size: ${problem}`)
if (problems.length > 0) process.exitCode = 1
