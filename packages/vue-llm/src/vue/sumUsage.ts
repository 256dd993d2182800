import type { Message, Usage } from '../core'

/** The tokens of all rounds of these messages. @internal */
export function sumUsage(messages: readonly Message[]): Usage {
  const total: Usage = { inputTokens: 0, outputTokens: 0 }
  for (const { usage } of messages.flatMap(({ steps }) => steps)) {
    for (const key in usage) {
      const name = key as keyof Usage
      total[name] = (total[name] ?? 0) + (usage[name] ?? 0)
    }
  }
  return total
}
