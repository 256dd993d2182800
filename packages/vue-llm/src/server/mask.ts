import { errorText, isLLMError, LLMError, type ErrorInfo } from '../core'
import type { HandlerErrorEvent, LLMHandlerOptions } from './options'
import type { Thrown } from './thrown'

/** What a client reads in place of an error's own text. @internal */
export const neutral = {
  provider: 'the server could not answer',
  handler: 'the server could not answer',
  tool: 'the tool failed',
} as const

/** Tells `onError` of errors, or without one the console, and asks it what may be shown. @internal */
export type Tell = (
  error: unknown,
  source: HandlerErrorEvent['source'],
  toolName?: string,
) => Promise<string>

/** @internal */
export function createTell<Context>(
  onError: LLMHandlerOptions<Context>['onError'],
  context: () => Context | undefined,
): Tell {
  return async (error, source, toolName) => {
    const event = { context: context(), source, ...(toolName !== undefined && { toolName }) }
    // A ToolError is written to be read; of copies of the package by its name.
    const isShown = source === 'tool' && error instanceof Error && error.name === 'ToolError'
    const text = isShown ? errorText(error) : neutral[source]
    if (!onError && !isShown) log(error, toolName === undefined ? source : `tool '${toolName}'`)
    try {
      const given = await onError?.(error, event)
      return typeof given === 'string' ? given : text
    } catch {
      return text
    }
  }
}

/**
 * What is masked must be read somewhere. As text: what else hangs on errors, such as the request of an HTTP client,
 * may hold keys.
 */
function log(error: unknown, where: string): void {
  const stack = error instanceof Error && !isLLMError(error) && error.stack
  console.error(`[vue-llm] ${where}: ${stack || errorText(error)}`)
}

/** Puts texts that may be shown in place of those of errors, and remembers which. @internal */
export interface Mask {
  /** An error of an answer. */
  error<E extends ErrorInfo>(info: E): Promise<E>
  /** What a tool threw. */
  call(toolCallId: string, text: string, toolName: string | undefined): Promise<string>
  /** What stands in place of an error that was masked. */
  shownError(info: ErrorInfo): string | undefined
  shownCall(toolCallId: string): string | undefined
}

/** @internal */
export function createMask(thrown: Thrown, tell: Tell): Mask {
  const errors = new Map<string, string>()
  const calls = new Map<string, string>()
  const keyOf = ({ code, message }: ErrorInfo) => `${code} ${message}`
  return {
    async error(info) {
      const key = keyOf(info)
      // An error chunk and the step-end after it are one error: told once.
      let message = errors.get(key)
      if (message === undefined) {
        const { error = new LLMError(info.code, info.message), source = 'provider' } =
          thrown.find(info.message) ?? {}
        message = await tell(error, source === 'tool' ? 'provider' : source)
        errors.set(key, message)
      }
      return { ...info, message }
    },
    async call(toolCallId, text, toolName) {
      const shown = await tell(thrown.find(text)?.error ?? new Error(text), 'tool', toolName)
      calls.set(toolCallId, shown)
      return shown
    },
    shownError: (info) => errors.get(keyOf(info)),
    shownCall: (toolCallId) => calls.get(toolCallId),
  }
}
