import type { Slot } from './fillArguments'
import type { Findings } from './findings'
import { zoneOf } from './places'
import { list } from './readRequest'
import { plainName } from './words'

interface Kind {
  /** Matched against the property's name in plain words. */
  names: RegExp
  /** What the text offers for it. */
  find(found: Findings): string | undefined
  /** What does where the text offers nothing. */
  sample: string
}

const placeNames =
  /\b(?:city|cities|town|location|place|places|destination|country|countries|region|capital|where|address)\b/

// The first kind whose name fits decides.
const kinds: Kind[] = [
  {
    names: /\b(?:time ?zone|tz)\b/,
    find: ({ places }) => zoneOf(places[0]),
    sample: 'Europe/Paris',
  },
  { names: /\be? ?mail|recipient/, find: ({ email }) => email, sample: 'ada@example.com' },
  { names: /\b(?:url|uri|link|website)\b/, find: ({ url }) => url, sample: 'https://example.com' },
  {
    names: /\b(?:path|file|filename|file name)\b/,
    find: ({ text, quotes }) => quotes[0] ?? wordIn(text, /[\w./~-]*\w\.[a-z]\w{0,4}\b/i),
    sample: 'notes.txt',
  },
  { names: /\bquestion\b/, find: ({ text }) => questionIn(text), sample: 'What would you like?' },
  {
    names: /\b(?:expression|formula|equation|calculation)\b/,
    find: ({ expression }) =>
      expression
        ?.replace(/plus/g, '+')
        .replace(/minus/g, '-')
        .replace(/times|[x×]/g, '*')
        .replace(/÷/g, '/')
        .trim(),
    sample: '2 + 2',
  },
  {
    names: /^(?:from|origin|departure|source)\b|\bfrom$/,
    find: ({ from, currencies, places }) =>
      from ?? (currencies.length > 1 ? currencies[0] : undefined) ?? places[0],
    sample: 'Oslo',
  },
  {
    names: /^(?:to|destination|arrival|target)\b|\bto$/,
    find: ({ email, to, currencies, places, person }) =>
      email ?? to ?? (currencies.length > 1 ? currencies[1] : undefined) ?? places[1] ?? person,
    sample: 'Paris',
  },
  { names: /\bcurrency\b/, find: ({ currencies }) => currencies[0], sample: 'EUR' },
  { names: placeNames, find: ({ places }) => places[0], sample: 'Paris' },
  {
    names: /\b(?:date|day|when)\b/,
    find: ({ date, text }) => date ?? dayIn(text),
    sample: 'today',
  },
  { names: /\btime\b/, find: ({ time }) => time, sample: '09:00' },
  { names: /\b(?:id|key|code|number|sku|ref|reference)$/, find: idIn, sample: '42' },
  {
    names: /\b(?:person|customer|user|guest|contact|first name|last name|full name|username)\b/,
    find: ({ person }) => person,
    sample: 'Ada',
  },
  { names: /^name$/, find: ({ quotes, person }) => quotes[0] ?? person, sample: 'Ada' },
  { names: /\b(?:amount|quantity)\b/, find: ({ text }) => wordIn(text, amounts), sample: '1 cup' },
  { names: /\bcolou?r\b/, find: ({ text }) => wordIn(text, colors), sample: 'teal' },
  {
    names: /\b(?:language|lang|locale)\b/,
    find: ({ text }) => wordIn(text, languages),
    sample: 'English',
  },
]

const amounts = /\b\d+(?:\.\d+)? ?(?:kg|g|ml|l|cups?|pieces?)\b/
const colors =
  /\b(?:red|green|blue|yellow|orange|purple|pink|black|white|grey|gray|teal|#[\da-f]{3,6})\b/i
const languages =
  /\b(?:English|French|German|Spanish|Italian|Russian|Japanese|Chinese|Portuguese)\b/i

/** Whether a property takes a place's name. */
export function isPlace(name: string, schema: Record<string, unknown>): boolean {
  const plain = plainName(name)
  const kind = kinds.find(({ names }) => names.test(plain))
  if (kind) return kind.names === placeNames || /zone|tz/.test(plain)
  return /\b(?:city|town|place|location)\b/i.test(String(schema['description'] ?? ''))
}

/** A text for a property: what the user wrote of its kind, else a sensible example where one is needed. */
export function fillString({ name, schema, found, facts, required }: Slot): string | undefined {
  const plain = plainName(name)
  const format = typeof schema['format'] === 'string' ? schema['format'] : ''
  const kind =
    kinds.find(({ names }) => names.test(plain) || (format && names.test(format))) ??
    (isPlace(name, schema) ? kinds.find(({ names }) => names === placeNames) : undefined)
  const value = kind ? kind.find(found) : found.quotes.shift()
  if (value !== undefined) return fit(value, schema)
  if (!required) return undefined
  const known = [facts[name], schema['default'], ...list(schema['examples'])]
  const offered = known.find((one) => typeof one === 'string') ?? exampleIn(schema['description'])
  if (kind) return fit(typeof offered === 'string' ? offered : sampleOf(kind, format), schema)
  if (typeof facts[name] === 'string') return fit(facts[name], schema)
  return fit(found.topic || (typeof offered === 'string' ? offered : 'example'), schema)
}

function sampleOf(kind: Kind, format: string): string {
  if (format === 'date') return '2026-01-15'
  return format === 'date-time' ? '2026-01-15T09:00:00Z' : kind.sample
}

/** `Paris` of `City, e.g. Paris, France`. */
function exampleIn(description: unknown): string | undefined {
  const match = /(?:e\.g\.,?|for example,?|such as|like|например,?)\s*["“'`]?([^"”'`,;.)]+)/iu.exec(
    String(description ?? ''),
  )
  return match?.[1]?.trim()
}

/** `#42`, the number of `item 1`, else the first number there is. */
function idIn(found: Findings): string | undefined {
  const { id, text, numbers, quotes } = found
  if (id) return id
  const named = /\b(?:id|item|number|order|product|task|ticket|user) (\d+)\b/i.exec(text)?.[1]
  if (!named) return numbers.shift()?.toString() ?? quotes[0]
  found.numbers = numbers.filter((number) => number !== Number(named))
  return named
}

function dayIn(text: string): string | undefined {
  const match =
    /\b(?:today|tomorrow|tonight|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i.exec(
      text,
    )
  if (match) return match[0].toLowerCase()
  if (/сегодня/i.test(text)) return 'today'
  return /завтра/i.test(text) ? 'tomorrow' : undefined
}

/** A question as it is; what to ask for as one. */
function questionIn(text: string): string | undefined {
  if (/\?\s*$/.test(text)) return text.trim()
  const match =
    /\bask (?:me|us|the user|them) (?:(?:for|about|to \w+) )?(?:(?:an?|the|my) )?(.+?)[\s.!]*$/i.exec(
      text,
    )
  return match ? `Which ${match[1]} would you like?` : undefined
}

function wordIn(text: string, words: RegExp): string | undefined {
  return words.exec(text)?.[0]
}

function fit(value: string, schema: Record<string, unknown>): string {
  const most = schema['maxLength']
  return typeof most === 'number' ? value.slice(0, most) : value
}
