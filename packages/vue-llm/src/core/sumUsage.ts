import type { Usage } from './types'

/** The tokens of several rounds. @internal */
export function sumUsage(rounds: readonly { usage?: Usage | undefined }[]): Usage {
  const total: Usage = { inputTokens: 0, outputTokens: 0 }
  for (const { usage } of rounds) {
    for (const key in usage) {
      const name = key as keyof Usage
      total[name] = (total[name] ?? 0) + (usage[name] ?? 0)
    }
  }
  return total
}
