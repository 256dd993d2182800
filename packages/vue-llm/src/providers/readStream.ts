import { errorText, LLMError, type ChatRequest, type Chunk } from '../core'
import { excerpt } from './errorMessage'
import { createFraming } from './framing'
import { createReadEvent, createReading, endRound } from './round'
import type { Answer } from './send'
import type { Round, StreamReader } from './types'

/**
 * Sends a request and reads its answer: bytes to text to events to chunks. All events of one network read are handled
 * in one go, then their chunks are yielded. Rejects only before the first chunk. An abort ends it at once, and every
 * end cancels the body.
 * @internal
 */
// long: one loop whose steps share the state of the read at hand
export async function* readStream(
  send: () => Promise<Answer>,
  request: ChatRequest,
  toReader: (round: Round) => StreamReader,
): AsyncGenerator<Chunk, void, undefined> {
  const { signal } = request
  const { response, at, redact } = await send()
  const reading = createReading(request, redact)
  const { round, chunks } = reading
  const reader = toReader(round)
  const framing = createFraming(createReadEvent(reading, reader))
  const decoder = new TextDecoder()
  const body = response.body?.getReader()
  // Settles a pending read, also where the server or a `fetch` of the caller's ignores the signal.
  const cancel = () => void body?.cancel().catch(() => {})
  let started = false
  let open = true
  let head = ''
  signal.addEventListener('abort', cancel)
  try {
    while (open) {
      let cause: unknown
      try {
        const { value } = (await body?.read()) ?? {}
        open = value !== undefined
        const text = decoder.decode(value, { stream: open })
        if (!reading.seen && head.length < 500) head += text
        if (!signal.aborted) framing.feed(text)
      } catch (error) {
        open = false
        cause = error
      }
      if (round.done || reading.failure) open = false
      if (!open && !signal.aborted) {
        if (!cause) framing.end()
        else if (!round.finishReason) {
          const text = `the answer of ${at} broke off (${errorText(cause)})`
          if (!started && !chunks.length) throw new LLMError('network', text, { cause })
          round.fail(text, 'network')
        }
        if (reading.seen || round.done || reading.failure) endRound(reading, reader, at)
        else if (head.trim()) throw unreadable(at, redact(head.trim()))
      }
      for (const chunk of chunks) {
        if (signal.aborted) break
        started = true
        yield chunk
      }
      if (signal.aborted) {
        if (started) return
        throw signal.reason
      }
      chunks.length = 0
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function unreadable(at: string, head: string): LLMError {
  const what = head.startsWith('<') ? 'a web page' : `no events: ${excerpt(head)}`
  return new LLMError('invalid-response', `${at} answered with ${what} (check baseURL or url)`)
}
