import { takeCall } from './json'
import type { ToolCallDialect } from './types'

/**
 * The JSON of Hermes 2 Pro, which Qwen 2.5 and many others were trained on too:
 * `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. Arguments written as a string of JSON are read as that.
 */
export const hermes: ToolCallDialect = {
  name: 'hermes',
  open: { '<tool_call>': '</tool_call>' },
  *read(input) {
    if (input.text[0] !== '{') return undefined
    input.take(1)
    const outcome = yield* takeCall(input)
    // A string that lacks its end has taken the closer too.
    if (!outcome) input.rewind()
    return outcome
  },
}
