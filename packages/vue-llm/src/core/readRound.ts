import { callsOf, closingChunk, findCall, isWaiting } from './calls'
import { LLMError, toLLMError } from './errors'
import { defined } from './plain'
import { untilClosed, type Run } from './run'
import type { ChatRequest, Chunk, Message, PreparedStep } from './types'

/** Chunks that belong to no round. */
const silent = new Set<string>(['message-start', 'metadata'])

/** Chunks of the model's own, beside its calls. */
const spoken = new Set<string>(['text-delta', 'reasoning-delta', 'file', 'source'])

interface Round {
  failure?: LLMError
  /** Index of the first round of this request. */
  readonly first: number
  /** Whether the provider gave content or closed a round. */
  isAnswered?: boolean
}

/** One request and its answer. Returns whether the run failed. @internal */
export async function* readRound(run: Run, signal: AbortSignal): AsyncGenerator<Chunk, boolean> {
  const { options } = run
  const round: Round = { first: run.message.steps.length }
  let iterator: AsyncIterator<Chunk> | undefined
  run.open = true
  try {
    const request = await untilClosed(run, buildRequest(run, signal))
    if (request && !run.closed) {
      options.onRequest?.()
      iterator = options.provider.stream(request)[Symbol.asyncIterator]()
    }
    while (iterator && !run.closed) {
      const next = await untilClosed(run, iterator.next())
      if (run.closed || !next) break
      if (next.done) iterator = undefined
      else {
        takeChunk(run, round, next.value)
        const pause = options.afterChunk?.()
        if (pause) await pause
        for (let chunk; (chunk = run.outbox.shift());) yield chunk
      }
    }
  } catch (error) {
    iterator = undefined
    if (!run.closed) fail(run, round, toLLMError(error))
  } finally {
    // Not awaited: a provider that hangs must not hold the run.
    iterator?.return?.().catch(() => {})
  }
  if (!run.closed) endRound(run, round)
  const { failure } = round
  if (failure && !run.closed) options.onError?.(failure)
  for (let chunk; (chunk = run.outbox.shift());) yield chunk
  return !!failure
}

async function buildRequest(run: Run, signal: AbortSignal): Promise<ChatRequest> {
  const { options, message } = run
  const { messages, prepareStep } = options
  const prepared: PreparedStep = defined(
    (await prepareStep?.({ messages, step: message.steps.length })) || {},
  )
  const tools = (run.tools = prepared.tools ?? options.tools ?? [])
  // One tool alone, or an object of them: nothing would tell that the model has none.
  if (!Array.isArray(tools)) throw new LLMError('misuse', 'tools must be an array')
  return { ...options.request, ...prepared, tools, messages, signal, messageId: message.id }
}

function fail(run: Run, round: Round, failure: LLMError): void {
  if (round.failure) return
  round.failure = failure
  // The `step-end` that carries it is still to come.
  run.open = true
  run.write({ type: 'error', code: failure.code, message: failure.message })
}

function takeChunk(run: Run, round: Round, chunk: Chunk): void {
  if (chunk.type === 'error') fail(run, round, new LLMError(chunk.code, chunk.message))
  else if (chunk.type === 'step-end') {
    const { finishReason, error = { code: finishReason, message: '' } } = chunk
    if (finishReason === 'error' || finishReason === 'truncated') {
      const text = error.message || `the provider closed the answer as '${finishReason}'`
      round.failure ??= new LLMError(error.code === 'error' ? 'provider' : error.code, text)
    }
    // A second end of a round whose calls wait would hide them behind an empty one.
    const isSecond = !run.open && callsOf(run.message).some(isWaiting)
    if (round.failure || !isSecond) closeStep(run, round, chunk)
  } else {
    const isReset = chunk.type === 'step-reset'
    // What an earlier request brought stays: a side effect is never repeated.
    if (isReset && !hasNew(run.message, round)) return
    const isContent = !isReset && !silent.has(chunk.type)
    if (isContent) round.isAnswered = true
    // After a reset the round is still to be given, but an answer of resets alone is none.
    if (isReset || opensRound(run.message, chunk)) run.open = true
    run.write(chunk, isContent)
  }
}

/** Whether the message holds something of this request. */
const hasNew = ({ parts, steps }: Message, { first }: Round): boolean =>
  steps.length > first || parts.at(-1)?.step === first

/** Whether a chunk brings something of the model's; what becomes of calls belongs to the round that made them. */
function opensRound(message: Message, chunk: Chunk): boolean {
  const { type } = chunk
  if (type === 'tool-call-start' || (type === 'tool-call-end' && chunk.toolName !== undefined)) {
    return !findCall(message, chunk.toolCallId)
  }
  return spoken.has(type)
}

/** Writes a `step-end`; one that closes with a failure carries it, and lets no message join. */
function closeStep(run: Run, round: Round, chunk: Chunk<'step-end'>, join = true): void {
  const { failure } = round
  if (failure) {
    const finishReason = chunk.finishReason === 'truncated' ? 'truncated' : 'error'
    chunk = { ...chunk, finishReason, error: { code: failure.code, message: failure.message } }
  }
  round.isAnswered = true
  run.write(chunk, join && !failure)
}

function endRound(run: Run, round: Round): void {
  const { message, joined, options } = run
  for (const call of joined ? callsOf(message) : []) {
    if (call.state === 'running') run.write(closingChunk(call.toolCallId, 'interrupted'))
  }
  if (!round.isAnswered && !round.failure) {
    const text = `${options.provider.name} answered with nothing; check the URL and the provider`
    fail(run, round, new LLMError('invalid-response', text))
  }
  if (run.open) {
    const calls = joined && callsOf(message, message.steps.length).length
    closeStep(run, round, { type: 'step-end', finishReason: calls ? 'tool-calls' : 'stop' }, false)
  }
}
