import { ToolError } from '../core'
import {
  requestError,
  type HttpRequest,
  type HttpTransport,
  type HttpTransportOptions,
} from '../http-tools'
import { isAddress, isPublicAddress } from './isPublicAddress'
import { nodeModule, type NodeLookup } from './nodeModules'
import { nodeRequest } from './nodeRequest'

/** Gives the IP addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Options of {@link createNodeTransport}. */
export interface NodeTransportOptions {
  /** Gives the IP addresses of a host name. @default what the system says (`dns.lookup`) */
  resolve?: ResolveHost | undefined
  /** How many redirects are followed. @default 10 */
  maxRedirects?: number | undefined
}

/**
 * Makes the transport of HTTP tools on a server: it can send what `fetch` can't (`TRACE`, any other verb), follows
 * redirects by hand and keeps calls off private addresses.
 *
 * The origin that stands in a definition is trusted, wherever it leads. Any other host, one that a call chose or a
 * redirect leads to, must have public addresses only (`allowPrivateNetwork` opens that; a redirect may also lead to a
 * host that `allowedHosts` names). The addresses are checked where the connection is made, so that no second answer of
 * the DNS can change them. A redirect to another origin loses the definition's headers but `User-Agent`; one with a
 * body, or from https to http, is refused.
 *
 * Where there is no `node:http` (edge platforms) it sends by `fetch`: then `TRACE` is refused, and of hosts only
 * addresses are checked, not what a name resolves to.
 */
export function createNodeTransport(options: NodeTransportOptions = {}): HttpTransport {
  const { resolve = resolveHost, maxRedirects = 10 } = options
  return async (first, policy) => {
    let request = first
    for (let hops = 0; ; hops++) {
      const response = await send(request, policy, resolve, hops > 0)
      const location = response.headers.get('location')
      if (!/^30[12378]$/.test(`${response.status}`) || location === null) return response
      // An answer that nobody reads would hold its connection.
      void response.body?.cancel().catch(() => {})
      if (policy.redirect === 'error') throw requestError('redirect refused')
      if (hops >= maxRedirects) throw requestError(`redirect limit of ${maxRedirects} reached`)
      request = follow(request, response.status, location)
    }
  }
}

/** The request that a redirect asks for. */
function follow(request: HttpRequest, status: number, location: string): HttpRequest {
  const { url, body } = request
  if (!URL.canParse(location, url)) throw requestError('redirect to an invalid URL')
  const from = new URL(url)
  const to = new URL(location, url)
  to.username = to.password = to.hash = ''
  const isGet =
    status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  const isOther = to.origin !== from.origin
  if (
    isOther &&
    ((from.protocol === 'https:' && to.protocol === 'http:') || (!isGet && body !== null))
  ) {
    throw requestError('redirect to another origin refused')
  }
  const headers = Object.entries(request.headers).filter(([name]) =>
    isOther ? name === 'user-agent' : !isGet || !name.startsWith('content-'),
  )
  return {
    method: isGet ? 'GET' : request.method,
    url: to.href,
    headers: Object.fromEntries(headers),
    body: isGet ? null : body,
  }
}

async function send(
  request: HttpRequest,
  { allowedOrigin, allowedHosts, allowPrivateNetwork, signal }: HttpTransportOptions,
  resolve: ResolveHost,
  isRedirect: boolean,
): Promise<Response> {
  const { origin, protocol, hostname } = new URL(request.url)
  if (!/^https?:$/.test(protocol)) {
    throw requestError(`scheme '${protocol.slice(0, -1)}' is not allowed`)
  }
  const isOpen =
    allowPrivateNetwork ||
    origin === allowedOrigin ||
    (isRedirect && !!allowedOrigin && allowedHosts.some((host) => host.toLowerCase() === hostname))
  const check = (addresses: readonly string[]) => {
    if (isOpen || addresses.every(isPublicAddress)) return
    throw requestError(`host '${hostname}' is not allowed`)
  }
  // For an address no lookup is made.
  if (isAddress(hostname)) check([hostname.replace(/^\[(.*)\]$/, '$1')])
  const hasNode = !!nodeModule('node:http')
  if (request.method === 'CONNECT' || (!hasNode && /^TRAC[EK]$/.test(request.method))) {
    throw requestError(`HTTP method '${request.method}' cannot be sent from this runtime`)
  }
  if (!hasNode) return fetch(request.url, { ...request, redirect: 'manual', signal })
  try {
    return await nodeRequest(request, createLookup(resolve, check), signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolError) throw error
    const { code } = error as { code?: unknown }
    // A code, never the text: it may hold an address or a header.
    throw requestError(`network error${/^[A-Z\d_]+$/.test(`${code}`) ? ` (${code})` : ''}`)
  }
}

/** A look-up whose addresses are checked: the connection is made to one of these, and to no other. */
function createLookup(
  resolve: ResolveHost,
  check: (addresses: readonly string[]) => void,
): NodeLookup {
  const find = async (hostname: string) => {
    const addresses = await resolve(hostname)
    check(addresses)
    const found = addresses
      .filter(isAddress)
      .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    if (!first) throw requestError('network error (ENOTFOUND)')
    return { found, first }
  }
  return (hostname, { all }, callback) =>
    void find(hostname).then(
      ({ found, first }) =>
        all ? callback(null, found) : callback(null, first.address, first.family),
      callback,
    )
}

async function resolveHost(hostname: string): Promise<readonly string[]> {
  const found = await nodeModule('node:dns')?.promises.lookup(hostname, { all: true })
  return found?.map(({ address }) => address) ?? []
}
