import {
  toLLMError,
  type ChatRequest,
  type Chunk,
  type FinishReason,
  type Provider,
  type Usage,
} from '../core'

/**
 * Asks once more without streaming where a round with tools comes back empty, since some servers lose the call on the
 * streaming path (guide §5). Empty is a round without call and without visible text; reasoning alone is empty.
 *
 * Reasoning that was shown stays, and calls or text are taken from the second answer. It is one round: one `step-end`,
 * whose `usage` is the sum of both requests, as both are paid for. Costs nothing where a round is not empty, and does
 * nothing after an abort, an error or a content filter, or for a provider without `complete`.
 *
 * @example
 * const provider = withEmptyRoundFallback(createOpenAIProvider({ baseURL: 'http://localhost:8000/v1' }))
 */
export function withEmptyRoundFallback(provider: Provider): Provider {
  const { name, remote } = provider
  const complete = provider.complete?.bind(provider)
  return {
    name,
    ...(remote && { remote }),
    stream: (request) =>
      complete && request.tools.length
        ? streamOrComplete(provider, complete, request)
        : provider.stream(request),
    ...(complete && { complete }),
  }
}

/** The reasons after which an empty round may be the server's fault. */
const good: readonly FinishReason[] = ['stop', 'tool-calls', 'length', 'other']

// long: one loop and what follows it share the state of the round
async function* streamOrComplete(
  provider: Provider,
  complete: NonNullable<Provider['complete']>,
  request: ChatRequest,
): AsyncGenerator<Chunk, void, undefined> {
  const calls = new Set<string>()
  let hasContent = false
  let hasReasoning = false
  let started = false
  /** Held back, so that what the second answer gives belongs to the same round. */
  let end: Chunk<'step-end'> | undefined
  const isEmpty = () => !hasContent && !calls.size
  for await (const chunk of provider.stream(request)) {
    if (chunk.type === 'step-end' && !end && isEmpty() && good.includes(chunk.finishReason)) {
      end = chunk
      continue
    }
    switch (chunk.type) {
      case 'text-delta':
        if (/\S/.test(chunk.text)) hasContent = true
        break
      case 'tool-call-start':
      case 'tool-call-end':
        calls.add(chunk.toolCallId)
        break
      case 'tool-call-cancel':
        calls.delete(chunk.toolCallId)
        break
      case 'reasoning-delta':
        hasReasoning = true
        break
      case 'message-start':
      case 'metadata':
      case 'tool-call-delta':
        break
      default:
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
  let answer: Chunk[]
  try {
    answer = await complete(request)
  } catch (error) {
    if (!started) throw error
    const { code, message } = toLLMError(error)
    answer = [{ type: 'error', code, message }]
  }
  if (request.signal.aborted) return
  for (const chunk of answer) {
    if (hasReasoning && chunk.type === 'reasoning-delta') continue
    if (end && chunk.type === 'step-end') {
      yield addUsage(chunk, end.usage)
      end = undefined
    } else yield chunk
  }
  if (end) yield end
}

function addUsage(end: Chunk<'step-end'>, more: Usage | undefined): Chunk<'step-end'> {
  if (!more) return end
  const usage: Usage = { ...more }
  for (const key in end.usage) {
    const name = key as keyof Usage
    usage[name] = (usage[name] ?? 0) + (end.usage[name] ?? 0)
  }
  return { ...end, usage }
}
