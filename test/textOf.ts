import type { Part } from 'vue-llm'

/** What grows of a part, and the state it is in. */
export function textOf(part: Part | undefined): string {
  if (part?.type === 'text') return `${part.state}: ${part.text}`
  if (part?.type !== 'tool-call') return ''
  return `${part.state}: ${JSON.stringify(part.args)} ${JSON.stringify(part.result)}`
}
