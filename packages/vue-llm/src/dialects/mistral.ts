import { takeArgs, takeCall } from './json'
import { takeRest, takeSpace, takeUntil } from './text'
import type { DialectInput, DialectReader, ToolCallDialect } from './types'

/**
 * Mistral's `[TOOL_CALLS]`: a JSON list of calls (`[{"name": …, "arguments": {…}}]`, up to version 7 of its
 * tokenizer), or a name with its arguments (`get_weather[ARGS]{…}`, also with `[CALL_ID]…` or without any mark).
 */
export const mistral: ToolCallDialect = {
  name: 'mistral',
  open: { '[TOOL_CALLS]': '' },
  *read(input) {
    const isList = input.text[0] === '['
    if (!isList) {
      while (!input.isLast && /^[^\s"'`{}<>=[\]]{0,200}\s{0,9}$/.test(input.text)) yield
      // Other words are a text about the mark.
      if (!/^[^\s"'`{}<>=[\]]{0,200}\s{0,9}($|[[{])/.test(input.text)) return undefined
    }
    const isRead = yield* isList ? takeList(input) : takeNamed(input)
    if (!isRead) yield* takeRest(input)
    return isRead
  },
}

function* takeList(input: DialectInput): DialectReader<boolean> {
  do {
    input.take(1)
    yield* takeSpace(input)
    if (input.text[0] === ']') break
    if (input.take(1) !== '{' || !(yield* takeCall(input))) return false
    yield* takeSpace(input)
  } while (input.text[0] === ',')
  // Without its end at the end of the text a list is as good.
  return input.take(1) === ']' || input.isLast
}

function* takeNamed(input: DialectInput): DialectReader<boolean> {
  let name = ''
  const mark = yield* takeUntil(input, ['[ARGS]', '[CALL_ID]', '{'], (text) => (name += text))
  if (mark === '{') {
    if (!name) return !!(yield* takeCall(input))
    input.unread(mark)
  } else if (mark === '[CALL_ID]') yield* takeUntil(input, ['[ARGS]'], () => {})
  return !!mark && (yield* takeArgs(input, name.trim()))
}
