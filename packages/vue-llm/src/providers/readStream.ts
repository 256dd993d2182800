import { errorText, type Chunk } from '../core'
import { createFraming } from './framing'
import { createReadEvent, createRound, endRound } from './round'
import type { Answer } from './send'
import type { Round, StreamReader } from './types'
import type { WatchedRequest } from './attempt'

/**
 * Sends a request and reads its answer: bytes to text to events to chunks. All events of one network read are handled
 * in one go, then their chunks are yielded. Rejects only before the first chunk. An abort ends it at once, whatever it
 * waits for, and every end cancels the body.
 * @internal
 */
// long: one loop whose steps share the state of the read at hand
export async function* readStream(
  send: () => Promise<Answer>,
  { messages, signal, onAnswer }: WatchedRequest,
  toReader: (round: Round) => StreamReader,
): AsyncGenerator<Chunk, void, undefined> {
  // Not left to the signal alone: a `fetch` or a body of the caller's may ignore it.
  let stop = () => {}
  const abort = () => stop()
  let started = false
  let open = true
  let head = ''
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    const { response, at, redact } = await new Promise<Answer>((resolve, reject) => {
      stop = () => reject(signal.reason)
      send().then(resolve, reject)
    })
    onAnswer?.()
    const round = createRound(messages, redact)
    const reader = toReader(round)
    const framing = createFraming(createReadEvent(round, reader))
    const decoder = new TextDecoder()
    const body = response.body?.getReader()
    // Settles a pending read.
    stop = () => void body?.cancel().catch(() => {})
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
        if (!round.finishReason) round.fail(`${at} broke off (${errorText(error)})`, 'network')
      }
      if (round.done || round.failure) open = false
      if (!open) {
        framing.end()
        if (!signal.aborted) endRound(round, reader, at, head.trim(), started)
      }
      for (const chunk of round.chunks) {
        if (signal.aborted) break
        started = true
        yield chunk
      }
      if (signal.aborted && started) return
      signal.throwIfAborted()
      round.chunks.length = 0
    }
  } finally {
    signal.removeEventListener('abort', abort)
    stop()
  }
}
