import { isCredentialName } from './credentials'
import type { HttpRequest } from './types'

/** A value of the query whose name says that it is a credential, after its name. */
const query = /([?&][^=&]*(?:key|token|secret|password|auth)[^=&]*=)([^&]+)/gi

/** Whether a URL holds a credential in its query. */
export const hasQuerySecret = (url: string): boolean => url.search(query) >= 0

/** The request as it may be shown: the values of credential-like headers and query parameters are `***`. */
export const redactRequest = (request: HttpRequest): HttpRequest => ({
  ...request,
  url: request.url.replace(query, '$1***'),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      isCredentialName(name) ? '***' : value,
    ]),
  ),
})

/** What a request holds that a failure's text must not show, the longest first. */
export const secretsOf = ({ url, headers }: HttpRequest): string[] =>
  [
    ...Object.entries(headers).flatMap(([name, value]) => (isCredentialName(name) ? value : [])),
    ...Array.from(url.matchAll(query), ([, , value = '']) => value),
  ]
    // A server may echo the token of `Bearer …` alone.
    .flatMap((value) => [value.trim(), value.trim().replace(/^\S* /, '')])
    .filter(({ length }) => length > 4)
    .sort((a, b) => b.length - a.length)
