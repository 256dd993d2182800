import { parseJSON } from './literal'
import { takeSpace } from './text'
import type { DialectInput, DialectReader } from './types'

/**
 * Takes one JSON value, gives its text to `put` as it comes, and returns what it holds; `undefined` if it is none or
 * not whole. A string may hold anything, so tags in it end nothing.
 * @internal
 */
export function* takeJSON(
  input: DialectInput,
  put: (text: string) => void,
): DialectReader<unknown> {
  let all = ''
  let depth = 0
  let isString = false
  let isEscaped = false
  let isDone = false
  while (!isDone) {
    const { text } = input
    let end = 0
    for (; end < text.length && !isDone; end++) {
      const char = text.charAt(end)
      if (isString) {
        if (char < ' ') return undefined
        isString = isEscaped || char !== '"'
        isEscaped = !isEscaped && char === '\\'
        isDone = !isString && !depth
      } else if (char === '"') isString = true
      else if (/[[{]/.test(char)) depth++
      else if (/[\]}]/.test(char)) {
        // A number or a word ends where its container does.
        if (!depth) break
        isDone = !--depth
      } else if (char === '<' || (!depth && /[\s,]/.test(char))) break
    }
    // What ended it before the text did is not of it.
    isDone ||= end < text.length
    const piece = input.take(end)
    all += piece
    put(piece)
    if (!isDone) {
      if (input.isLast) break
      yield
    }
  }
  return parseJSON(all)
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

const ignore = (): void => {}

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
  let isWhole = true
  do {
    yield* takeSpace(input)
    const key = yield* takeJSON(input, ignore)
    yield* takeSpace(input)
    isWhole = typeof key === 'string' && input.take(1) === ':'
    if (!isWhole) break
    if (refuses(`${key}`)) return undefined
    yield* takeSpace(input)
    const isArgs = key === 'arguments' || key === 'parameters'
    if (isArgs && !isStarted && typeof name === 'string' && input.text[0] === '{') {
      isStarted = input.start(name)
      if (!isStarted) return false
      isWhole = (yield* takeJSON(input, (text) => input.grow(text))) !== undefined
    } else {
      const value = yield* takeJSON(input, ignore)
      isWhole = value !== undefined
      if (isArgs) args = value
      if (key === 'name') name = value
      if (isWhole && key === 'name' && refuses(key, value)) return undefined
    }
    yield* takeSpace(input)
  } while (isWhole && input.text[0] === ',' && input.take(1))
  if (!isWhole || input.take(1) !== '}') {
    if (isStarted) input.cancel()
    return false
  }
  if (!isStarted) {
    if (typeof name !== 'string' || !input.start(name)) return false
    input.grow(typeof args === 'string' ? args : JSON.stringify(args))
  }
  input.end()
  return true
}
