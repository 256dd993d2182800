import { isLoopback, type ServeConfig } from './config'

/** What is looked at of a request. */
export interface Asked {
  host: string | undefined
  origin: string | undefined
}

/**
 * Why a request is refused, or `undefined`. Bound to a loopback address the server answers loopback `Host` names only
 * (a page whose name was made to point here must not get in), and pages of loopback origins; elsewhere a page must be
 * of the server's own origin. Either way `CORS_ORIGINS` names further ones. Holds for WebSockets too, which browsers
 * open across origins without asking.
 */
export function refusalOf(config: ServeConfig, { host = '', origin }: Asked): string | undefined {
  const isLocal = isLoopback(config.host)
  if (isLocal && !isLoopback(hostName(host))) return 'only loopback Host names are answered'
  if (origin === undefined || config.corsOrigins.includes(origin)) return undefined
  if (!URL.canParse(origin)) return 'this Origin is not answered'
  const from = new URL(origin)
  const isOwn = isLocal ? isLoopback(from.hostname) : from.host === host
  return isOwn ? undefined : 'this Origin is not answered: CORS_ORIGINS names those that are'
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '')
}
