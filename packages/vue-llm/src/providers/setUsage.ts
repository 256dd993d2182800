import type { Round } from './types'

const toCount = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Writes tokens as a wire counts them in the one shape of all wires; zeros are no count. @internal */
export function setUsage(
  round: Round,
  input: unknown,
  output: unknown,
  cached?: unknown,
  reasoning?: unknown,
): void {
  const [inputTokens = 0, outputTokens = 0, cachedInputTokens, reasoningTokens] = [
    input,
    output,
    cached,
    reasoning,
  ].map(toCount)
  // Some servers send zeros until they know.
  if (!inputTokens && !outputTokens) return
  round.usage = {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  }
}
