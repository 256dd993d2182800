import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Provider } from 'vue-llm/core'
import { createOpenAIProvider } from 'vue-llm/providers'
import {
  createLLMHandler,
  createNodeTransport,
  createToolsHandler,
  toNodeHandler,
  toolRegistryFromEnv,
  type HandlerErrorEvent,
} from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'
import { refusalOf } from './access'
import { isLoopback, type ServeConfig } from './config'
import { withCors } from './cors'
import { declineUpgrade } from './declineUpgrade'
import { createDemoTransport } from './demoService'
import { answerDocs } from './docsPage'
import type { Log } from './log'
import { openapi } from './openapi'
import { tellError } from './tellError'
import { createSockets } from './sockets'

/** What the server needs of the world. */
export interface ServeParts {
  log: Log
  /** Reads the definitions file, once. */
  readFile(path: string): Uint8Array
}

/** A server that was made, and may be started once. */
export interface ServeServer {
  /** Resolves with the address once requests are taken. */
  listen(): Promise<string>
  /** Takes nothing new, gives running turns `shutdownSecs`, then closes. */
  stop(): Promise<void>
  /** Closes at once. */
  close(): Promise<void>
}

type Answer = (request: Request) => Response | Promise<Response>

const refuse = (status: number, error: string, headers?: Record<string, string>): Response =>
  Response.json({ ok: false, error }, { status, ...(headers && { headers }) })

/**
 * The chat server: `/api/chat`, `/api/tools`, `/ws`, `/health`, `/openapi.json` and `/docs`.
 *
 * @throws `LLMError` `invalid-definition` with every problem of the definitions file, or what is wrong with a variable
 */
// long: closures over the one server
export function createServeServer(config: ServeConfig, { log, readFile }: ServeParts): ServeServer {
  const send = createNodeTransport()
  const registry = toolRegistryFromEnv(withExampleTools(config), {
    readFile,
    llmEnabled: config.llmEnabled,
    transport: config.isDemo ? createDemoTransport(send) : send,
    onWarning: ({ path, message }) => log('warn', 'tools', { path, message }),
  })
  const shared = {
    provider: createProvider(config),
    model: config.model,
    system: config.systemPrompt,
    registry,
    onError: (error: unknown, event: HandlerErrorEvent) => tellError(log, error, event),
  }
  const chat = createLLMHandler(shared)
  const tools = createToolsHandler({
    registry,
    token: config.toolsToken,
    cors: config.corsOrigins,
    allowUnauthenticated: isLoopback(config.host) && !config.toolsToken,
  })
  const sockets = createSockets(() => shared)
  let isStopping = false

  const routes: Record<string, Answer> = {
    '/api/chat': (request) => (config.llmEnabled ? chat(request) : refuse(503, disabled)),
    '/api/tools': tools,
  }
  /** What is only read. */
  const pages: Record<string, () => Response> = {
    '/openapi.json': () => Response.json(openapi),
    '/health': () => Response.json({ ok: true }),
    '/ws': () => refuse(426, 'open a WebSocket here', { upgrade: 'websocket' }),
    '/': () => new Response(null, { status: 302, headers: { location: '/docs' } }),
  }

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const answer = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
    if (answer) return answer(request)
    const page = Object.hasOwn(pages, pathname) ? pages[pathname]?.() : await answerDocs(pathname)
    if (!page) return refuse(404, 'nothing is here: see /docs')
    const isRead = /^(GET|HEAD)$/.test(request.method)
    return isRead ? page : refuse(405, 'only GET is answered', { allow: 'GET, HEAD' })
  }

  const handle = toNodeHandler(withCors(config.corsOrigins, route))
  const active = new Set<ServerResponse>()

  function take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const started = performance.now()
    active.add(outgoing)
    outgoing.on('close', () => {
      active.delete(outgoing)
      log('info', 'request', {
        method: incoming.method,
        path: pathOf(incoming),
        status: outgoing.statusCode,
        ms: Math.round(performance.now() - started),
      })
    })
    const refusal = refusalOf(config, askedBy(incoming))
    if (refusal === undefined && !isStopping) return void handle(incoming, outgoing)
    const status = refusal === undefined ? 503 : 403
    outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    outgoing.end(JSON.stringify({ ok: false, error: refusal ?? stopping }))
  }

  function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!/^websocket$/i.test(incoming.headers.upgrade ?? '')) {
      return declineUpgrade(server, incoming, socket, head)
    }
    socket.on('error', () => {})
    const refusal = refusalOf(config, askedBy(incoming))
    const status =
      pathOf(incoming) !== '/ws'
        ? '404 Not Found'
        : refusal
          ? '403 Forbidden'
          : isStopping || !config.llmEnabled
            ? '503 Service Unavailable'
            : undefined
    if (status === undefined) return sockets.upgrade(incoming, socket, head)
    // Whatever the client does: it would outlive the server otherwise.
    socket.once('finish', () => socket.destroy())
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  }

  const server = createServer(take)
  server.on('upgrade', upgrade)

  function close(): Promise<void> {
    isStopping = true
    sockets.close()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    return closed
  }

  async function stop(): Promise<void> {
    isStopping = true
    log('info', 'stopping', { turns: sockets.count().busy + active.size })
    server.close()
    server.closeIdleConnections()
    sockets.drain()
    const end = Date.now() + config.shutdownSecs * 1000
    while (Date.now() < end && (active.size || sockets.count().open)) await wait(20)
    const left = sockets.count().busy + active.size
    await close()
    log(left ? 'warn' : 'info', 'stopped', { cut: left })
  }

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(config.port, config.host, () => {
          server.off('error', reject)
          resolve(urlOf(server.address() as AddressInfo))
        })
      }),
    stop,
    close,
  }
}

/** Without a definitions file of one's own, the demo has that of the package. */
function withExampleTools({ env, isDemo }: ServeConfig): ServeConfig['env'] {
  if (!isDemo || env.LLM_TOOLS_FILE) return env
  const { resolve } = createRequire(import.meta.url)
  return { ...env, LLM_TOOLS_FILE: resolve('vue-llm/tools.example.json') }
}

const disabled = 'the LLM is disabled (LLM_ENABLED)'
const stopping = 'the server is stopping'

function createProvider({ baseURL, apiKey, demoDelayMs: delayMs }: ServeConfig): Provider {
  if (baseURL !== undefined) return createOpenAIProvider({ baseURL, apiKey })
  return createOpenAIProvider({ baseURL: 'http://demo/v1', fetch: createDemoModel({ delayMs }) })
}

function askedBy({ headers }: IncomingMessage): {
  host: string | undefined
  origin: string | undefined
} {
  return { host: headers.host, origin: headers.origin }
}

/** Without the query, which may hold secrets. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/[?#].*/s, '').slice(0, 200)
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
