import type { Round } from './types'

/**
 * Collects the sources of an answer, each once. They are given at its end: in the middle they would cut the text that
 * cites them.
 * @internal
 */
export function createSources({ emit }: Round) {
  const sources = new Map<string, unknown>()
  return {
    add(url: unknown, title: unknown): void {
      if (typeof url === 'string' && /^https?:/.test(url) && !sources.has(url))
        sources.set(url, title)
    },
    end(): void {
      for (const [url, title] of sources) {
        emit({ type: 'source', url, ...(typeof title === 'string' && { title }) })
      }
    },
  }
}
