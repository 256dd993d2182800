import { isPlainObject, ToolError } from '../core'

/** The most that the arguments of one call may take, in bytes of JSON. */
const maxBytes = 65_536

/**
 * The arguments of a call, which may be JSON text as a model wrote it.
 *
 * @throws `ToolError` where they are no JSON object, hold the key `__proto__`, or are too many.
 */
export function readArgs(toolName: string, args: unknown): Map<string, unknown> {
  let problem = 'not valid JSON'
  try {
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    const value: unknown = JSON.parse(text.trim() || '{}', (key, one: unknown) => {
      // Harmless in itself, but a trap for whatever copies it.
      if (key === '__proto__') {
        problem = `forbidden key '${key}'`
        throw problem
      }
      return one
    })
    problem = 'expected a JSON object'
    if (value === null || isPlainObject(value)) {
      problem = 'larger than 64 KiB'
      if (new TextEncoder().encode(text).length <= maxBytes) {
        return new Map(Object.entries(value ?? {}))
      }
    }
  } catch {
    // The problem says it.
  }
  throw new ToolError(`invalid arguments for tool '${toolName}': ${problem}`)
}
