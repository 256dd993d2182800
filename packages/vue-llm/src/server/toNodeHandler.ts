import { neutral } from './mask'
import { nodeBody, type NodeIncoming } from './nodeBody'
import { toErrorResponse } from './refusal'

/** A request of `node:http`, Express or Connect (their own objects fit), or Fastify's, which holds it in `raw`. */
export type NodeRequest = NodeIncoming | { readonly raw: NodeIncoming; readonly body?: unknown }

/** What is used of the response of `node:http`. */
export interface NodeOutgoing {
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableEnded: boolean
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  flushHeaders?(): void
  write(chunk: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown
}

/** A response of `node:http`, Express or Connect, or Fastify's reply, which holds it in `raw`. */
export type NodeResponse = NodeOutgoing | FastifyOutgoing

interface FastifyOutgoing {
  readonly raw: NodeOutgoing & { setHeader(name: string, value: string | string[]): unknown }
  hijack(): unknown
  /** What plugins have set, such as CORS headers. */
  getHeaders?(): Readonly<Record<string, string | string[] | number | undefined>>
}

/** A handler for `node:http`, Express, Connect and Fastify. Never rejects. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/**
 * Turns a handler from `Request` to `Response` into one for Node's servers: the body streams in, the answer streams
 * out no faster than it is read, and a client that goes away aborts `request.signal`. What `express.json()` has parsed
 * already is used.
 *
 * @example
 * createServer(toNodeHandler(handler)).listen(3000)
 * app.post('/api/chat', toNodeHandler(handler)) // Express and Fastify
 */
export function toNodeHandler(handler: (request: Request) => Promise<Response>): NodeHandler {
  return async (incoming, outgoing, next) => {
    const isWrapped = 'raw' in incoming
    const request = isWrapped ? incoming.raw : incoming
    const parsed = incoming.body
    const response = 'raw' in outgoing ? hijack(outgoing) : outgoing
    const gone = new AbortController()
    const leave = () => gone.abort()
    // Once all is written nobody can leave any more: an abort would only cost.
    response.on('close', () => response.writableEnded || leave())
    // Without a listener it would end the process.
    response.on('error', leave)
    try {
      // Verbs that no `Request` may have.
      const answer = /^(CONNECT|TRACE|TRACK)$/.test(request.method ?? '')
        ? toErrorResponse(405, 'method-not-allowed', 'this method is not answered')
        : await handler(toRequest(request, parsed, gone.signal))
      await send(answer, response, gone.signal)
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy()
      else if (next) next(error)
      else {
        const answer = toErrorResponse(500, 'internal', neutral.handler)
        await send(answer, response, gone.signal).catch(leave)
      }
    }
  }
}

/** Fastify would answer by itself otherwise. */
function hijack(reply: FastifyOutgoing): NodeOutgoing {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders?.() ?? {})) {
    if (value !== undefined) reply.raw.setHeader(name, Array.isArray(value) ? value : `${value}`)
  }
  return reply.raw
}

function toRequest(incoming: NodeIncoming, parsed: unknown, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', originalUrl = url, headers: given, socket } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    // Those of HTTP/2 with a colon are no headers.
    if (name.startsWith(':')) continue
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  const host = headers.get('host') ?? given[':authority']
  const origin = `http${'encrypted' in socket ? 's' : ''}://${host}`
  const body = /^(GET|HEAD)$/.test(method) ? undefined : nodeBody(incoming, parsed)
  return new Request(toUrl(originalUrl, origin), {
    method,
    headers,
    signal,
    ...(body !== undefined && { body, duplex: 'half' }),
  } as RequestInit)
}

/** A client may send any `host` and any path. */
function toUrl(path: string, origin: string): string {
  for (const base of [origin, 'http://localhost']) {
    const url = path.startsWith('/') ? base + path : path
    if (URL.canParse(url)) return url
  }
  return 'http://localhost/'
}

async function send(answer: Response, response: NodeOutgoing, gone: AbortSignal): Promise<void> {
  const { status, headers, body } = answer
  const reader = body?.getReader()
  let release = () => {}
  const leave = () => {
    reader?.cancel().catch(() => {})
    release()
  }
  gone.addEventListener('abort', leave)
  if (gone.aborted || response.destroyed || response.writableEnded) return leave()
  const sent: Record<string, string | string[]> = Object.fromEntries(headers)
  const cookies = headers.getSetCookie()
  if (cookies.length) sent['set-cookie'] = cookies
  response.writeHead(status, sent)
  let waiting: Uint8Array[] = []
  let size = 0
  let isFull = false
  let hasWritten = false
  response.on('drain', () => {
    isFull = false
    release()
  })
  const flush = () => {
    if (gone.aborted || response.writableEnded) return
    if (size) isFull = !response.write(join(waiting, size))
    // Whoever waits for the model's first word is told that it was asked.
    else if (!hasWritten) response.flushHeaders?.()
    hasWritten = true
    waiting = []
    size = 0
  }
  // What comes within one turn of Node's loop is one piece on the wire, unless it is large.
  nextTick(flush)
  while (reader && !gone.aborted) {
    const { value, done } = await reader.read()
    if (done || gone.aborted) break
    if (!size && hasWritten) nextTick(flush)
    waiting.push(value)
    size += value.length
    if (size >= 16_384) flush()
    if (!isFull) continue
    await new Promise<void>((resolve) => {
      release = resolve
      if (gone.aborted) resolve()
    })
  }
  if (size) flush()
  if (!gone.aborted) response.end()
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces
  if (first?.length === size) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Calls back once nothing more can happen without waiting, within this turn of Node's loop. */
function nextTick(callback: () => void): void {
  const { process } = globalThis as { process?: { nextTick(callback: () => void): void } }
  if (process) process.nextTick(callback)
  else queueMicrotask(callback)
}
