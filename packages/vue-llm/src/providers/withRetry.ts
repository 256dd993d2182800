import { providerTraits, type Chunk, type Provider } from '../core'
import { attempt, type RetryOptions, type WatchedRequest } from './attempt'

/**
 * Sends a request again that got no answer, and limits how long it may take. Waits as long as the server asks
 * (`Retry-After`, up to 60 s), else 0.5 s, 1 s, 2 s, … up to 8 s, less up to a quarter by chance; an abort ends the
 * wait at once. `complete()` is retried too, but only `totalMs` limits it.
 *
 * Providers of `defineProvider` have it already, by their options `maxRetries` and `timeouts`.
 *
 * @example
 * const provider = withRetry(myProvider, { timeouts: { firstChunkMs: 60_000 } })
 */
export function withRetry(provider: Provider, options: RetryOptions = {}): Provider {
  const { name } = provider
  const complete = provider.complete?.bind(provider)
  return {
    ...providerTraits(provider),
    stream: (request) =>
      attempt(name, request, (watched) => provider.stream(watched), options, true),
    ...(complete && {
      async complete(request) {
        const open = async function* (watched: WatchedRequest) {
          yield* await complete(watched)
        }
        const chunks: Chunk[] = []
        for await (const chunk of attempt(name, request, open, options, false)) chunks.push(chunk)
        return chunks
      },
    }),
  }
}
