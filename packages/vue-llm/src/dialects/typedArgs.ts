import { isPlainObject, toToolDefinition, type AnyTool } from '../core'
import { parseLiteral } from './literal'
import { escapeText, findTool } from './text'
import type { DialectInput } from './types'

/** What is looked at in a schema; each may hold anything. */
interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown
  nullable?: boolean
  properties?: unknown
  $ref?: unknown
  allOf?: unknown
  anyOf?: unknown
  oneOf?: unknown
}

/** Writes the arguments of a call whose values are raw text, as JSON that grows. @internal */
export interface TypedArgs {
  /** Whether the call lacks an argument of this name that the tool knows; one that nothing is known of takes any. */
  mayFollow(name: string): boolean
  /** Begins an argument. */
  open(name: string): void
  /** Adds to its text. */
  put(text: string): void
  /** Ends it. */
  close(): void
  /** Ends the arguments. */
  end(): void
}

/**
 * The schema gives the type: what can't be converted, and what has no type, is text. `isPadded` tells that a value
 * stands between two line ends of its own.
 * @internal
 */
export function createTypedArgs(
  input: DialectInput,
  toolName: string,
  isPadded?: boolean,
): TypedArgs {
  const root = schemaOf(findTool(input, toolName))
  const declared = [...partsOf(root, root)]
    .map(({ properties }) => properties)
    .filter((properties) => isPlainObject(properties))
  const given = new Set<string>()
  let separator = '{'
  let types: string[] = []
  let isText = false
  let text = ''
  /** The line end before the value, once that has begun. */
  let padding: string | undefined

  const give = (isEnd: boolean): void => {
    if (padding === undefined) {
      if (!isEnd && /^\r?$/.test(text)) return
      padding = (isPadded && /^\r?\n/.exec(text)?.[0]) || ''
      text = text.slice(padding.length)
    }
    // A line end may be the one before the closer.
    const end = isPadded ? text.search(padding === '\n' ? /\n?$/ : /\r?\n?$/) : text.length
    const value = text.slice(0, isEnd && text.slice(end) === '\r' ? undefined : end)
    text = text.slice(end)
    if (isText) input.grow(escapeText(value))
    else if (isEnd) input.grow(toJSON(value, types))
  }
  return {
    mayFollow: (name) =>
      !given.has(name) &&
      (!declared.length || declared.some((properties) => Object.hasOwn(properties, name))),
    open(name) {
      given.add(name)
      types = declared.flatMap((properties) =>
        Object.hasOwn(properties, name) ? typesOf(properties[name], root) : [],
      )
      isText = types.every((type) => type === 'string')
      text = ''
      padding = undefined
      input.grow(`${separator}${JSON.stringify(name)}:${isText ? '"' : ''}`)
      separator = ','
    },
    put(more) {
      text += more
      if (isText) give(false)
    },
    close() {
      give(true)
      if (isText) input.grow('"')
    },
    end() {
      input.grow(separator === '{' ? '{}' : '}')
      input.end()
    },
  }
}

function schemaOf(tool: AnyTool | undefined): unknown {
  try {
    return tool && toToolDefinition(tool).parameters
  } catch {
    // A schema that gives no JSON Schema: providers that send tools have complained already.
    return undefined
  }
}

/** A schema and all that it is made of, in their order; each once, as a reference may lead back to where it stands. */
function* partsOf(schema: unknown, root: unknown, seen = new Set<unknown>()): Generator<Schema> {
  if (!isPlainObject(schema) || seen.has(schema)) return
  seen.add(schema)
  yield schema
  const { $ref, allOf, anyOf, oneOf }: Schema = schema
  for (const part of [refer(root, $ref), allOf, anyOf, oneOf].flat()) {
    yield* partsOf(part, root, seen)
  }
}

/** What a reference within a schema points to (RFC 6901). */
function refer(root: unknown, $ref: unknown): unknown {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  let at = root
  for (const key of $ref.split('/').slice(1)) {
    at = (Object(at) as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return at
}

const typesOf = (schema: unknown, root: unknown): string[] =>
  [...partsOf(schema, root)].flatMap((part) => [
    ...(part.nullable ? ['null'] : []),
    ...(part.type ? [part.type].flat() : valuesOf(part).map(typeOf)),
  ])

const valuesOf = (part: Schema): unknown[] =>
  'const' in part ? [part.const] : Array.isArray(part.enum) ? part.enum : []

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

function toJSON(text: string, types: readonly string[]): string {
  const word = text.trim()
  const isDigits = /^-?\d+$/.test(word)
  let value = isDigits
    ? +word
    : parseLiteral(/^(true|false)$/i.test(word) ? word.toLowerCase() : word)
  // Some models write a list or an object as a string that holds it.
  const inner = typeof value === 'string' && parseLiteral(value)
  if (inner && typeof inner === 'object') value = inner
  const isSafe = Number.isSafeInteger(value)
  const fits: Record<string, boolean> = {
    null: value === null,
    integer: isDigits && isSafe,
    // A long id would lose digits.
    number: Number.isFinite(value) && (!isDigits || isSafe || `${value}` === word),
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: isPlainObject(value),
  }
  return JSON.stringify(types.some((type) => fits[type]) ? value : text)
}
