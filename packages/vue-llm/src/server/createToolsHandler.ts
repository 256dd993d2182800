import { isLLMError } from '../core'
import type { LLMHandler } from './createLLMHandler'
import type { ToolRegistry } from './createToolRegistry'
import { readText } from './readBody'
import { redactDefinitions } from './redactDefinitions'
import { invalid, Refusal } from './refusal'

/** Options of {@link createToolsHandler}. */
export interface ToolsHandlerOptions {
  registry: ToolRegistry
  /**
   * Decides who may see and replace the definitions: only what it returns as true (or as anything else that is truthy)
   * lets a request in. A `Response` that it throws or returns is sent as it is.
   */
  authorize?: ((request: Request) => unknown) | undefined
  /** Lets in whoever sends `Authorization: Bearer` with it, such as `LLM_TOOLS_API_TOKEN`. */
  token?: string | undefined
  /**
   * Lets everybody in, as the guide's engine does: for development. Then only loopback names (`localhost`, `127.0.0.1`)
   * are answered, so that no page whose name leads here gets in. @default false
   */
  allowUnauthenticated?: boolean | undefined
  /** Further names, with their port if it is not the usual one, that are answered without authentication. */
  allowedHostHeaders?: readonly string[] | undefined
  /** Origins of other pages that may ask, such as `https://admin.example.com`. @default only pages of this server */
  cors?: readonly string[] | undefined
}

const maxBytes = 2 ** 20

/** Why a request was not let in. */
const closedTo = ({ authorize, token }: ToolsHandlerOptions): string =>
  token
    ? 'the token is wrong or missing: send that of this server (LLM_TOOLS_API_TOKEN) as Authorization: Bearer'
    : authorize
      ? 'not let in by `authorize`'
      : 'closed: give createToolsHandler `authorize` or a `token` (LLM_TOOLS_API_TOKEN), and send that as Authorization: Bearer'

/**
 * Makes `GET` and `POST /api/tools` (guide §2) of a registry: what is active, and a way to replace it from the next turn
 * on, in memory only. Closed until `authorize` or a `token` is given.
 *
 * Answers `{ ok, count, source, tools }` with credentials as `***`, or `{ ok: false, error, errors? }` with 400 for a
 * body that is no list of definitions, 403, 405, 409 where tools are turned off, 413 above 1 MiB, 415 for anything but
 * JSON and 503 without a model. Whatever is not 200 leaves the active definitions as they are.
 *
 * @example
 * const tools = createToolsHandler({ registry, token: process.env.LLM_TOOLS_API_TOKEN })
 */
export function createToolsHandler(options: ToolsHandlerOptions): LLMHandler {
  const { registry } = options
  const show = () => {
    const { count, source, tools } = registry
    return reply(200, { ok: true, count, source, tools: redactDefinitions(tools) })
  }
  async function answer(request: Request): Promise<Response> {
    const { method } = request
    const isPreflight = method === 'OPTIONS' && !!options.cors
    if (!isPreflight && !/^(GET|POST)$/.test(method)) {
      const allowed = reply(405, { ok: false, error: 'only GET and POST are answered' })
      allowed.headers.set('allow', 'GET, POST')
      return allowed
    }
    refuseForeignPage(request, options)
    // A preflight has no credentials, and tells nothing.
    if (isPreflight) return new Response(null, { status: 204 })
    const granted = await isGranted(request, options)
    if (granted instanceof Response) return granted
    if (!granted) throw forbidden(closedTo(options))
    if (method === 'GET') return show()
    if (!registry.llmEnabled) throw new Refusal(503, 'unavailable', 'the LLM is disabled')
    replace(registry, await readDefinitions(request))
    return show()
  }

  return async (request) => {
    const response = await answer(request).catch(toRefusal)
    const origin = request.headers.get('origin')
    if (!origin || !options.cors?.includes(origin)) return response
    const open = new Response(response.body, response)
    open.headers.set('access-control-allow-origin', origin)
    open.headers.set('access-control-allow-methods', 'GET, POST')
    open.headers.set('access-control-allow-headers', 'authorization, content-type')
    open.headers.append('vary', 'origin')
    return open
  }
}

const reply = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

const forbidden = (message: string) => new Refusal(403, 'forbidden', message)

/** What was thrown as an answer. */
function toRefusal(error: unknown): Response {
  if (error instanceof Response) return error
  if (error instanceof Refusal) return reply(error.status, { ok: false, error: error.message })
  if (isLLMError(error, 'invalid-definition')) {
    return reply(400, { ok: false, error: error.message, errors: error.errors })
  }
  throw error
}

function replace(registry: ToolRegistry, text: string): void {
  try {
    registry.replace(text)
  } catch (error) {
    if (isLLMError(error, 'misuse')) throw new Refusal(409, 'conflict', error.message)
    throw error
  }
}

/** Refuses pages of other origins, and without authentication every name that is not known to be this server's. */
function refuseForeignPage(request: Request, options: ToolsHandlerOptions): void {
  const { allowUnauthenticated, allowedHostHeaders = [], cors = [] } = options
  const url = new URL(request.url)
  const host = toHost(request.headers.get('host') ?? url.host, url.protocol)
  const origin = request.headers.get('origin')
  const isKnown = isLoopback(host) || allowedHostHeaders.some((name) => name.toLowerCase() === host)
  if (allowUnauthenticated && !isKnown) {
    throw forbidden(`the Host '${host}' is not answered: see allowedHostHeaders`)
  }
  if (origin === null || cors.includes(origin)) return
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  // Another server of this machine may be the page's, as while developing.
  const isNear = allowUnauthenticated && isLoopback(host) && isLoopback(from?.host ?? '')
  if (!from || !(isNear || from.host === toHost(host, from.protocol))) {
    throw forbidden(`the Origin '${origin}' is not answered: see cors`)
  }
}

/** A `Host` as `URL` writes it: in lower case, without the usual port. */
function toHost(host: string, protocol: string): string {
  const url = `${protocol}//${host}`
  return URL.canParse(url) ? new URL(url).host : host
}

const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)

async function isGranted(request: Request, options: ToolsHandlerOptions): Promise<unknown> {
  const { authorize, token, allowUnauthenticated } = options
  const [, sent] = /^Bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token && sent !== undefined && (await isSame(sent, token))) return true
  if (authorize) return authorize(request)
  return allowUnauthenticated && !token
}

/** Compares in a time that does not depend on the texts. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a = new Uint8Array(), b = new Uint8Array()] = await Promise.all(
    [one, other].map(async (text) => {
      const bytes = new TextEncoder().encode(text)
      return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    }),
  )
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
}

/** The body of a POST: JSON as text. Any page may send other types without asking, and a form's with cookies. */
async function readDefinitions(request: Request): Promise<string> {
  const { signal = new AbortController().signal } = request
  const text = await readText(request, maxBytes, signal)
  if (!text.trim()) throw invalid('', 'the body is empty: expected an array of definitions')
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new Refusal(415, 'unsupported-media-type', 'the content-type must be application/json')
  }
  return text
}
