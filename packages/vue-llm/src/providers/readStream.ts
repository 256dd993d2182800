import { errorText, type Chunk } from '../core'
import { createFraming } from './framing'
import { createReadEvent, createRound, endRound } from './round'
import type { Answer } from './send'
import type { Round, StreamReader } from './types'
import type { WatchedRequest } from './attempt'

/** How much is read in one go: a network read may hold megabytes, for which nobody else would have a turn. */
const sliceBytes = 65_536

/**
 * Sends a request and reads its answer: bytes to text to events to chunks. All events of one network read, or of a
 * slice of a large one, are handled in one go, then their chunks are yielded. Rejects only before the first chunk. An
 * abort cancels the body; that nobody waits longer is `attempt`'s to see to.
 * @internal
 */
export async function* readStream(
  send: () => Promise<Answer>,
  { messages, signal, onAnswer }: WatchedRequest,
  toReader: (round: Round) => StreamReader,
): AsyncGenerator<Chunk, void, undefined> {
  let started = false
  let open = true
  let head = ''
  let rest: Uint8Array | undefined
  const { response, at, redact } = await send()
  const body = response.body?.getReader()
  // Not left to the signal alone: the body of a `fetch` of the caller's may ignore it.
  const cancel = () => void body?.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    onAnswer?.()
    const round = createRound(messages, redact)
    const reader = toReader(round)
    const framing = createFraming(createReadEvent(round, reader))
    const decoder = new TextDecoder()
    while (open) {
      try {
        if (!rest?.length) rest = (await body?.read())?.value
        open = rest !== undefined
        const text = decoder.decode(rest?.subarray(0, sliceBytes), { stream: open })
        rest = rest?.subarray(sliceBytes)
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
        endRound(round, reader, at, head.trim(), started)
      }
      for (const chunk of round.chunks) {
        started = true
        yield chunk
      }
      round.chunks.length = 0
    }
  } finally {
    cancel()
  }
}
