import { parseJSON } from './parseJSON'
import { isPlainObject } from './plain'

/** The arguments of one tool call while their text arrives. */
export interface PartialArgs {
  /** Feeds more text. */
  push(text: string): void
  /**
   * The latest snapshot: `{}` before anything is known, frozen at its top, the same object until
   * there is something new. It never changes later; what is whole in it is shared with the next.
   */
  readonly value: Readonly<Record<string, unknown>>
  /**
   * Ends the text: the whole arguments, or what is wrong with them. `text` is all of it; it is looked at again only where
   * something is.
   */
  end(text: string): { args: Readonly<Record<string, unknown>> } | { error: string }
}

/** An open container: `key` is that of its last member, `weight` the cost of the path to it. */
interface Frame {
  up: Frame | undefined
  items: Record<string | number, unknown>
  key: string | number
  isList: boolean
  weight: number
}

/**
 * Parses the arguments of a tool call as they stream: what `JSON.parse` takes, in linear time.
 *
 * Snapshots show an open string as far as it is certain (no cut escape, no half of a surrogate
 * pair), a number or literal once a delimiter follows, and a key with the beginning of its value.
 * What a push brings is in the next snapshot, except under wide containers, which are copied only
 * after enough new text. Nesting deeper than 500 is an error.
 */
// long: the variables of one parser and the small steps that share them
export function createPartialArgs(text = ''): PartialArgs {
  // Here, so that bundlers put the numbers in place of the names.
  // What comes next. FIRST: a member or the closing bracket. SHUT: nothing, after an error.
  const VALUE = 0
  const FIRST = 1
  const KEY = 2
  const COLON = 3
  const AFTER = 4
  const LITERAL = 5
  const NAME = 6
  const STRING = 7
  const SHUT = 8

  const MAX_DEPTH = 500
  // A copy of the open path costs 1 for an element of a list, MEMBER for a member of an object. Up to
  // LIGHT it is made for whatever is new; what is above has to be paid for with new characters.
  const MEMBER = 16
  const LIGHT = 24 * MEMBER

  /** The text at hand, and how much of all was read before it. */
  let input = ''
  let base = 0
  let state = VALUE
  let root: Record<string, unknown> = {}
  let frame: Frame | undefined
  let depth = 0
  /** What is known of an open string, name or literal. */
  let token = ''
  /** What waits for its other half: a high surrogate, an escape. */
  let held = ''
  let rest = ''
  /** The cost of a copy of the open path; `shown` is the last one, `isNew` tells if one is due. */
  let weight = 0
  let isNew = false
  let shownAt = 0
  let shownWeight = 0
  let shown: Readonly<Record<string, unknown>> = Object.freeze({})

  const put = ({ items, key }: Frame, value: unknown): void => {
    isNew = true
    if (key !== '__proto__') items[key] = value
    else Object.defineProperties(items, Object.getOwnPropertyDescriptors({ [key]: value }))
  }

  /** Reads the content of a string or name, and the quote after it; returns where to go on. */
  const readString = (start: number): number => {
    const size = input.length
    let piece = held
    let from = start
    let i = start
    let code = 0
    for (; i < size; i++) {
      code = input.charCodeAt(i)
      if (code === 34 || code < 32) break
      if (code !== 92) continue
      piece += input.slice(from, i)
      from = i + (input[i + 1] === 'u' ? 6 : 2)
      const escape = input.slice(i, from)
      const char = from > size ? '' : parseJSON(`"${escape}"`)
      if (char === undefined) state = SHUT
      else piece += char as string
      if (!char) {
        rest = escape
        from = size
      }
      i = from - 1
    }
    piece += input.slice(from, i)
    held = ''
    if (i >= size && (piece.charCodeAt(piece.length - 1) & 0xfc00) === 0xd800) {
      held = piece.slice(-1)
      piece = piece.slice(0, -1)
    }
    token += piece
    if ((piece || start) && frame && state === STRING) put(frame, token)
    if (i < size) {
      if (code !== 34) state = SHUT
      else if (state === NAME && frame) {
        frame.key = token
        state = COLON
      } else state = AFTER
    }
    return i + 1
  }

  /** Reads a number or word; a delimiter shows that it is whole. Returns where to go on. */
  const readLiteral = (i: number): number => {
    const from = i
    const size = input.length
    for (; i < size; i++) {
      const code = input.charCodeAt(i)
      if (code < 33 || code === 44 || code === 93 || code === 125) break
    }
    token += input.slice(from, i)
    if (i < size) {
      const value = parseJSON(token)
      state = value === undefined || (!frame && value !== null) ? SHUT : AFTER
      if (frame && state === AFTER) put(frame, value)
    }
    return i
  }

  /** Begins a value by its first character; returns where to go on. */
  const begin = (i: number): number => {
    const code = input.charCodeAt(i)
    const isList = code === 91
    token = ''
    if (frame) weight += frame.isList ? 1 : MEMBER
    if (code === 34) {
      state = STRING
      if (!frame) state = SHUT
      // Else `readString` puts it, with all that has come of it.
      else if (i + 1 === input.length) put(frame, token)
    } else if (isList || code === 123) {
      const items = (isList ? [] : {}) as Record<string, unknown>
      state = FIRST
      if (frame) put(frame, items)
      else root = items
      if (++depth > MAX_DEPTH || (isList && !frame)) state = SHUT
      frame = { up: frame, items, key: isList ? 0 : '', isList, weight }
      weight += MEMBER
    } else {
      state = LITERAL
      return i
    }
    return i + 1
  }

  /** Takes one character between tokens; returns where to go on. */
  const step = (i: number): number => {
    const code = input.charCodeAt(i)
    if (code === 32 || code === 10 || code === 13 || code === 9) return i + 1
    if (frame && (state === FIRST || state === AFTER) && code === (frame.isList ? 93 : 125)) {
      state = AFTER
      depth--
      weight = frame.weight
      frame = frame.up
      return i + 1
    }
    if (state === FIRST) state = frame?.isList ? VALUE : KEY
    if (state === VALUE) return begin(i)
    if (state === KEY && code === 34) {
      token = ''
      state = NAME
    } else if (state === COLON && code === 58) state = VALUE
    else if (state === AFTER && frame && code === 44) {
      state = frame.isList ? VALUE : KEY
      if (frame.isList) frame.key = +frame.key + 1
    } else state = SHUT
    return i + 1
  }

  const push = (more: string): void => {
    if (state === SHUT) return
    input = rest + more
    rest = ''
    let i = 0
    while (i < input.length) {
      if (state < LITERAL) i = step(i)
      else if (state === LITERAL) i = readLiteral(i)
      else if (state !== SHUT) i = readString(i)
      else return
    }
    base += input.length - rest.length
    input = ''
  }

  const snapshot = (): Readonly<Record<string, unknown>> => {
    // By the weight of the last copy too: short members would else outgrow their text for ever.
    if (!isNew || Math.min(weight, shownWeight) - LIGHT > base - shownAt) return shown
    isNew = false
    shownAt = base
    shownWeight = weight
    // Copies the open path, from the innermost container up; a finished tree is shown as it is.
    let made: Record<string | number, unknown> | undefined
    for (let at = frame; at; at = at.up) {
      const outer = at.isList ? ((at.items as never as []).slice() as never) : { ...at.items }
      // An own `__proto__` is in the copy already, so this never reaches a prototype.
      if (made) outer[at.key] = made
      made = outer
    }
    return (shown = Object.freeze(made ?? root))
  }

  push(text)
  return {
    push,
    get value() {
      return snapshot()
    },
    end(whole) {
      // Outside of containers a literal, `null`, still misses its delimiter.
      if (!frame) push(' ')
      if (!frame && state !== SHUT) return { args: snapshot() }
      const parsed = parseJSON(whole)
      if (isPlainObject(parsed)) return { error: `nested deeper than ${MAX_DEPTH}` }
      return { error: parsed === undefined ? 'not valid JSON' : 'expected a JSON object' }
    },
  }
}
