import { LLMError } from '../core'
import { createHttpTools } from './createHttpTools'
import type { HttpTool, HttpToolOptions } from './types'

/**
 * Fetches a definition file and makes tools of it.
 *
 * @throws {@link LLMError} `network` or `http` where the file can't be had, `invalid-definition` where it is not right.
 */
export async function loadHttpTools(
  url: string | URL,
  options: HttpToolOptions = {},
): Promise<HttpTool[]> {
  const { fetch: doFetch = fetch } = options
  let response
  let bytes
  try {
    response = await doFetch(url)
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch {
    // No cause: its text may quote the URL with its credentials.
  }
  // `<`: development servers answer with their page where there is no such file.
  if (response?.ok && bytes && bytes[0] !== 60) return createHttpTools(bytes, options)
  const status = response?.status
  // Without credentials and query.
  const at = `${url}`.replace(/(\/\/)[^/]*@|[?#].*/gs, '$1')
  throw new LLMError(
    status ? 'http' : 'network',
    `no tool definitions from ${at} (${status ? `HTTP ${status}` : 'no answer'}): check the URL`,
    status ? { status } : {},
  )
}
