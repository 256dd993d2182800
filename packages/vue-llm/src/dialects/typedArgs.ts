import { isPlainObject, toToolDefinition, type AnyTool, type JSONSchema } from '../core'
import { parseLiteral } from './literal'
import { escapeText, findTool } from './text'
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
  const properties = propertiesOf(findTool(input, toolName))
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
    isDeclared: (name) => !properties || Object.hasOwn(properties, name),
    open(name) {
      types = typesOf(properties && Object.hasOwn(properties, name) ? properties[name] : {})
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

function propertiesOf(tool: AnyTool | undefined): JSONSchema['properties'] {
  try {
    return tool && toToolDefinition(tool).parameters.properties
  } catch {
    // A schema that gives no JSON Schema: providers that send tools have complained already.
    return undefined
  }
}

function typesOf(schema: unknown): string[] {
  if (!isPlainObject(schema)) return []
  const { type = [], anyOf = [], oneOf = [], nullable } = schema as Schema
  return [...(nullable ? ['null'] : []), ...[type].flat(), ...[...anyOf, ...oneOf].flatMap(typesOf)]
}

function toJSON(text: string, types: readonly string[]): string {
  const word = text.trim()
  const isDigits = /^-?\d+$/.test(word)
  const value = isDigits
    ? +word
    : parseLiteral(/^(true|false)$/i.test(word) ? word.toLowerCase() : word)
  const fits: Record<string, boolean> = {
    null: value === null,
    integer: isDigits && Number.isSafeInteger(value),
    number: Number.isFinite(value),
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: isPlainObject(value),
  }
  return JSON.stringify(types.some((type) => fits[type]) ? value : text)
}
