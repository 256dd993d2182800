import { providerTraits, sumUsage, type ChatRequest, type Chunk, type Provider } from '../core'
import type { WatchedRequest } from './attempt'

/** Chunks that show nothing. */
const silent = ['message-start', 'metadata', 'reasoning-delta', 'step-end']

/** The reasons after which an empty round may be the server's fault. */
const good = ['stop', 'tool-calls', 'length', 'other']

const isContent = (chunk: Chunk): boolean =>
  chunk.type === 'text-delta' ? /\S/.test(chunk.text) : !silent.includes(chunk.type)

const isFailure = (chunk: Chunk): boolean =>
  chunk.type === 'error' ||
  (chunk.type === 'step-end' && /^(error|truncated)$/.test(chunk.finishReason))

/**
 * Asks once more without streaming where a round with tools comes back empty, since some servers lose the call on the
 * streaming path (guide §5). Empty is a round without call and without visible text; reasoning alone is empty.
 *
 * Reasoning that was shown stays, and calls or text are taken from the second answer. It is one round: one `step-end`,
 * whose `usage` is the sum of both requests, as both are paid for. A second request that fails, or takes longer than
 * `timeouts.totalMs` leaves it, changes nothing: the round stays as empty as it came.
 *
 * Costs nothing where a round is not empty, and does nothing after an abort, an error or a content filter, or for a
 * provider without `complete`. A stream that breaks off without a reason or `[DONE]` has failed (`truncated`) and is
 * not asked again, whatever it held; one that ends without a byte is as empty as can be, and is.
 *
 * `createOpenAIProvider` and `createOllamaProvider` have it already: around them, an empty round would be asked a third
 * time.
 *
 * @example
 * const provider = withEmptyRoundFallback(myProvider)
 */
export function withEmptyRoundFallback(provider: Provider): Provider {
  const complete = provider.complete?.bind(provider)
  // long: one loop and what follows it share the state of the round
  async function* stream(request: ChatRequest): AsyncGenerator<Chunk> {
    const startedAt = performance.now()
    const calls = new Set<string>()
    let hasContent = false
    let hasReasoning = false
    let started = false
    /** Held back, so that what the second answer gives belongs to the same round. */
    let end: Chunk<'step-end'> | undefined
    // The answer joins the last message, or comes after it, as it comes; the second request must not say that.
    const messages = request.messages.map((message) => ({ ...message, parts: [...message.parts] }))
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
      } else hasContent ||= type === 'step-end' || isContent(chunk)
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
      const again: WatchedRequest = { ...request, messages, startedAt }
      answer = (await complete?.(again)) ?? []
    } catch (error) {
      // Where nothing came at all, there is no round yet that could stay as it is.
      if (!started && (!end || request.signal.aborted)) throw error
    }
    if (request.signal.aborted) return
    const hasAnswer = answer.some((chunk) => chunk.type !== 'error' && isContent(chunk))
    if ((started || end) && !hasAnswer && answer.some(isFailure)) answer = []
    for (const chunk of answer) {
      if (hasReasoning && chunk.type === 'reasoning-delta') continue
      if (end && chunk.type === 'step-end') {
        yield end.usage ? { ...chunk, usage: sumUsage([chunk, end]) } : chunk
        end = undefined
      } else yield chunk
    }
    if (end) yield end
  }
  return {
    ...providerTraits(provider),
    stream: (request) =>
      complete && request.tools.length ? stream(request) : provider.stream(request),
    ...(complete && { complete }),
  }
}
