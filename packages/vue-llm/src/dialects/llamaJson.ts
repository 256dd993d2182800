import { takeCall } from './json'
import { findTool, takeRest, takeSpace, takeWord } from './text'
import type { ToolCallDialect } from './types'

/**
 * The JSON of Llama 3 (its prompt format asks for `{"name": …, "parameters": {…}}`): the answer begins with it, or
 * `<|python_tag|>` stands before it; several are separated by `;`. The name must be that of a tool, so that an answer
 * in JSON stays one.
 */
export const llamaJson: ToolCallDialect = {
  name: 'llamaJson',
  open: { '{': '', '<|python_tag|>': '' },
  *read(input, open) {
    if (open === '{' ? !input.isFirst : !(yield* takeWord(input, '{'))) {
      // A tag that a cut round left alone is the beginning of a call.
      return open === '{' || input.text || input.isWhole ? undefined : false
    }
    const refuses = (key: string, value?: unknown): boolean =>
      value === undefined
        ? !['type', 'id', 'name', 'parameters', 'arguments'].includes(key)
        : !findTool(input, value)
    for (let count = 0; ; count++) {
      const outcome = yield* takeCall(input, refuses)
      if (outcome === undefined) {
        if (!count) return undefined
        input.rewind()
        return true
      }
      if (!outcome) {
        yield* takeRest(input)
        return false
      }
      input.mark()
      yield* takeSpace(input)
      const hasMore = yield* takeWord(input, ';')
      if (hasMore) yield* takeSpace(input)
      if (!(yield* takeWord(input, '{'))) {
        if (!hasMore || input.text) input.rewind()
        return true
      }
    }
  },
}
