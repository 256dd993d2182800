import { isCredentialName } from './credentials'
import type { HttpRequest } from './types'

/** Puts something in place of the credentials in a URL's query: values whose names say so. */
const redactQuery = (url: string, hide: (value: string) => string): string =>
  url.replace(/([?&]([^=&]*)=)([^&]+)/g, (pair, before: string, name: string, value: string) =>
    isCredentialName(name) ? before + hide(value) : pair,
  )

/** Whether a URL holds a credential in its query. */
export const hasQuerySecret = (url: string): boolean => redactQuery(url, () => '') !== url

/**
 * The request as it may be shown, with `***` for the values of credential-like headers and query parameters; and these
 * values, the longest first.
 */
export function redactRequest(request: HttpRequest): { shown: HttpRequest; secrets: string[] } {
  const secrets: string[] = []
  const hide = (value: string) => {
    // A server may echo the token of `Bearer …` alone, a cookie's value, what the query or Basic encodes.
    const bare = value.replace(/^\S+ +/, '')
    secrets.push(
      value,
      bare,
      ...new URLSearchParams(`=${value}`).values(),
      ...value.split(/(?:^|; *)[^=;]*=/),
    )
    try {
      secrets.push(atob(bare).replace(/^.*?:/, ''))
    } catch {
      // Not Basic.
    }
    return '***'
  }
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    isCredentialName(name) ? hide(value) : value,
  ])
  const url = redactQuery(request.url, hide)
  return {
    shown: { ...request, url, headers: Object.fromEntries(headers) as Record<string, string> },
    // What is shorter stands in many a harmless word.
    secrets: secrets.filter(({ length }) => length > 4).sort((a, b) => b.length - a.length),
  }
}
