import { takeArgs } from './json'
import { isCutWord, takeSpace, takeUntil, takeWord } from './text'
import type { ToolCallDialect } from './types'

const section = '<|tool_calls_section_begin|>'
const sectionEnd = '<|tool_calls_section_end|>'
const call = '<|tool_call_begin|>'
const callEnd = '<|tool_call_end|>'

/**
 * The tokens of Kimi K2 (its chat template and guide to tool calls):
 * `<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, in a section or alone.
 */
export const kimi: ToolCallDialect = {
  name: 'kimi',
  // Marked, as computed keys keep bundlers from dropping a dialect that is not used.
  open: /* @__PURE__ */ (() => ({ [section]: sectionEnd, [call]: callEnd, [sectionEnd]: '' }))(),
  *read(input, open) {
    // An end without its beginning.
    if (open === sectionEnd) return true
    if (open === section && !(yield* takeWord(input, call))) {
      return isCutWord(input, call) ? false : undefined
    }
    let id = ''
    yield* takeUntil(input, ['<|tool_call_argument_begin|>'], (text) => (id += text))
    const name = id.trim().replace(/^functions\.|:\d+$/g, '')
    if (!(yield* takeArgs(input, name))) return false
    if (open === section) {
      yield* takeSpace(input)
      yield* takeWord(input, callEnd)
      if (isCutWord(input, callEnd)) input.take()
    }
    return true
  },
}
