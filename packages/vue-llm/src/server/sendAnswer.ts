import { joinBytes } from './joinBytes'
import { ping, startBeats, streamHeaders, type OpenAnswer } from './openAnswer'

/** What is used of the response of `node:http`. */
export interface NodeOutgoing {
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableEnded: boolean
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  flushHeaders?(): void
  write(chunk: Uint8Array | string): boolean
  end(): unknown
  destroy(): unknown
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown
}

/** Sends the events of an answer, with no stream of the web between; ends once everything has ended. @internal */
export async function sendAnswer(
  { heartbeatMs, run }: OpenAnswer,
  response: NodeOutgoing,
  gone: AbortSignal,
): Promise<void> {
  const signal = isOver(response) ? AbortSignal.abort() : gone
  try {
    if (!signal.aborted) response.writeHead(200, streamHeaders)
  } catch (error) {
    // Such as headers that were sent before. It runs nevertheless, to its abort: what is open must be closed.
    await run(AbortSignal.abort(), () => undefined)
    throw error
  }
  const writer = createNodeWriter<string>(response, signal, (events) => events.join(''))
  const timer = startBeats(() => {
    // A reader who is behind needs no sign of life.
    if (!writer.isFull) void writer.write(ping)
  }, heartbeatMs)
  await run(signal, writer.write)
  clearInterval(timer)
  writer.end()
}

/** Sends a response, its body no faster than it is read; to a `HEAD` without it. @internal */
export async function sendResponse(
  { status, headers, body }: Response,
  response: NodeOutgoing,
  gone: AbortSignal,
  isHead: boolean,
): Promise<void> {
  const reader = body?.getReader()
  const leave = () => void reader?.cancel().catch(() => {})
  gone.addEventListener('abort', leave)
  if (gone.aborted || isOver(response)) return leave()
  const sent: Record<string, string | string[]> = Object.fromEntries(headers)
  const cookies = headers.getSetCookie()
  if (cookies.length) sent['set-cookie'] = cookies
  response.writeHead(status, sent)
  if (isHead) {
    leave()
    response.end()
    return
  }
  const writer = createNodeWriter<Uint8Array>(response, gone, joinBytes)
  while (reader && !gone.aborted) {
    const { value, done } = await reader.read()
    if (done) break
    const full = writer.write(value)
    if (full) await full
  }
  writer.end()
}

/** Whether nothing can be written any more. */
const isOver = ({ destroyed, writableEnded }: NodeOutgoing) => destroyed || writableEnded

interface NodeWriter<Piece> {
  /** Whether the reader is waited for. */
  readonly isFull: boolean
  /** Gives a promise where the reader is behind. */
  write(piece: Piece): Promise<void> | undefined
  end(): void
}

/** Writes a body in pieces: what comes within one turn of Node's loop is one on the wire, unless it is large. */
// long: closures over the state of one body
function createNodeWriter<Piece extends Uint8Array | string>(
  response: NodeOutgoing,
  gone: AbortSignal,
  join: (pieces: Piece[], size: number) => Piece,
): NodeWriter<Piece> {
  let waiting: Piece[] = []
  let size = 0
  let isFull = false
  let hasWritten = false
  let release: (() => void) | undefined
  const goOn = () => {
    isFull = false
    release?.()
  }
  const flush = () => {
    if (gone.aborted || response.writableEnded) return
    try {
      if (size) isFull = !response.write(join(waiting, size))
      // Whoever waits for the model's first word is told that it was asked.
      else if (!hasWritten) response.flushHeaders?.()
    } catch {
      // Such as an error of middleware around it: thrown on from here it would end the process.
      response.destroy()
    }
    hasWritten = true
    waiting = []
    size = 0
  }
  response.on('drain', goOn)
  // By then the signal has aborted.
  response.on('close', goOn)
  nextTick(flush)
  return {
    get isFull() {
      return isFull
    },
    write(piece) {
      if (gone.aborted) return
      if (!size && hasWritten) nextTick(flush)
      waiting.push(piece)
      size += piece.length
      if (size >= 16_384) flush()
      return isFull ? new Promise((resolve) => (release = resolve)) : undefined
    },
    end() {
      if (size) flush()
      if (!gone.aborted) response.end()
    },
  }
}

/** Calls back once nothing more can happen without waiting, within this turn of Node's loop. */
function nextTick(callback: () => void): void {
  const { process } = globalThis as { process?: { nextTick(callback: () => void): void } }
  if (process) process.nextTick(callback)
  else queueMicrotask(callback)
}
