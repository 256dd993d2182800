import { createId, errorText, type ChatRequest, type Chunk, type ErrorInfo } from '../core'
import { errorMessage, excerpt } from './errorMessage'
import type { ReadEvent } from './framing'
import type { Round, StreamReader } from './types'

/** What one answer came to so far. @internal */
export interface Reading {
  readonly round: Round
  /** The chunks of the network read at hand. */
  readonly chunks: Chunk[]
  failure: ErrorInfo | undefined
  /** Whether any event could be read. */
  seen: boolean
}

/** @internal */
export function createReading(request: ChatRequest, redact: (text: string) => string): Reading {
  const chunks: Chunk[] = []
  let ids: Set<string> | undefined
  const reading: Reading = {
    chunks,
    failure: undefined,
    seen: false,
    round: {
      emit(chunk) {
        if (!joins(chunks[chunks.length - 1], chunk)) chunks.push(chunk)
      },
      fail(error, code = 'provider') {
        const message = excerpt(redact(errorMessage(error) || JSON.stringify(error)))
        reading.failure ??= { code, message }
      },
      callId(id) {
        ids ??= usedIds(request)
        let unique = `${id ?? ''}`
        if (!unique || ids.has(unique)) unique = createId('call')
        ids.add(unique)
        return unique
      },
    },
  }
  return reading
}

function usedIds({ messages }: ChatRequest): Set<string> {
  const ids = new Set<string>()
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'tool-call') ids.add(part.toolCallId)
  }
  return ids
}

/** Joins a delta to the one before it, where both belong to the same part. */
function joins(last: Chunk | undefined, chunk: Chunk): boolean {
  if (last?.type !== chunk.type) return false
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
    const before = last as typeof chunk
    if (before.id !== chunk.id || before.providerMetadata || chunk.providerMetadata) return false
    before.text += chunk.text
    return true
  }
  if (chunk.type !== 'tool-call-delta') return false
  const before = last as typeof chunk
  if (before.toolCallId !== chunk.toolCallId || before.providerMetadata || chunk.providerMetadata) {
    return false
  }
  before.argsText += chunk.argsText
  return true
}

/** What gives an event's text, decoded, to the reader of the wire. @internal */
export function createReadEvent(reading: Reading, reader: StreamReader): ReadEvent {
  const { round } = reading
  const take = (data: unknown, name?: string): void => {
    if (reading.failure || typeof data !== 'object' || data === null) return
    if (Array.isArray(data)) return data.forEach((item) => take(item, name))
    reader.event(data, name)
    const { type, object, error } = data as Record<string, unknown>
    // With a type, `error` is a field of an event that is whole in itself.
    if (name === 'error' || type === 'error' || object === 'error' || (error && !type)) {
      round.fail(data)
    }
  }
  return (text, name, lenient) => {
    if (reading.failure || round.done) return true
    const short = text.length < 9 ? text.trim() : text
    if (!short) return true
    if (short === '[DONE]') return (round.done = true)
    let data: unknown
    try {
      data = JSON.parse(text)
    } catch {
      if (name === 'error') round.fail(text)
      else if (!lenient) round.fail(`an event is not JSON: ${text}`, 'invalid-response')
      return false
    }
    reading.seen = true
    try {
      take(data, name)
    } catch (error) {
      round.fail(`an event can't be read (${errorText(error)}): ${text}`, 'invalid-response')
    }
    return true
  }
}

/** Writes the end of a stream: what is still held back, the error, the `step-end`. @internal */
export function endRound(reading: Reading, reader: StreamReader, at: string): void {
  const { round } = reading
  const { emit, finishReason, rawFinishReason, usage } = round
  let reason = finishReason ?? (round.done ? 'stop' : 'truncated')
  if (reason === 'error') round.fail(`${at} ended its answer as an error, without saying which`)
  if (reading.failure) reason = 'error'
  reader.end?.(reason === 'stop' || reason === 'tool-calls' || reason === 'other')
  let error = reading.failure
  if (error) {
    emit({ type: 'error', ...error })
    if (!finishReason && !usage) return
  }
  if (reason === 'truncated') {
    const message = `the answer of ${at} was cut: neither a finish reason nor [DONE] came. Ask again, or look for a proxy or time limit that ends streams`
    error = { code: reason, message }
  }
  emit({
    type: 'step-end',
    finishReason: reason,
    ...(rawFinishReason && { rawFinishReason }),
    ...(usage && { usage }),
    ...(error && { error }),
  })
}
