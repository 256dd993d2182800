import {
  providerTraits,
  sumUsage,
  toLLMError,
  type Chunk,
  type Message,
  type Provider,
} from '../core'

/** Chunks that show nothing. */
const silent = ['message-start', 'metadata']

/** The reasons after which an empty round may be the server's fault. */
const good = ['stop', 'tool-calls', 'length', 'other']

/**
 * Asks once more without streaming where a round with tools comes back empty, since some servers lose the call on the
 * streaming path (guide §5). Empty is a round without call and without visible text; reasoning alone is empty.
 *
 * Reasoning that was shown stays, and calls or text are taken from the second answer. It is one round: one `step-end`,
 * whose `usage` is the sum of both requests, as both are paid for. Costs nothing where a round is not empty, and does
 * nothing after an abort, an error or a content filter, or for a provider without `complete`.
 *
 * `createOpenAIProvider` has it already: around it, an empty round would be asked a third time.
 *
 * @example
 * const provider = withEmptyRoundFallback(myProvider)
 */
export function withEmptyRoundFallback(provider: Provider): Provider {
  const complete = provider.complete?.bind(provider)
  return {
    ...providerTraits(provider),
    // long: one loop and what follows it share the state of the round
    async *stream(request) {
      const calls = new Set<string>()
      let hasContent = !complete || !request.tools.length
      let hasReasoning = false
      let started = false
      /** Held back, so that what the second answer gives belongs to the same round. */
      let end: Chunk<'step-end'> | undefined
      const messages = asTheyAre(request.messages)
      const isEmpty = () => !hasContent && !calls.size
      for await (const chunk of provider.stream(request)) {
        const { type } = chunk
        if (type === 'step-end' && isEmpty() && good.includes(chunk.finishReason)) {
          end = chunk
          continue
        }
        if (type === 'reasoning-delta') hasReasoning = true
        else if ('toolCallId' in chunk) {
          calls[type === 'tool-call-cancel' ? 'delete' : 'add'](chunk.toolCallId)
        } else if (type === 'text-delta' ? /\S/.test(chunk.text) : !silent.includes(type)) {
          hasContent = true
        }
        if (end && !isEmpty()) {
          yield end
          end = undefined
        }
        started = true
        yield chunk
      }
      if (!isEmpty() || request.signal.aborted) return
      let answer: Chunk[] = []
      try {
        answer = (await complete?.({ ...request, messages })) ?? []
      } catch (error) {
        if (!started) throw error
        const { code, message } = toLLMError(error)
        answer = [{ type: 'error', code, message }]
      }
      if (request.signal.aborted) return
      for (const chunk of answer) {
        if (hasReasoning && chunk.type === 'reasoning-delta') continue
        if (end && chunk.type === 'step-end') {
          yield end.usage ? { ...chunk, usage: sumUsage([chunk, end]) } : chunk
          end = undefined
        } else yield chunk
      }
      if (end) yield end
    },
    ...(complete && { complete }),
  }
}

/** The answer joins the last message, or comes after it, as it comes; the second request must not say that. */
const asTheyAre = (messages: readonly Message[]): Message[] =>
  messages.map((message, index) =>
    index < messages.length - 1 ? message : { ...message, parts: [...message.parts] },
  )
