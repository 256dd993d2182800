import { createHttpTools } from '../createHttpTools'
import type { HttpToolInput, HttpToolOptions } from '../types'

/** What the model reads of one call: the result, or the error with `Error: ` before it. */
export async function callTool(
  definition: HttpToolInput,
  args: unknown = {},
  options: HttpToolOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const [tool] = createHttpTools([definition], options)
  if (!tool?.execute) throw new Error('no tool')
  const context = { signal, toolCallId: 'call_1', messages: [], context: {}, progress() {} }
  try {
    return await tool.execute(args as Record<string, unknown>, context)
  } catch (error) {
    if (error instanceof Error && error.name === 'ToolError') return `Error: ${error.message}`
    throw error
  }
}
