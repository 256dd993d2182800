import { callsOf, type Chunk, type Message, type Part, type Step } from '../core'
import type { Mask } from './mask'

/** An answer as its client may see it: errors masked, calls that run here marked. @internal */
export interface Wire {
  /** A chunk of the message that the answer goes to. */
  toChunk(chunk: Chunk, message: Message | undefined): Promise<Chunk>
  /** The transcript with the same done to it. */
  toMessages(messages: readonly Message[]): Message[]
}

/** @internal */
export function createWire(own: ReadonlySet<string>, mask: Mask): Wire {
  function toPart(part: Part): Part {
    if (part.type !== 'tool-call') return { ...part }
    const error = part.state === 'error' ? mask.shownCall(part.toolCallId) : undefined
    return {
      ...part,
      ...(error !== undefined && { error }),
      ...(own.has(part.toolName) && { providerExecuted: true }),
    }
  }
  function toStep(step: Step): Step {
    const message = step.error && mask.shownError(step.error)
    return step.error && message !== undefined
      ? { ...step, error: { ...step.error, message } }
      : { ...step }
  }
  return {
    async toChunk(chunk, message) {
      const find = (id: string) => callsOf(message).find(({ toolCallId }) => toolCallId === id)
      switch (chunk.type) {
        case 'error':
          return mask.error(chunk)
        case 'step-end':
          return chunk.error ? { ...chunk, error: await mask.error(chunk.error) } : chunk
        case 'tool-call-start':
        case 'tool-call-end': {
          const name = chunk.toolName ?? find(chunk.toolCallId)?.toolName ?? ''
          return own.has(name) ? { ...chunk, providerExecuted: true } : chunk
        }
        case 'tool-result':
          return { ...chunk, result: chunk.result ?? null }
        case 'tool-error': {
          const { toolCallId, error } = chunk
          const call = find(toolCallId)
          // With a code it is the chat's own text, unless the provider's side ran the call.
          if (chunk.errorCode && !call?.providerExecuted) return chunk
          return { ...chunk, error: await mask.call(toolCallId, error, call?.toolName) }
        }
        default:
          return chunk
      }
    },
    toMessages: (messages) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts.map(toPart),
        steps: message.steps.map(toStep),
      })),
  }
}
