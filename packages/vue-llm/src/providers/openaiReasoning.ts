import type { Part } from '../core'

/**
 * Under which the wire keeps in a part what goes back to it: with reasoning its details, or else the name of the field
 * that it came in; with a call its `extra_content`.
 * @internal
 */
export const openaiKey = 'openai'

/** A piece of `reasoning_details`: text, a summary, or data that only the server can read. @internal */
export type ReasoningDetail = Record<string, unknown>

/** Adds a piece of `reasoning_details` to what came before, so that the whole can go back as the server made it. @internal */
export function addDetail(list: ReasoningDetail[], detail: ReasoningDetail): void {
  const last = list.at(-1)
  if (!last || last.type !== detail.type || last.index !== detail.index || detail.data) {
    list.push({ ...detail })
    return
  }
  for (const key of ['text', 'summary', 'signature']) {
    if (detail[key]) last[key] = `${last[key] ?? ''}${detail[key]}`
  }
}

/**
 * What goes back of the reasoning of a turn: details always, the plain field only where it led to calls whose
 * results are still to be answered. Servers that think between calls want it there, and others refuse it elsewhere.
 * @internal
 */
export function toReasoning(parts: readonly Part[], isOpen: boolean): object {
  const details: unknown[] = []
  let field: unknown
  let text = ''
  for (const part of parts) {
    if (part.type !== 'reasoning') continue
    const kept = part.providerMetadata?.[openaiKey]
    if (Array.isArray(kept)) details.push(...kept)
    else field ??= kept
    text += part.text
  }
  return {
    // No other name: a transcript may come from a client.
    ...(isOpen && (field === 'reasoning' || field === 'reasoning_content') && { [field]: text }),
    ...(details.length && { reasoning_details: details }),
  }
}
