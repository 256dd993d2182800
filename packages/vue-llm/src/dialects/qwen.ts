import { takeValue } from './qwenValue'
import { takeTag } from './qwenTags'
import { findTool, isCutWord, seesWord, takeSpace, takeWord } from './text'
import { createTypedArgs } from './typedArgs'
import type { DialectInput, DialectReader, ToolCallDialect } from './types'

const opener = '<function='

/**
 * The XML of Qwen3-Coder (its chat template writes `<tool_call><function=…><parameter=…>…`, a value raw between two
 * line ends), read as tolerantly as those models need: tags may be missing, and a value may hold tags. Without
 * `<tool_call>`, `<function=…>` must begin a line and name a tool of the request.
 */
export const qwen: ToolCallDialect = {
  name: 'qwen',
  open: { '<tool_call>': '</tool_call>', [opener]: '' },
  *read(input, open) {
    if (open === opener) {
      if (!input.isLineStart) return undefined
      const names = input.tools.map(({ name }) => `${name}>`)
      if (!(yield* seesWord(input, ...names))) return undefined
      input.unread(opener)
    } else if (!(yield* seesWord(input, opener))) {
      // Cut in the middle of the tag it is a call that never was.
      return isCutWord(input, opener) ? false : undefined
    }
    if (!(yield* takeFunction(input))) return false
    if (open === opener) {
      input.mark()
      yield* takeSpace(input)
      if (!(yield* takeWord(input, '</tool_call>'))) {
        if (isCutWord(input, '</tool_call>')) input.take()
        else input.rewind()
      }
    }
    return true
  },
}

/** Reads a call up to its end; the tag of whatever comes next is left. Returns whether it was one. */
function* takeFunction(input: DialectInput): DialectReader<boolean> {
  const { kind, name } = yield* takeTag(input)
  if (kind !== 'function=' || !input.start(name)) return false
  const args = createTypedArgs(input, name, true)
  let count = 0
  let tag = yield* takeTag(input)
  while (/parameter/.test(tag.kind)) {
    if (tag.kind === 'parameter=') {
      count++
      args.open(tag.name)
      tag = yield* takeValue(input, args)
      args.close()
    } else tag = yield* takeTag(input)
  }
  // A mere beginning for a tool that nobody knows is none.
  if (!tag.kind && !count && !findTool(input, name)) {
    input.cancel()
    return false
  }
  args.end()
  if (tag.kind && tag.kind !== '/function') input.unread(tag.raw)
  return true
}
