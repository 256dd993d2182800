import { parseJSON } from '../core'
import { takeSpace } from './text'
import type { DialectInput, DialectReader } from './types'

/**
 * Takes one JSON value, gives its text to `put` as it comes, and returns what it holds; `undefined` if it is none or
 * not whole. A string may hold anything, so tags in it end nothing.
 */
function* takeJSON(input: DialectInput, put?: (text: string) => void): DialectReader<unknown> {
  let all = ''
  let depth = 0
  let isString = false
  let isEscaped = false
  for (;;) {
    const { text } = input
    let end = 0
    let isDone = false
    for (; end < text.length && !isDone; end++) {
      const char = text.charAt(end)
      if (isString) {
        if (char < ' ') return undefined
        isString = isEscaped || char !== '"'
        isEscaped = !isEscaped && char === '\\'
        isDone = !isString && !depth
      } else if (char === '"') isString = true
      else if (/[[{]/.test(char)) depth++
      else if (depth && /[\]}]/.test(char)) isDone = !--depth
      // A number or a word ends before what can't be of it; what is no JSON ends here too.
      else if (char === '<' || (!depth && /[\s,\]}]/.test(char))) break
    }
    const isShort = end < text.length
    const piece = input.take(end)
    all += piece
    put?.(piece)
    if (isDone || isShort || input.isLast) return parseJSON(all)
    yield
  }
}

/** Takes the arguments of a call, which grow as they come; returns whether they are whole. @internal */
export function* takeArgs(input: DialectInput, toolName: string): DialectReader<boolean> {
  if (!input.start(toolName)) return false
  let isEmpty = true
  yield* takeSpace(input)
  const args = yield* takeJSON(input, (text) => {
    isEmpty &&= !text
    input.grow(text)
  })
  if (args === undefined && !isEmpty) {
    input.cancel()
    return false
  }
  input.end()
  return true
}

/**
 * Takes a call as a JSON object with `name` and `arguments` (or `parameters`), from after its `{`; its arguments grow
 * as they come where the name came before. Returns as a dialect does: `undefined` only where `refuses` tells that a
 * key, or the name, is not that of a call.
 * @internal
 */
export function* takeCall(
  input: DialectInput,
  refuses: (key: string, value?: unknown) => boolean = () => false,
): DialectReader<boolean | undefined> {
  let name: unknown
  let args: unknown = ''
  let isStarted = false
  let separator
  do {
    separator = ''
    const key = yield* takeSpaced(input)
    if (typeof key !== 'string' || input.take(1) !== ':') break
    if (refuses(key)) return undefined
    yield* takeSpace(input)
    const isArgs = key === 'arguments' || key === 'parameters'
    const grows = isArgs && typeof name === 'string' && input.text[0] === '{'
    if (grows && !(isStarted ||= input.start(`${name}`))) return false
    const value = yield* takeSpaced(input, grows ? (text) => input.grow(text) : undefined)
    if (value === undefined) break
    if (isArgs) args = value
    if (key === 'name') {
      if (refuses(key, value)) return undefined
      name = value
    }
    separator = input.take(1)
  } while (separator === ',')
  if (separator !== '}') {
    input.cancel()
    return false
  }
  if (!isStarted) {
    if (typeof name !== 'string' || !input.start(name)) return false
    input.grow(typeof args === 'string' ? args : JSON.stringify(args))
  }
  input.end()
  return true
}

function* takeSpaced(input: DialectInput, put?: (text: string) => void): DialectReader<unknown> {
  yield* takeSpace(input)
  const value = yield* takeJSON(input, put)
  // What is broken is so at once, not only when white space has ended.
  if (value !== undefined) yield* takeSpace(input)
  return value
}
