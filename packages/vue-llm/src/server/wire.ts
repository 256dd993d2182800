import { callsOf, errorText, LLMError, type Chunk, type ErrorInfo, type Message } from '../core'
import type { HandlerErrorEvent, LLMHandlerOptions } from './options'
import type { Thrown } from './thrown'

/** What a client reads in place of an error's own text. @internal */
export const neutral = {
  provider: 'the server could not answer',
  handler: 'the server could not answer',
  tool: 'the tool failed',
} as const

/** Tells `onError` of errors, and asks it what may be shown. @internal */
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
    try {
      const given = await onError?.(error, event)
      return typeof given === 'string' ? given : text
    } catch {
      return text
    }
  }
}

/** An answer as its client may see it. @internal */
export interface Wire {
  /** A chunk with its error masked, and calls that run here marked. */
  toChunk(chunk: Chunk, message: Message | undefined): Promise<Chunk>
  /** The transcript with the same done to it. */
  toMessages(messages: readonly Message[]): Message[]
}

/** @internal */
export function createWire(own: ReadonlySet<string>, thrown: Thrown, tell: Tell): Wire {
  const shownErrors = new Map<string, string>()
  const shownCalls = new Map<string, string>()
  const keyOf = ({ code, message }: ErrorInfo) => `${code} ${message}`

  async function mask<E extends ErrorInfo>(info: E): Promise<E> {
    const key = keyOf(info)
    // An error chunk and the step-end after it are one error: told once.
    let message = shownErrors.get(key)
    if (message === undefined) {
      const { error = new LLMError(info.code, info.message), source = 'provider' } =
        thrown.find(info.message) ?? {}
      message = await tell(error, source === 'tool' ? 'provider' : source)
      shownErrors.set(key, message)
    }
    return { ...info, message }
  }

  async function maskTool(
    chunk: Chunk<'tool-error'>,
    toolName: string | undefined,
  ): Promise<Chunk> {
    const known = thrown.find(chunk.error)?.error ?? new Error(chunk.error)
    const error = await tell(known, 'tool', toolName)
    shownCalls.set(chunk.toolCallId, error)
    return { ...chunk, error }
  }

  return {
    async toChunk(chunk, message) {
      const nameOf = (id: string) =>
        callsOf(message).find(({ toolCallId }) => toolCallId === id)?.toolName
      switch (chunk.type) {
        case 'error':
          return mask(chunk)
        case 'step-end':
          return chunk.error ? { ...chunk, error: await mask(chunk.error) } : chunk
        case 'tool-call-start':
        case 'tool-call-end': {
          const name = chunk.toolName ?? nameOf(chunk.toolCallId) ?? ''
          return own.has(name) ? { ...chunk, providerExecuted: true } : chunk
        }
        case 'tool-result':
          return { ...chunk, result: chunk.result ?? null }
        case 'tool-error':
          // With a code it is the chat's own text.
          return chunk.errorCode ? chunk : maskTool(chunk, nameOf(chunk.toolCallId))
        default:
          return chunk
      }
    },
    toMessages: (messages) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => {
          if (part.type !== 'tool-call') return { ...part }
          const error = shownCalls.get(part.toolCallId)
          return {
            ...part,
            ...(error !== undefined && part.state === 'error' && { error }),
            ...(own.has(part.toolName) && { providerExecuted: true }),
          }
        }),
        steps: message.steps.map((step) => {
          const text = step.error && shownErrors.get(keyOf(step.error))
          return step.error && text !== undefined
            ? { ...step, error: { ...step.error, message: text } }
            : { ...step }
        }),
      })),
  }
}
