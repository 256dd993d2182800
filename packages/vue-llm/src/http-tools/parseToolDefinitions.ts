import { isPlainObject, LLMError } from '../core'
import { checkDefinition } from './checkDefinition'
import { invalidPaths } from './definitionShape'
import { pointer } from './pointer'
import type {
  DefinitionOptions,
  DefinitionProblem,
  HttpToolDefinition,
  ParsedDefinitions,
} from './types'

/** The fields of a definition, and what must be there. */
const expected: Record<string, string> = {
  name: '1 to 64 characters without spaces, quotes, <, > and =',
  description: 'text',
  parameters: 'a JSON Schema (an object)',
  url: 'a URL',
  method: 'an HTTP method',
  headers: 'an object of texts',
}

/** What OpenAI accepts in one request. */
const maxTools = 128

/**
 * Reads a definition file (guide §3): its text, its bytes, or what `JSON.parse` made of it. Unknown fields are left out,
 * and so is what is `null`; everything else comes back as it was.
 *
 * @throws {@link LLMError} `invalid-definition`; its `errors` hold every problem with its place as a JSON Pointer.
 */
export function parseToolDefinitions(
  input: unknown,
  options: DefinitionOptions = {},
): ParsedDefinitions {
  const value = readJSON(input)
  const errors: DefinitionProblem[] = []
  const warnings: DefinitionProblem[] = []
  const definitions: HttpToolDefinition[] = []
  const names = new Map<unknown, string>()
  const bad = new Set(invalidPaths(value))
  const add = (list: DefinitionProblem[]) => (path: string, message: string) => {
    // What the schema refused is looked at no further.
    if (!bad.has(path)) list.push({ path, message })
  }
  const fail = add(errors)
  const warn = add(warnings)
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const path = `/${index}`
    if (!isPlainObject(item)) continue
    if (isPlainObject(item.function)) {
      fail(`${path}/function`, 'expected its fields one level up, and a url')
    }
    const definition = pickFields(item, path, bad, warn)
    definitions.push(definition)
    const { name } = definition
    const first = names.get(name)
    if (first) fail(`${path}/name`, `the name of ${first} too`)
    else names.set(name, path)
    checkDefinition(definition, path, options, fail, warn)
  }
  if (definitions.length > maxTools) {
    warn('', `more than ${maxTools} tools, which some models refuse`)
  }
  const all = [
    ...Array.from(bad, (path) => ({ path, message: shapeMessage(path, value) })),
    ...errors,
  ]
  if (all.length) throw invalidDefinition(all)
  return { definitions, warnings }
}

/** The known fields of an element that the schema did not refuse, in the order they have. */
function pickFields(
  item: Record<string, unknown>,
  path: string,
  bad: ReadonlySet<string>,
  warn: (path: string, message: string) => void,
): HttpToolDefinition {
  const kept = Object.entries(item).filter(([field, value]) => {
    const at = path + pointer(field)
    if (Object.hasOwn(expected, field)) return value !== null && value !== undefined && !bad.has(at)
    warn(at, 'unknown, ignored')
    return false
  })
  return Object.fromEntries(kept) as unknown as HttpToolDefinition
}

/** What the schema expects at a place. */
function shapeMessage(path: string, root: unknown): string {
  const [, index = '', field = '', header] = path.split('/')
  const isMissing = field && Object(Object(root)[index])[field] === undefined
  const what =
    header !== undefined
      ? 'a name and a text that fit in a header'
      : field
        ? expected[field]
        : index
          ? 'an object'
          : 'an array of definitions'
  return `${isMissing ? 'missing, ' : ''}expected ${what}`
}

function readJSON(input: unknown): unknown {
  let message = 'not UTF-8'
  try {
    const text =
      input instanceof Uint8Array ? new TextDecoder('utf-8', { fatal: true }).decode(input) : input
    if (typeof text !== 'string') return text
    message = text.trim() ? 'not valid JSON' : 'empty'
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    // Only the place: the rest of the engine's text quotes the file.
    const [at] = /(position|line) [\w ]*\d/.exec(String(error)) ?? []
    throw invalidDefinition([{ path: '', message: at ? `${message} (${at})` : message }])
  }
}

function invalidDefinition(errors: DefinitionProblem[]): LLMError {
  const list = errors.map(({ path, message }) => `${path || 'file'}: ${message}`)
  return new LLMError('invalid-definition', `Invalid tool definitions: ${list.join('; ')}`, {
    errors,
  })
}
