import { defined } from '../core'
import type { Round } from './types'

const toCount = (value: unknown): number | undefined =>
  typeof value === 'number' && value ? value : undefined

/** Writes tokens as a wire counts them in the one shape of all wires; zeros are no count. @internal */
export function setUsage(
  round: Round,
  input: unknown,
  output: unknown,
  cached?: unknown,
  reasoning?: unknown,
): void {
  const inputTokens = toCount(input) ?? 0
  const outputTokens = toCount(output) ?? 0
  // Some servers send zeros until they know.
  if (!inputTokens && !outputTokens) return
  round.usage = defined({
    inputTokens,
    outputTokens,
    cachedInputTokens: toCount(cached),
    reasoningTokens: toCount(reasoning),
  })
}
