import { findTool, isCutWord, seesWord, takeSpace, takeUntil, takeWord } from './text'
import { createTypedArgs } from './typedArgs'
import type { DialectInput, DialectReader, ToolCallDialect } from './types'

const close = '</tool_call>'

/**
 * The tags of GLM 4.5 and later (its chat template): `<tool_call>get_weather`, then `<arg_key>city</arg_key>` and
 * `<arg_value>Oslo</arg_value>` for each argument; a value is raw text, or JSON where the schema wants no text.
 */
export const glm: ToolCallDialect = {
  name: 'glm',
  open: { '<tool_call>': close },
  *read(input) {
    while (!input.isLast && /^[\w.:-]{1,200}$/.test(input.text)) yield
    const name = input.take(/^[\w.:-]*/.exec(input.text)?.[0].length)
    if (!name) return undefined
    yield* takeSpace(input)
    let hasArg = yield* takeWord(input, '<arg_key>')
    const isKnown = !!findTool(input, name)
    // Cut within a tag, or within the name, it is a call that never was.
    const isCut = isKnown
      ? isCutWord(input, '<arg_key>') && !isCutWord(input, close)
      : input.isLast && !input.isWhole && !input.text && hasTool(input, name)
    if (isCut) return false
    if (!hasArg && !(isKnown && (yield* isEnd(input)))) return undefined
    if (!input.start(name)) return false
    const args = createTypedArgs(input, name)
    while (hasArg) {
      let key = ''
      yield* takeUntil(input, ['</arg_key>'], (text) => (key += text))
      yield* takeSpace(input)
      if (!(yield* takeWord(input, '<arg_value>'))) {
        input.cancel()
        return false
      }
      args.open(key.trim())
      hasArg = yield* takeValue(input, (text) => args.put(text))
      args.close()
    }
    args.end()
    return true
  },
}

const hasTool = ({ tools }: DialectInput, beginning: string): boolean =>
  tools.some(({ name }) => name.startsWith(beginning))

function* isEnd(input: DialectInput): DialectReader<boolean> {
  return (yield* seesWord(input, close)) || (input.isLast && close.startsWith(input.text))
}

/** Takes a value, which may hold its own closer; returns whether another argument begins. */
function* takeValue(input: DialectInput, put: (text: string) => void): DialectReader<boolean> {
  for (;;) {
    const closer = yield* takeUntil(input, ['</arg_value>'], put)
    const space = yield* takeSpace(input)
    if (yield* takeWord(input, '<arg_key>')) return true
    if (yield* isEnd(input)) return false
    put(closer + space)
  }
}
