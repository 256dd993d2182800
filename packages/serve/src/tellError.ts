import { isLLMError } from 'vue-llm/core'
import type { HandlerErrorEvent } from 'vue-llm/server'
import type { Log } from './log'

/** Errors whose text is vue-llm's own. The others quote the model's server, and that may quote the conversation. */
const own = /^(network|timeout|truncated|misuse)$/

/** Logs what happened to a turn, without a word of what was said. */
export function tellError(
  log: Log,
  error: unknown,
  { source, toolName }: HandlerErrorEvent,
): undefined {
  const { code, message, status, body } = isLLMError(error) ? error : {}
  log('error', 'turn', {
    source,
    tool: toolName,
    kind: error instanceof Error ? error.name : typeof error,
    code,
    status,
    upstream: upstreamCode(body),
    message: code !== undefined && own.test(code) ? message : undefined,
  })
}

/** The word by which the model's server names its error, such as `model_not_found`. */
function upstreamCode(body: string | undefined): string | undefined {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { code?: unknown; type?: unknown } }
    const word = [error?.code, error?.type].find((one) => /^[a-z]+(_[a-z]+)+$/.test(`${one}`))
    return word as string | undefined
  } catch {
    return undefined
  }
}
