// Compiles tools.schema.json with ajv to a function without ajv: `node scripts/compileDefinitionShape.mjs` writes it to
// src/http-tools. A test fails where what is checked in is not what this gives.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { transform } from 'esbuild'

const target = fileURLToPath(new URL('../src/http-tools/definitionShape.js', import.meta.url))
const schemaFile = new URL('../tools.schema.json', import.meta.url)

/** One error of ajv's code, from its place to the end of what records it. */
const record =
  /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:"[^"]*",keyword:"(\w+)",params:(.*?)\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g

/** How ajv escapes a key in a JSON Pointer. */
const escape = '.replace(/~/g, "~0").replace(/\\//g, "~1")'

/** Of an error only its place is kept, as a JSON Pointer: what is expected there is said by the reader of definitions. */
function place(_whole, _name, at = 'instancePath', keyword, params) {
  // A second error, which says that there was a first one about the name of a property.
  if (keyword === 'propertyNames') return ''
  const [, missing] = /^\{missingProperty: ("[^"]*")/.exec(params) ?? []
  const [, key] = /\},propertyName:(\w+)$/.exec(params) ?? []
  const end = missing ? ` + "/" + ${missing}` : key ? ` + "/" + ${key}${escape}` : ''
  if (keyword === 'required' && !missing) throw new Error('ajv writes `required` in another way')
  return `paths.push(${at}${end});`
}

/** Replaces what must be there. */
function replace(text, pattern, by) {
  const replaced = text.replace(pattern, by)
  if (replaced === text) throw new Error(`ajv no longer writes ${pattern}`)
  return replaced
}

/** The module's text. */
export async function compileDefinitionShape() {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  })
  const validate = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')))
  let code = standaloneCode(ajv, validate)
  code = replace(code, record, place)
  code = replace(
    code,
    /const _errs\d+ = errors;|var valid\d+ = _errs\d+ === errors;if\(!valid\d+\)\{\}/g,
    '',
  )
  code = replace(code, /^.*?(?=const pattern0)/s, '')
  code = replace(
    code,
    /new RegExp\((".*?"), "u"\)/g,
    (_, text) => new RegExp(JSON.parse(text), 'u'),
  )
  code = replace(
    code,
    /function validate\d+\(data, \{.*?\}=\{\}\)\{let vErrors = null;let errors = 0;/,
    () => 'export function invalidPaths(data){const paths = [];const instancePath = "";',
  )
  code = replace(code, /validate\d+\.errors = vErrors;return errors === 0;/, 'return paths;')
  if (/[eE]rr|schema\d/.test(code)) throw new Error('ajv records errors in another way')
  const { code: small } = await transform(code, { minifySyntax: true, target: 'es2022' })
  return `// Made of tools.schema.json by scripts/compileDefinitionShape.mjs.\n${small}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(target, await compileDefinitionShape())
}
