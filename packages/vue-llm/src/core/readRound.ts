import { callsOf, closingChunk } from './calls'
import { LLMError, toLLMError } from './errors'
import { drain, untilClosed, type Run } from './run'
import type { ChatRequest, Chunk, ChunkType, PreparedStep } from './types'

/** Chunks that are no content: an answer of these alone is none. */
const silent = new Set<ChunkType>(['message-start', 'metadata', 'error', 'step-end', 'step-reset'])

interface Round {
  failure?: LLMError
  /** Whether a `step-end` holds the failure yet. */
  closedByFailure: boolean
  /** Whether the provider gave content or closed a round. */
  answered: boolean
}

/** @internal One request and its answer. Returns whether the run failed. */
export async function* readRound(run: Run): AsyncGenerator<Chunk, boolean> {
  const { options } = run
  const round: Round = { closedByFailure: false, answered: false }
  let iterator: AsyncIterator<Chunk> | undefined
  run.open = true
  try {
    const request = await untilClosed(run, buildRequest(run))
    if (request) {
      options.onRequest?.()
      iterator = options.provider.stream(request)[Symbol.asyncIterator]()
    }
    while (iterator) {
      const next = await untilClosed(run, iterator.next())
      if (next?.done) iterator = undefined
      else if (!next || run.closed) break
      else {
        takeChunk(run, round, next.value)
        yield* drain(run)
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
  if (round.failure && !run.closed) options.onError?.(round.failure)
  yield* drain(run)
  return round.failure !== undefined
}

async function buildRequest(run: Run): Promise<ChatRequest> {
  const { options, message, signal } = run
  const { messages, prepareStep } = options
  const prepared: PreparedStep =
    (await prepareStep?.({ messages, step: message.steps.length })) || {}
  run.tools = prepared.tools ?? options.tools ?? []
  return {
    ...options.request,
    ...prepared,
    tools: run.tools,
    messages,
    signal,
    messageId: message.id,
  }
}

function fail(run: Run, round: Round, error: LLMError): void {
  if (round.failure) return
  round.failure = error
  run.write({ type: 'error', code: error.code, message: error.message })
}

function takeChunk(run: Run, round: Round, chunk: Chunk): void {
  if (chunk.type === 'error') {
    fail(run, round, new LLMError(chunk.code, chunk.message))
  } else if (chunk.type === 'step-end') {
    const { finishReason, error } = chunk
    if (finishReason === 'error' || finishReason === 'truncated') {
      const code = error?.code ?? (finishReason === 'error' ? 'provider' : finishReason)
      const text = error?.message ?? `the provider closed the answer as '${finishReason}'`
      round.failure ??= new LLMError(code, text)
    }
    closeStep(run, round, chunk)
  } else {
    const content = !silent.has(chunk.type)
    if (content) round.answered = run.open = true
    run.write(chunk, content)
  }
}

/** Writes a `step-end`; one that closes with a failure carries it, and lets no message join. */
function closeStep(run: Run, round: Round, chunk: Chunk<'step-end'>, join = true): void {
  const { failure } = round
  if (failure) {
    const finishReason = chunk.finishReason === 'truncated' ? 'truncated' : 'error'
    chunk = { ...chunk, finishReason, error: { code: failure.code, message: failure.message } }
    round.closedByFailure = true
  }
  round.answered = true
  // Before the write: whoever is told of it may stop the run, which must not close the round again.
  run.open = false
  run.write(chunk, join && !failure)
}

function endRound(run: Run, round: Round): void {
  for (const call of run.joined ? callsOf(run.message) : []) {
    if (call.state === 'running') run.write(closingChunk(call.toolCallId, 'interrupted'))
  }
  if (!round.answered && !round.failure) {
    const { name } = run.options.provider
    const text = `${name} answered with nothing at all; check its URL and that it sends what this provider reads`
    fail(run, round, new LLMError('invalid-response', text))
  }
  if (run.open || (round.failure && !round.closedByFailure)) {
    const calls = run.joined && callsOf(run.message, run.message.steps.length).length
    closeStep(run, round, { type: 'step-end', finishReason: calls ? 'tool-calls' : 'stop' }, false)
  }
}
