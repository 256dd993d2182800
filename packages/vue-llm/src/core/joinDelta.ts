import type { Chunk, ProviderMetadata } from './types'

/** A delta, seen loosely: text or arguments, and what tells which part it belongs to. */
interface Delta {
  id?: string
  toolCallId?: string
  providerMetadata?: ProviderMetadata
  text?: string
  argsText?: string
}

/** Whether a chunk is a piece of a growing text. @internal */
export const isDelta = ({ type }: Chunk): boolean => type.endsWith('-delta')

/** Joins a delta to the one before it where both are pieces of one text; whether it did. @internal */
export function joinDelta(last: Chunk | undefined, next: Chunk): boolean {
  if (last?.type !== next.type || !isDelta(next)) return false
  const before = last as Delta
  const { id, toolCallId, providerMetadata, text, argsText } = next as Delta
  if (before.id !== id || before.toolCallId !== toolCallId) return false
  // As it is merged into the part: both deltas go to the same one.
  if (providerMetadata && before.providerMetadata !== providerMetadata) {
    before.providerMetadata = { ...before.providerMetadata, ...providerMetadata }
  }
  if (text) before.text += text
  if (argsText) before.argsText += argsText
  return true
}
