import { requestError } from './credentials'
import type { HttpRequest, HttpRequestOptions, HttpToolDefinition } from './types'

/** The request that a call of a tool becomes (guide §3). */
export function buildHttpRequest(
  _definition: HttpToolDefinition,
  _args: unknown,
  _options: HttpRequestOptions = {},
): HttpRequest {
  throw requestError('not built yet')
}
