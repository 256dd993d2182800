/** A stretch of a text. */
export interface Place {
  /** Offsets into the text; the end is behind the last character. */
  start: number
  end: number
}

/** Where everything in a JSON text is. */
export interface JSONPlaces {
  /** The values by their JSON Pointers, each with its key where it has one. */
  places: ReadonlyMap<string, Place & { key?: Place }>
  /** The first thing that is no JSON. */
  error?: Place & { message: string }
}

class SyntaxProblem extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const literals = /true|false|null/y
const numbers = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- what JSON allows in a string
const stringParts = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

/** Reads a text as strictly as `JSON.parse` does, and finds the place of every value, or of the first error. */
export function findPlaces(text: string): JSONPlaces {
  const places = new Map<string, Place & { key?: Place }>()
  let at = 0

  function skipSpace(): void {
    while (/[ \t\n\r]/.test(text.charAt(at))) at++
  }
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  function fail(expected: string): never {
    const rest = text.slice(at, at + 20).split(/\s/, 1)[0]
    throw new SyntaxProblem(rest ? `expected ${expected}` : `${expected} is missing here`, at)
  }
  function readString(what: string): string {
    const start = at
    if (text.charAt(at) !== '"') fail(what)
    at++
    take(stringParts)
    if (text.charAt(at) !== '"') fail(text.charAt(at) === '\\' ? 'a known escape' : 'a closing "')
    at++
    return JSON.parse(text.slice(start, at)) as string
  }
  /** What stands between brackets, up to the closing one. */
  function readItems(close: string, readItem: (index: number) => void): void {
    at++
    skipSpace()
    if (text.charAt(at) === close) return void at++
    for (let index = 0; ; index++) {
      readItem(index)
      skipSpace()
      const mark = text.charAt(at)
      if (mark !== ',' && mark !== close) fail(`a comma or ${close}`)
      at++
      if (mark === close) return
      skipSpace()
    }
  }
  function readMember(pointer: string): void {
    const start = at
    const name = readString('a name in double quotes')
    const key = { start, end: at }
    skipSpace()
    if (text.charAt(at) !== ':') fail('a colon')
    at++
    readValue(`${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`, key)
  }
  function readValue(pointer: string, key?: Place): void {
    skipSpace()
    const start = at
    const mark = text.charAt(at)
    if (mark === '{') readItems('}', () => readMember(pointer))
    else if (mark === '[') readItems(']', (index) => readValue(`${pointer}/${index}`))
    else if (mark === '"') readString('a text')
    else if (!(take(literals) ?? take(numbers))) fail('a value')
    places.set(pointer, { start, end: at, ...(key && { key }) })
  }

  try {
    readValue('')
    skipSpace()
    if (at < text.length) fail('nothing more')
    return { places }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { message, offset } = error
    return { places, error: { message, start: offset, end: Math.min(offset + 1, text.length) } }
  }
}

/** The place of what a JSON Pointer names; where that is missing, of the nearest thing that it should be in. */
export function placeOf({ places }: JSONPlaces, pointer: string): Place {
  const found = places.get(pointer)
  if (found) return found
  const parent = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
  if (parent === pointer) return { start: 0, end: 0 }
  const { start } = placeOf({ places }, parent)
  return { start, end: start + 1 }
}

/** Line and column of an offset, both from 1. */
export function lineOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
