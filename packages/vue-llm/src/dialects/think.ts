import { takeUntil } from './text'
import type { ToolCallDialect } from './types'

/**
 * `<think>…</think>` before an answer, as reasoning models (DeepSeek R1, Qwen 3, GLM, …) write it where the server
 * doesn't take it out. What is only white space is left out.
 * @internal
 */
export const think: ToolCallDialect = {
  name: 'think',
  open: { '<think>': '' },
  *read(input) {
    if (!input.isFirst) return undefined
    yield* takeUntil(input, ['</think>'], (text) => input.show(text, 'reasoning-delta'))
    return true
  },
}
