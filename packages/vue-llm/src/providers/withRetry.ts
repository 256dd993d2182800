import { isLLMError, type Chunk, type LLMError, type Provider } from '../core'
import { withinTime, type OpenRequest, type Timeouts, type WatchedRequest } from './withinTime'

/** Options of {@link withRetry}. */
export interface RetryOptions {
  /**
   * How often a request that got no answer is sent again: after a connection failure, or the status 408, 409, 429 or
   * 5xx; never once a chunk has come. @default 2
   */
  maxRetries?: number | undefined
  /** How long to wait for what. @default no limits */
  timeouts?: Timeouts | undefined
  /** Waits, and no longer than until the signal aborts. @default a timer */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Spreads the retries of many clients. @default Math.random */
  random?: (() => number) | undefined
}

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
  const { name, remote } = provider
  const { totalMs, ...timeouts } = options.timeouts ?? {}
  const complete = provider.complete?.bind(provider)
  const run = (request: WatchedRequest, open: OpenRequest) =>
    withinTime(name, { totalMs }, request, (limited) => retry(limited, open, options))
  return {
    name,
    ...(remote && { remote }),
    stream: (request) =>
      run(request, (limited) =>
        withinTime(name, timeouts, limited, (watched) => provider.stream(watched)),
      ),
    ...(complete && {
      async complete(request) {
        const chunks: Chunk[] = []
        const open: OpenRequest = async function* (limited) {
          yield* await complete(limited)
        }
        for await (const chunk of run(request, open)) chunks.push(chunk)
        return chunks
      },
    }),
  }
}

async function* retry(
  request: WatchedRequest,
  open: OpenRequest,
  { maxRetries = 2, sleep = wait, random = Math.random }: RetryOptions,
): AsyncGenerator<Chunk, void, undefined> {
  const { signal } = request
  for (let retries = 0, started = false; ; retries++) {
    try {
      for await (const chunk of open(request)) {
        started = true
        yield chunk
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      if (started || retries >= maxRetries || !isPassing(error)) throw error
      const backoff = Math.min(8000, 500 * 2 ** retries) * (1 - random() / 4)
      const { retryAfter = NaN } = error
      await sleep(retryAfter <= 60_000 ? retryAfter : backoff, signal)
      signal.throwIfAborted()
    }
  }
}

function isPassing(error: unknown): error is LLMError {
  if (!isLLMError(error)) return false
  // Nobody has begun to answer where connecting takes too long; after that a retry would double the work.
  const { code, cause, status } = error
  return code === 'network' || cause === 'connectMs' || /^(40[89]|429|5..)$/.test(`${status}`)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
