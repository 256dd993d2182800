import { wait } from './wait'

/** How {@link sseResponse} writes its body. */
export interface SSEResponseOptions {
  /** @default 200 */
  status?: number
  /** Response headers, over the `content-type` that an event stream has. */
  headers?: Readonly<Record<string, string>>
  /** Cuts the body every so many bytes, whatever they hold; `Infinity` sends it whole. @default a piece per event */
  chunkSize?: number
  /** Cuts the body at these byte offsets instead, in any order. */
  cuts?: readonly number[]
  /** Milliseconds before each piece. @default 0 */
  delayMs?: number
  /** Whether `data: [DONE]` ends the body; a string is sent in its place. @default true */
  done?: boolean | string
  /** Breaks the body off with the signal's reason, as `fetch` does. */
  signal?: AbortSignal
}

/** One event: an object (sent as JSON), its `data` as text, or bytes that go out as they are. */
export type SSEEvent = string | object | Uint8Array

/**
 * A `Response` whose body is a `text/event-stream` of these events, cut into pieces as asked. For msw handlers and
 * `fetch` stubs: cut it byte by byte (`chunkSize: 1`) and an app must show the same.
 *
 * Pieces are made as they are read; nothing goes on after the reader cancels.
 *
 * @example
 * const fetch = async () => sseResponse([{ type: 'text-delta', text: 'Hello' }], { chunkSize: 1 })
 */
export function sseResponse(
  events: readonly SSEEvent[],
  options: SSEResponseOptions = {},
): Response {
  const { status = 200, delayMs = 0, signal } = options
  const pieces = toPieces(events, options)
  const ended = new AbortController()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          ended.abort()
          controller.error(signal?.reason)
        }
        if (signal?.aborted) abort()
        else signal?.addEventListener('abort', abort, { once: true, signal: ended.signal })
      },
      async pull(controller) {
        await wait(delayMs, ended.signal)
        if (ended.signal.aborted) return
        const next = pieces.next()
        if (!next.done) return controller.enqueue(next.value)
        ended.abort()
        controller.close()
      },
      cancel() {
        ended.abort()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
  return new Response(body, { status, headers: { ...headers, ...options.headers } })
}

function* toPieces(
  events: readonly SSEEvent[],
  { chunkSize, cuts, done = true }: SSEResponseOptions,
): Generator<Uint8Array, undefined> {
  const all = done === false ? events : [...events, done === true ? '[DONE]' : done]
  if (chunkSize === undefined && !cuts) {
    for (const event of all) yield encodeEvent(event)
    return
  }
  const bytes = concat(all.map(encodeEvent))
  const size = Math.max(1, chunkSize ?? Infinity)
  const offsets = cuts ? [...cuts].sort((a, b) => a - b) : []
  if (!cuts) for (let at = size; at < bytes.length; at += size) offsets.push(at)
  let from = 0
  for (const at of [...offsets, bytes.length]) {
    if (at <= from || at > bytes.length) continue
    yield bytes.slice(from, at)
    from = at
  }
}

function encodeEvent(event: SSEEvent): Uint8Array {
  if (event instanceof Uint8Array) return event
  const data = typeof event === 'string' ? event : JSON.stringify(event)
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return new TextEncoder().encode(`${lines.join('')}\n`)
}

function concat(list: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(list.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of list) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
