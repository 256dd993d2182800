import { applyChunk, createMessage, toLLMError, type Chunk, type Provider } from '../core'

/** How often a turn goes on by itself: a server that pauses each time must not be asked for ever. */
const mostPauses = 16

/**
 * Goes on where a long turn of a server's tools was paused (`pause_turn`): the answer so far is sent back as it is, and
 * what follows is another round of the same answer. Not where a call of this side's tools is open.
 * @internal
 */
export function withPausedTurns(provider: Provider): Provider {
  return {
    ...provider,
    async *stream(request) {
      // As they are now: the answer joins the last message, or comes after it, as it comes.
      const messages = [...request.messages]
      const last = messages.at(-1)?.role === 'assistant' && messages.pop()
      const answer = last
        ? { ...last, parts: last.parts.map((part) => ({ ...part })), steps: [...last.steps] }
        : createMessage('assistant')
      let chunks: Chunk[] = []
      let next = request
      for (let pauses = 0; ; pauses++) {
        for (const chunk of chunks) applyChunk(answer, chunk)
        chunks = []
        try {
          for await (const chunk of provider.stream(next)) {
            chunks.push(chunk)
            yield chunk
          }
        } catch (error) {
          if (!pauses) throw error
          const { code, message } = toLLMError(error)
          if (!request.signal.aborted) yield { type: 'error', code, message }
        }
        const isPaused = chunks.some(
          (chunk) => chunk.type === 'step-end' && chunk.rawFinishReason === 'pause_turn',
        )
        const isOurs = chunks.some(
          (chunk) => chunk.type === 'tool-call-start' && !chunk.providerExecuted,
        )
        if (!isPaused || isOurs || request.signal.aborted || pauses === mostPauses) return
        next = { ...request, messages: [...messages, answer] }
      }
    },
  }
}
