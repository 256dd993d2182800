import { parseToolDefinitions } from './parseToolDefinitions'
import type { HttpTool, HttpToolInput, HttpToolOptions } from './types'

/** Makes tools of definitions. */
export function createHttpTools(
  definitions: readonly HttpToolInput[],
  options: HttpToolOptions = {},
): HttpTool[] {
  parseToolDefinitions(definitions, options)
  return []
}
