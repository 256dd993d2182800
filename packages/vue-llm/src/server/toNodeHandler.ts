import { neutral } from './mask'
import { nodeBody, toAsked, type NodeIncoming } from './nodeBody'
import { openHandlerOf, type OpenAnswer } from './openAnswer'
import { toErrorResponse } from './refusal'
import { sendAnswer, sendResponse, type NodeOutgoing } from './sendAnswer'

/** A request of `node:http`, Express or Connect (their own objects fit), or Fastify's, which holds it in `raw`. */
export type NodeRequest = NodeIncoming | { readonly raw: NodeIncoming; readonly body?: unknown }

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
  const opener = openHandlerOf(handler)
  async function ask(
    incoming: NodeIncoming,
    parsed: unknown,
    signal: AbortSignal,
  ): Promise<Response | OpenAnswer> {
    // Verbs that no `Request` may have.
    if (/^(CONNECT|TRACE|TRACK)$/.test(incoming.method ?? '')) {
      return toErrorResponse(405, 'method-not-allowed', 'this method is not answered')
    }
    if (!opener) return handler(toRequest(incoming, parsed, signal))
    const isPlain = !opener.needsRequest && !incoming.readableDidRead
    const request = isPlain ? toAsked(incoming) : toRequest(incoming, parsed, signal)
    return opener.open(request, signal)
  }
  return async (incoming, outgoing, next) => {
    const isWrapped = 'raw' in incoming
    const request = isWrapped ? incoming.raw : incoming
    const parsed = incoming.body
    const response = 'raw' in outgoing ? hijack(outgoing) : outgoing
    const gone = new AbortController()
    const leave = () => gone.abort()
    const isHead = request.method === 'HEAD'
    let isSent = false
    // Once all is written nobody can leave any more: an abort would only cost.
    response.on('close', () => isSent || leave())
    // Without a listener it would end the process.
    response.on('error', leave)
    try {
      const answer = await ask(request, parsed, gone.signal)
      if (answer instanceof Response) await sendResponse(answer, response, gone.signal, isHead)
      else await sendAnswer(answer, response, gone.signal)
      isSent = true
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy()
      else if (next) next(error)
      else {
        const answer = toErrorResponse(500, 'internal', neutral.handler)
        await sendResponse(answer, response, gone.signal, isHead).catch(leave)
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
