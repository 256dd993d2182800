import { isPlainObject } from '../core'
import { parseLiteral } from './literal'
import type { DialectInput } from './types'

/** What is looked at in the schema of one argument. */
interface Schema {
  type?: string | string[]
  anyOf?: unknown[]
  oneOf?: unknown[]
  nullable?: boolean
}

/** Writes the arguments of a call whose values are raw text, as JSON that grows. @internal */
export interface TypedArgs {
  /** Whether the tool knows an argument of this name; one that nothing is known of takes any. */
  isDeclared(name: string): boolean
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
  const properties = input.find(toolName)?.parameters.properties
  let separator = '{'
  let types: string[] = []
  let isText = false
  let text = ''
  /** Whether the beginning of the value was read. */
  let isBegun = false
  /** The line end before it. */
  let padding = ''

  const begin = (isEnd: boolean): boolean => {
    if (!isBegun && (isEnd || /^(\r.|[^\r])/s.test(text))) {
      isBegun = true
      padding = (isPadded && /^\r?\n/.exec(text)?.[0]) || ''
      text = text.slice(padding.length)
    }
    return isBegun
  }
  const growText = (more: string): void => input.grow(JSON.stringify(more).slice(1, -1))
  return {
    isDeclared: (name) => !properties || Object.hasOwn(properties, name),
    open(name) {
      types = typesOf(properties && Object.hasOwn(properties, name) ? properties[name] : {})
      isText = types.every((type) => type === 'string')
      text = ''
      isBegun = false
      input.grow(`${separator}${JSON.stringify(name)}:${isText ? '"' : ''}`)
      separator = ','
    },
    put(more) {
      text += more
      if (!isText || !begin(false)) return
      const end = isPadded ? text.search(/\r?\n?$/) : text.length
      growText(text.slice(0, end))
      text = text.slice(end)
    },
    close() {
      begin(true)
      if (isPadded) text = text.replace(padding === '\n' ? /\n$/ : /\r?\n$/, '')
      if (isText) growText(text)
      input.grow(isText ? '"' : toJSON(text, types))
    },
    end() {
      input.grow(separator === '{' ? '{}' : '}')
      input.end()
    },
  }
}

function typesOf(schema: unknown): string[] {
  if (!isPlainObject(schema)) return []
  const { type = [], anyOf = [], oneOf = [], nullable } = schema as Schema
  return [...(nullable ? ['null'] : []), ...[type].flat(), ...[...anyOf, ...oneOf].flatMap(typesOf)]
}

function toJSON(text: string, types: readonly string[]): string {
  const word = text.trim()
  if (types.includes('null') && /^(null|None)$/.test(word)) return 'null'
  for (const type of types) {
    const number = +word
    if (type === 'integer' && /^-?\d+$/.test(word) && Number.isSafeInteger(number))
      return `${number}`
    if (type === 'number' && /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) && isFinite(number)) {
      return `${number}`
    }
    if (type === 'boolean' && /^(true|false)$/i.test(word)) return word.toLowerCase()
    if (type === 'object' || type === 'array') {
      const value = parseLiteral(word)
      if (type === 'array' ? Array.isArray(value) : isPlainObject(value))
        return JSON.stringify(value)
    }
  }
  return JSON.stringify(text)
}
