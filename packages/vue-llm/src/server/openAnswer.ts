import type { WriteEvent } from './writeAnswer'

/** What is used of a `Request`; `toNodeHandler` has one that costs less to make. @internal */
export interface AskedRequest {
  readonly method: string
  readonly bodyUsed: boolean
  readonly headers: { get(name: string): string | null }
  readonly body: { getReader(): BodyReader } | null
}

/** @internal */
export interface BodyReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>
  cancel(): Promise<unknown>
}

/** An answer that is about to begin. @internal */
export interface OpenAnswer {
  readonly heartbeatMs: number | undefined
  /** Runs it, at most once. Never rejects. */
  run(signal: AbortSignal, write: WriteEvent): Promise<void>
}

/** A handler that leaves it to its caller how the answer is written. @internal */
export interface OpenHandler {
  /** Whether the caller's own functions are given the request: then it must be a `Request`. */
  readonly needsRequest: boolean
  open(request: AskedRequest, signal: AbortSignal): Promise<Response | OpenAnswer>
}

type Handler = (request: Request) => Promise<Response>

const handlers = /* @__PURE__ */ new WeakMap<Handler, OpenHandler>()

/** Notes how the answers of a handler can be written without a `Response` around them. @internal */
export const setOpenHandler = (handler: Handler, open: OpenHandler): void =>
  void handlers.set(handler, open)

/** How the answers of a handler can be written without a `Response`; of a function around one nothing is known. @internal */
export const openHandlerOf = (handler: Handler): OpenHandler | undefined => handlers.get(handler)

/** What every answer is sent with. @internal */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Proxies such as nginx must not collect what is to be seen at once.
  'x-accel-buffering': 'no',
}

/** What keeps a connection open while there is nothing to say. @internal */
export const ping = ': ping\n\n'

/** Calls back again and again; a longer time than timers can hold, such as `Infinity`, is none. @internal */
export const startBeats = (
  beat: () => void,
  heartbeatMs = 15_000,
): ReturnType<typeof setInterval> | undefined =>
  heartbeatMs > 0 && heartbeatMs < 2 ** 31 ? setInterval(beat, heartbeatMs) : undefined
