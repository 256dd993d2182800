import { errorText, type ChatRequest, type Chunk } from '../core'
import { createFraming } from './framing'
import { createReadEvent, createRound, endRound } from './round'
import type { Answer } from './send'
import type { Round, StreamReader } from './types'

/**
 * Sends a request and reads its answer: bytes to text to events to chunks. All events of one network read are handled
 * in one go, then their chunks are yielded. Rejects only before the first chunk. An abort ends it at once, and every
 * end cancels the body.
 * @internal
 */
export async function* readStream(
  send: () => Promise<Answer>,
  request: ChatRequest,
  toReader: (round: Round) => StreamReader,
): AsyncGenerator<Chunk, void, undefined> {
  const { signal } = request
  const answer = await send()
  const round = createRound(request, answer)
  const reader = toReader(round)
  const framing = createFraming(createReadEvent(round, reader))
  const decoder = new TextDecoder()
  const body = answer.response.body?.getReader()
  // Settles a pending read, also where the server or a `fetch` of the caller's ignores the signal.
  const cancel = () => void body?.cancel().catch(() => {})
  let started = false
  let open = true
  let head = ''
  signal.addEventListener('abort', cancel)
  try {
    while (open) {
      try {
        const { value } = (await body?.read()) ?? {}
        open = value !== undefined
        const text = decoder.decode(value, { stream: open })
        if (head.length < 500) head += text
        framing.feed(text)
      } catch (error) {
        open = false
        // After its finish reason an answer is whole, however the connection ends.
        if (!round.finishReason) {
          round.fail(`the answer of ${answer.at} broke off (${errorText(error)})`, 'network')
        }
      }
      if (round.done || round.failure) open = false
      if (!open) {
        framing.end()
        if (!signal.aborted) endRound(round, reader, answer.at, head.trim(), started)
      }
      for (const chunk of round.chunks) {
        if (signal.aborted) break
        started = true
        yield chunk
      }
      if (signal.aborted) {
        if (started) return
        throw signal.reason
      }
      round.chunks.length = 0
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
