import { errorText, LLMError, type ChatRequest, type Chunk } from '../core'

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
  /** From the first request to the end of the answer, retries and their waits included. */
  totalMs?: number | undefined
}

/** A request that tells when the head of its answer has come. @internal */
export interface WatchedRequest extends ChatRequest {
  onAnswer?: (() => void) | undefined
}

/** Sends a request and reads its answer. @internal */
export type OpenRequest = (request: WatchedRequest) => AsyncIterable<Chunk>

const missing: { [K in keyof Timeouts]-?: string } = {
  connectMs: 'no answer',
  firstChunkMs: 'no content',
  betweenChunksMs: 'no further content',
  totalMs: 'no end of its answer',
}

/**
 * Reads an answer as long as it keeps within its time, then aborts the request: rejects with `timeout` before the first
 * chunk, and yields it as an `error` chunk later. `cause` of the error is the name of the limit.
 * @internal
 */
export function withinTime(
  name: string,
  timeouts: Timeouts,
  request: WatchedRequest,
  open: OpenRequest,
): AsyncIterable<Chunk> {
  return Object.values(timeouts).some(Boolean)
    ? limit(name, timeouts, request, open)
    : open(request)
}

// long: one loop whose timers share the state of the answer at hand
async function* limit(
  name: string,
  timeouts: Timeouts,
  request: WatchedRequest,
  open: OpenRequest,
): AsyncGenerator<Chunk, void, undefined> {
  const { signal, onAnswer } = request
  const controller = new AbortController()
  let stop: ((reason: unknown) => void) | undefined
  let started = false
  // Not left to the provider, who may ignore the signal.
  const end = (reason: unknown) => {
    controller.abort(reason)
    stop?.(reason)
  }
  const abort = () => end(signal.reason)
  const start = (key: keyof Timeouts) => {
    const ms = timeouts[key]
    // A timer takes no more than 31 bits, and a longer one would end at once.
    if (!ms || ms >= 2 ** 31) return
    const text = `${name} gave ${missing[key]} within ${ms} ms: ask again, check the server, or raise timeouts.${key}`
    return setTimeout(() => end(new LLMError('timeout', text, { cause: key })), ms)
  }
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const total = start('totalMs')
  const connect = start('connectMs')
  let next = start('firstChunkMs')
  let iterator: AsyncIterator<Chunk> | undefined
  const watched: WatchedRequest = {
    ...request,
    signal: controller.signal,
    onAnswer() {
      clearTimeout(connect)
      onAnswer?.()
    },
  }
  try {
    for (;;) {
      // Time may have run out while the last chunk was looked at.
      controller.signal.throwIfAborted()
      const chunks = (iterator ??= open(watched)[Symbol.asyncIterator]())
      const { done, value } = await new Promise<IteratorResult<Chunk>>((resolve, reject) => {
        stop = reject
        chunks.next().then(resolve, reject)
      })
      clearTimeout(connect)
      clearTimeout(next)
      if (done) return
      started = true
      yield value
      next = start('betweenChunksMs')
    }
  } catch (error) {
    if (!started || error !== controller.signal.reason) throw error
    if (!signal.aborted) yield { type: 'error', code: 'timeout', message: errorText(error) }
  } finally {
    for (const timer of [total, connect, next]) clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // Not awaited: a provider that hangs must not hold the answer.
    iterator?.return?.().catch(() => {})
  }
}
