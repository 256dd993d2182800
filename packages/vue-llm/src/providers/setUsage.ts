import type { Round } from './types'

/** Writes tokens as a wire counts them in the one shape of all wires; zeros are no count. @internal */
export function setUsage(
  round: Round,
  inputTokens = 0,
  outputTokens = 0,
  cachedInputTokens?: number | null,
  reasoningTokens?: number | null,
): void {
  // Some servers send zeros until they know.
  if (!inputTokens && !outputTokens) return
  round.usage = {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  }
}
