import {
  createId,
  defined,
  errorText,
  joinDelta,
  LLMError,
  parseJSON,
  type Chunk,
  type ErrorInfo,
  type Message,
} from '../core'
import { errorMessage, excerpt } from './errorMessage'
import type { ReadEvent } from './framing'
import type { Answer } from './send'
import type { Round, StreamReader } from './types'

/** A round with what only the shared reader sees of it. @internal */
export interface OpenRound extends Round {
  /** The chunks of the network read at hand. */
  readonly chunks: Chunk[]
  failure?: ErrorInfo
  /** Whether any event could be read. */
  seen?: boolean
}

/** @internal */
export function createRound(messages: readonly Message[], redact: Answer['redact']): OpenRound {
  const chunks: Chunk[] = []
  let ids: Set<string> | undefined
  const round: OpenRound = {
    chunks,
    emit(chunk) {
      if (!joinDelta(chunks[chunks.length - 1], chunk)) chunks.push(chunk)
    },
    redact,
    fail(error, code = 'provider') {
      const message = excerpt(redact(errorMessage(error) || `${JSON.stringify(error)}`))
      round.failure ??= { code, message }
    },
    callId(id) {
      if (!ids) {
        ids = new Set()
        for (const { parts } of messages) {
          for (const part of parts) if (part.type === 'tool-call') ids.add(part.toolCallId)
        }
      }
      let unique = `${id ?? ''}`
      if (!unique || ids.has(unique)) unique = createId('call_')
      ids.add(unique)
      return unique
    },
  }
  return round
}

/** What gives an event's text, decoded, to the reader of the wire. @internal */
export function createReadEvent(round: OpenRound, reader: StreamReader): ReadEvent {
  const take = (data: unknown, name?: string): void => {
    if (round.failure || typeof data !== 'object' || data === null) return
    if (Array.isArray(data)) return data.forEach((item) => take(item, name))
    reader.event(data, name)
    const { type, object, error } = data as Record<string, unknown>
    if (round.ownSteps && type) return
    // With a type, `error` is a field of an event that is whole in itself.
    if (name === 'error' || type === 'error' || object === 'error' || (error && !type)) {
      round.fail(data)
    }
  }
  return (text, name, lenient) => {
    if (round.failure || round.done) return true
    const short = text.length < 9 ? text.trim() : text
    if (!short) return true
    if (short === '[DONE]') return (round.done = true)
    const data = parseJSON(text)
    if (data === undefined) {
      if (name === 'error') round.fail(text)
      else if (!lenient) round.fail(`an event is not JSON: ${text}`, 'invalid-response')
      return false
    }
    round.seen = true
    try {
      take(data, name)
    } catch (error) {
      round.fail(`an event can't be read (${errorText(error)}): ${text}`, 'invalid-response')
    }
    return true
  }
}

/**
 * Writes the end of a stream: what is still held back, the error, the `step-end`. Throws an error before which nothing
 * came at all; `head` is how the answer began, should no event have been found in it.
 * @internal
 */
export function endRound(
  round: OpenRound,
  reader: StreamReader,
  at: string,
  head: string,
  started: boolean,
): void {
  const { chunks, emit, fail, finishReason, rawFinishReason, usage, done, ownSteps } = round
  const known = finishReason ?? usage
  const nothing = !started && !chunks.length && !known
  let reason = finishReason ?? (done ? 'stop' : 'truncated')
  // JSON of which nothing was understood is no cut stream but another kind of answer.
  if (nothing && !done && !round.failure && (!round.seen || /^[[{]/.test(head))) {
    // An empty body is left to the caller, who knows whether anything else came.
    if (!head) return
    const what = errorMessage(head) || head
    fail(`${at} answered with something else: ${what} (check the URL)`, 'invalid-response')
  }
  if (reason === 'error') fail(`${at} ended in an error without saying which`)
  if (round.failure) reason = 'error'
  reader.end?.(reason === 'stop' || reason === 'tool-calls' || reason === 'other')
  let error = round.failure
  if (error) {
    if (nothing && !chunks.length) throw new LLMError(error.code, error.message)
    emit({ type: 'error', ...error })
    if (!known) return
  }
  if (done && ownSteps) return
  if (reason === 'truncated') {
    const message = `${at} stopped before its end${ownSteps ? ' (no [DONE])' : ''}: ask again, or look for a proxy or time limit`
    error = { code: reason, message }
  }
  emit(defined({ type: 'step-end', finishReason: reason, rawFinishReason, usage, error }))
}
