import { findIn } from './findings'
import type { Findings } from './findings'
import { fillString, isPlace } from './fillString'
import { list, record } from './readRequest'
import { resolveSchema, typeOf } from './resolveSchema'
import { alike, plainName } from './words'

type Json = Record<string, unknown>

/** What a value is filled for. */
export interface Slot {
  name: string
  schema: Json
  found: Findings
  /** Whether some value must be given. */
  required: boolean
  /** Values known from results and earlier calls, by property name. */
  facts: Json
  /** Resolves `$ref`. */
  root: Json
  depth: number
}

/**
 * The arguments of the calls that a text asks for, made by the tool's schema: one call, or one for each of several places
 * or quoted texts. `text` speaks of this tool alone; `whole` is the sentence, used where that says too little.
 */
export function fillArguments(schema: Json, text: string, whole: string, facts: Json): Json[] {
  const found = findIn(text)
  const wide = findIn(whole)
  if (!found.places.length) found.places = wide.places
  for (const key of ['email', 'url', 'date', 'time', 'id', 'person'] as const) {
    found[key] ??= wide[key]
  }
  const fill = (use: Findings): Json =>
    record(
      fillValue({ name: '', schema, found: use, required: true, facts, root: schema, depth: 0 }),
    )
  const properties = Object.entries(record(schema['properties']))
  const strings = properties.filter(([, property]) => typeOf(record(property)) === 'string')
  const places = strings.filter(([name, property]) => isPlace(name, record(property)))
  if (places.length === 1 && found.places.length > 1) {
    return found.places.map((place) => fill({ ...structuredClone(found), places: [place] }))
  }
  const required = strings.filter(([name]) => list(schema['required']).includes(name))
  if (!places.length && required.length === 1 && found.quotes.length > 1) {
    return found.quotes.map((quote) => fill({ ...structuredClone(found), quotes: [quote] }))
  }
  return [fill(found)]
}

/** A value for a schema, or `undefined` where nothing fits and nothing is needed. */
export function fillValue(slot: Slot): unknown {
  const schema = resolveSchema(slot.schema, slot.root)
  const use: Slot = { ...slot, schema, depth: slot.depth + 1 }
  if ('const' in schema) return schema['const']
  const choices = list(schema['enum'])
  if (choices.length) return fillEnum(use, choices)
  const filled = slot.depth > 6 ? undefined : byType[typeOf(schema)]?.(use)
  if (filled !== undefined) return filled
  return slot.required ? sample(use) : undefined
}

const byType: Record<string, (slot: Slot) => unknown> = {
  string: fillString,
  number: fillNumber,
  integer: fillNumber,
  boolean: fillBoolean,
  array: fillArray,
  object: fillObject,
}

function fillObject(slot: Slot): Json {
  const required = list(slot.schema['required'])
  const filled: Json = {}
  for (const [name, schema] of Object.entries(record(slot.schema['properties']))) {
    const value = fillValue({
      ...slot,
      name,
      schema: record(schema),
      required: slot.required && required.includes(name),
    })
    // An optional object or list that found nothing is left out.
    const isEmpty = typeof value === 'object' && value !== null && !Object.keys(value).length
    if (value !== undefined && (!isEmpty || required.includes(name))) filled[name] = value
  }
  return filled
}

function fillArray(slot: Slot): unknown[] | undefined {
  const { name, found, schema } = slot
  const items = record(schema['items'])
  const type = typeOf(items)
  const item: Slot = { ...slot, schema: items, required: true }
  const known = lists.find(([names]) => names.test(plainName(name)))?.[1]
  if (list(items['enum']).length) {
    const hits = list(items['enum']).filter((choice) => mentions(found.text, choice))
    if (hits.length || !slot.required) return hits
  } else if (type === 'number' || type === 'integer') {
    if (found.numbers.length) return found.numbers.splice(0)
  } else if (type === 'string') {
    if (isPlace(name, schema)) {
      if (found.places.length) return [...found.places]
    } else if (found.quotes.length) return found.quotes.splice(0)
    else if (slot.required && found.topic && !known) {
      return found.topic.split(/\s*,\s*(?:and\s+|и\s+)?|\s+(?:and|и)\s+/u).filter(Boolean)
    }
  } else if (type === 'object') {
    const pairs = fillPairs(item)
    if (pairs.length) return pairs
  }
  if (!slot.required) return undefined
  if (known && (type === 'string' || type === 'object')) {
    return known.map((quote) => fillValue({ ...item, found: { ...found, quotes: [quote] } }))
  }
  const length = Number(schema['minItems'] ?? 1)
  return Array.from({ length: Math.min(length, 20) }, () => fillValue(item))
}

/** What stands in a list that the text says nothing about. */
const lists: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bingredients?\b/, ['butter', 'flour', 'salt']],
  [
    /\b(?:steps?|instructions?|directions?)\b/,
    ['Prepare everything.', 'Put it together and wait.', 'Taste, and serve.'],
  ],
]

const somePairs = [
  ['Monday', 3],
  ['Tuesday', 5],
  ['Wednesday', 4],
] as const

/** `apples 3, pears 5` for items with a text and a number. */
function fillPairs({ schema, found, root, required }: Slot): Json[] {
  const properties = Object.entries(record(resolveSchema(schema, root).properties))
  const label = properties.find(([, property]) => typeOf(record(property)) === 'string')?.[0]
  const value = properties.find(([, property]) => /num|int/.test(typeOf(record(property))))?.[0]
  if (!label || !value) return []
  const pairs = found.text.matchAll(/(\p{L}+)\s*[:=]?\s*(-?\d+(?:\.\d+)?)/gu)
  const read = [...pairs].map(([, word = '', number]) => [word, Number(number)] as const)
  if (!read.length && required) read.push(...somePairs)
  return read.map(([word, number]) => ({ [label]: word, [value]: number }))
}

function fillNumber({ name, schema, found, facts, required }: Slot): number | undefined {
  const [word = ''] = plainName(name).split(' ').slice(-1)
  const beside = new RegExp(
    `(-?\\d+(?:\\.\\d+)?)\\s*${word}|${word}\\w*\\s*[:=]?\\s*(-?\\d+(?:\\.\\d+)?)`,
    'i',
  )
  // `set the qty of item 1 to 5`
  const same = /^(?:qty|quantity|amount|count)$/.test(word) ? '(?:qty|quantity|amount|count)' : word
  const set = new RegExp(`\\b${same}\\b[^,;]*?\\bto\\s+(-?\\d+(?:\\.\\d+)?)`, 'i')
  const match = set.exec(found.text) ?? beside.exec(found.text)
  const near = match?.[1] ?? match?.[2]
  let value = near === undefined ? undefined : Number(near)
  if (value !== undefined) found.numbers = found.numbers.filter((number) => number !== value)
  else if (required) value = found.numbers.shift() ?? numeric(facts[name])
  if (value === undefined) return undefined
  const bounded = Math.min(
    Math.max(value, numeric(schema['minimum']) ?? -Infinity),
    numeric(schema['maximum']) ?? Infinity,
  )
  return typeOf(schema) === 'integer' ? Math.round(bounded) : bounded
}

function fillBoolean({ name, schema, found, required }: Slot): boolean | undefined {
  const words = plainName(name)
    .split(' ')
    .filter((word) => !/^(?:is|has|with|include)$/.test(word))
  const text = found.text.toLowerCase()
  const word = words.find((part) => part.length > 2 && text.includes(part))
  if (word)
    return !new RegExp(`\\b(?:no|not|without|don.?t|never)\\s+(?:\\w+\\s+)?${word}`).test(text)
  return required ? schema['default'] === true : undefined
}

function fillEnum(
  { found, schema, facts, name, required }: Slot,
  choices: readonly unknown[],
): unknown {
  const hit = choices.find((choice) => mentions(found.text, choice))
  if (hit !== undefined || !required) return hit
  return [facts[name], schema['default']].find((known) => choices.includes(known)) ?? choices[0]
}

function mentions(text: string, choice: unknown): boolean {
  const wanted = plainName(String(choice))
  const words = plainName(text).split(' ')
  return wanted.includes(' ')
    ? ` ${words.join(' ')} `.includes(` ${wanted} `)
    : words.some((word) => alike(word, wanted))
}

/** Something sensible where the text gives nothing: what the schema itself offers, else the least there is. */
function sample({ schema, name, facts }: Slot): unknown {
  const offered = [facts[name], schema['default'], ...list(schema['examples']), schema['example']]
  const known = offered.find((value) => value !== undefined)
  if (known !== undefined) return known
  const type = typeOf(schema)
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') {
    const least = numeric(schema['minimum']) ?? -Infinity
    // Schema libraries give the least safe integer to any integer.
    if (least > Number.MIN_SAFE_INTEGER) return least
    return /\bminutes?\b/.test(plainName(name)) ? 30 : 1
  }
  if (type === 'array') return []
  if (type === 'object') return {}
  return type === 'null' ? null : 'example'
}

function numeric(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
