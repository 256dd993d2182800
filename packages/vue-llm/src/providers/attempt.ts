import { errorText, isLLMError, LLMError, type ChatRequest, type Chunk } from '../core'

/** How many milliseconds to wait for what; 0 or left out is without limit. */
export interface Timeouts {
  /**
   * From the request to the head of the answer, which some servers send with the first chunk only. Retried like a
   * connection failure. Where a provider does not tell, to the first chunk.
   */
  connectMs?: number | undefined
  /** From the request to the first chunk. */
  firstChunkMs?: number | undefined
  /** From one chunk to the next; what a server sends only to keep the connection open is none. */
  betweenChunksMs?: number | undefined
  /**
   * From the first request to the end of the answer: retries, their waits, and what `withEmptyRoundFallback` asks
   * included.
   */
  totalMs?: number | undefined
}

/** Options of {@link withRetry}. */
export interface RetryOptions {
  /**
   * How often a request that got no answer is sent again: after a connection failure, or the status 408, 409, 429 or
   * 5xx; never once a chunk has come. @default 2
   */
  maxRetries?: number | undefined
  /** How long to wait for what. What runs out ends in `timeout`, with the name of the limit as `cause`. @default no limits */
  timeouts?: Timeouts | undefined
  /** Waits before a retry. @default a timer */
  sleep?: ((ms: number) => Promise<void>) | undefined
  /** Spreads the retries of many clients: 0 to 1. @default Math.random */
  random?: (() => number) | undefined
}

/** A request with what wrappers tell each other. @internal */
export interface WatchedRequest extends ChatRequest {
  /** Called when the head of the answer has come. */
  onAnswer?: (() => void) | undefined
  /** When the round began that this request is part of, by `performance.now()`: `totalMs` counts from there. */
  startedAt?: number | undefined
}

/**
 * Sends a request and reads its answer; once more, and not longer, than the options allow. Without `stream` only
 * `totalMs` limits it.
 * @internal
 */
// long: one loop whose timers share the state of the attempt at hand
export async function* attempt(
  name: string,
  request: WatchedRequest,
  open: (request: WatchedRequest) => AsyncIterable<Chunk>,
  { maxRetries = 2, timeouts = {}, sleep, random = Math.random }: RetryOptions,
  stream: boolean,
): AsyncGenerator<Chunk, void, undefined> {
  const { signal, onAnswer, startedAt } = request
  let controller = new AbortController()
  let iterator: AsyncIterator<Chunk> | undefined
  let started = false
  let stop: ((reason: unknown) => void) | undefined
  const end = (reason: unknown) => {
    controller.abort(reason)
    // Not left to the provider, who may ignore its signal.
    stop?.(reason)
  }
  const abort = () => end(signal.reason)
  const untilEnd = <T>(promise: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      stop = reject
      promise.then(resolve, reject)
    })
  const limit = (key: keyof Timeouts, spent = 0) => {
    const ms = timeouts[key]
    // A timer takes 31 bits: a longer one would end at once.
    if (!ms || ms >= 2 ** 31 || !(stream || key === 'totalMs')) return
    return setTimeout(() => {
      const text = `${name} took longer than timeouts.${key} allows (${ms} ms): check the server, or raise the limit`
      end(new LLMError('timeout', text, { cause: key }))
    }, ms - spent)
  }
  let connect: ReturnType<typeof limit>
  let next: typeof connect
  const close = () => {
    clearTimeout(connect)
    clearTimeout(next)
    // Not awaited: a provider that hangs must not hold the answer.
    iterator?.return?.().catch(() => {})
    iterator = undefined
  }
  const total = limit('totalMs', startedAt && performance.now() - startedAt)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    for (let retries = 0; ; retries++) {
      try {
        connect = limit('connectMs')
        next = limit('firstChunkMs')
        for (;;) {
          // Time may have run out while the last chunk was looked at.
          controller.signal.throwIfAborted()
          iterator ??= open({
            ...request,
            signal: controller.signal,
            onAnswer() {
              clearTimeout(connect)
              onAnswer?.()
            },
          })[Symbol.asyncIterator]()
          const { done, value } = await untilEnd(iterator.next())
          clearTimeout(connect)
          clearTimeout(next)
          if (done) return
          started = true
          yield value
          next = limit('betweenChunksMs')
        }
      } catch (error) {
        signal.throwIfAborted()
        if (started || retries >= maxRetries || !isPassing(error)) throw error
        close()
        // An attempt that ran out of time was aborted alone.
        controller = new AbortController()
        const { retryAfter = NaN } = error
        const backoff = Math.min(8000, 500 * 2 ** retries) * (1 - random() / 4)
        const ms = retryAfter <= 60_000 ? retryAfter : backoff
        await untilEnd(
          sleep?.(ms) ??
            new Promise<void>((resolve) => {
              next = setTimeout(resolve, ms)
            }),
        )
      }
    }
  } catch (error) {
    if (!started || error !== controller.signal.reason) throw error
    if (!signal.aborted) yield { type: 'error', code: 'timeout', message: errorText(error) }
  } finally {
    close()
    clearTimeout(total)
    signal.removeEventListener('abort', abort)
  }
}

function isPassing(error: unknown): error is LLMError {
  if (!isLLMError(error)) return false
  // Nobody has begun to answer where connecting takes too long; later a retry would double the work.
  const { code, cause, status } = error
  return code === 'network' || cause === 'connectMs' || /^(40[89]|429|5..)$/.test(`${status}`)
}
