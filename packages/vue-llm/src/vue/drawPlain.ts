import { h, type VNodeChild } from 'vue'
import type { Part } from '../core'

/** What stands for a part without a slot: text as it is, a tool call by name and state, nothing else. @internal */
export function drawPlain(part: Part): VNodeChild {
  switch (part.type) {
    case 'text':
      // Such as the line end between two calls that were written as text.
      if (!part.text.trim()) return null
      return h('div', { 'data-part': 'text', style: 'white-space: pre-wrap' }, part.text)
    case 'tool-call':
      return h(
        'div',
        { 'data-part': 'tool-call', 'data-state': part.state },
        `${part.toolName}: ${part.error ?? part.state}`,
      )
    default:
      return null
  }
}

/** What stands for a part that failed: the text all the same, or a word about what is missing. @internal */
export function drawFailed(part: Part): VNodeChild {
  if (part.type === 'text') return drawPlain(part)
  const name = part.type === 'tool-call' ? part.toolName : part.type
  return h('div', { 'data-part': part.type, 'data-failed': '' }, `${name} can't be shown`)
}
