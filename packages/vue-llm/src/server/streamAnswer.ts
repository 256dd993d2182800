import { isDelta, lastAnswer, LLMError, runChat, type Chunk } from '../core'
import { createMask, type Tell } from './mask'
import type { LLMHandlerOptions } from './options'
import type { AnswerPlan } from './planAnswer'
import { tellFinish } from './tellFinish'
import { createWire } from './wire'

/** What a stream needs beside its plan. @internal */
export interface AnswerStreamOptions<Context> {
  options: LLMHandlerOptions<Context>
  context: Context
  tell: Tell
  /** Aborts when the client went away. */
  signal: AbortSignal
  /** Called once, when everything has ended. */
  onEnd(): void
}

/**
 * The answer as server-sent events. Nothing goes on while nobody reads; a reader that cancels, or an abort of the
 * signal, ends everything at once.
 * @internal
 */
// long: closures over the state of one stream
export function streamAnswer<Context>(
  plan: AnswerPlan,
  { options, context, tell, signal, onEnd }: AnswerStreamOptions<Context>,
): ReadableStream<Uint8Array> {
  const { heartbeatMs = 15_000 } = options
  const controller = new AbortController()
  const encoder = new TextEncoder()
  const events = writeEvents(plan, {
    options,
    context,
    tell,
    signal: controller.signal,
    onEnd: end,
  })
  let isCancelled = false
  let isPulled = false
  let timer: ReturnType<typeof setInterval> | undefined
  // A longer time than timers can hold, such as Infinity, is none.
  const isTimed = heartbeatMs > 0 && heartbeatMs < 2 ** 31
  function stopBeats(): void {
    clearInterval(timer)
    timer = undefined
  }
  function end(): void {
    signal.removeEventListener('abort', abort)
    onEnd()
  }
  function abort(): void {
    if (controller.signal.aborted) return
    controller.abort(signal.aborted ? signal.reason : undefined)
    // Nobody may read any more, but what is open must be closed, and `onFinish` be called.
    void drain()
  }
  async function drain(): Promise<void> {
    while (!(await events.next()).done);
  }
  signal.addEventListener('abort', abort)
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const beat = () => {
          // Nobody reads at the moment: the next who does starts it anew.
          if (!isPulled) stopBeats()
          else if (out.desiredSize === 0) out.enqueue(encoder.encode(': ping\n\n'))
        }
        isPulled = true
        // One for the whole answer, as one for each event would cost as much as the event.
        if (isTimed) timer ??= setInterval(beat, heartbeatMs)
        const { done, value } = await events.next()
        isPulled = false
        if (done) stopBeats()
        if (isCancelled) return
        if (done) out.close()
        else out.enqueue(encoder.encode(value))
      },
      cancel() {
        isCancelled = true
        stopBeats()
        abort()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Runs the answer; gives each event as text. Never throws. */
async function* writeEvents<Context>(
  plan: AnswerPlan,
  answer: AnswerStreamOptions<Context>,
): AsyncGenerator<string, void> {
  const { id, messages, own, thrown, gate } = plan
  const { options, context, tell, signal, onEnd } = answer
  const wire = createWire(own, createMask(thrown, tell))
  const stepsBefore = lastAnswer(messages)?.steps.length ?? 0
  let count = 0
  let isError = false
  const toEvent = async (chunk: Chunk): Promise<string> => {
    try {
      // In a delta there is nothing to mask, and it is most of an answer.
      const shown = isDelta(chunk) ? chunk : await wire.toChunk(chunk, messages.at(-1))
      return `id: ${++count}\ndata: ${JSON.stringify(shown)}\n\n`
    } catch (error) {
      // Such as progress that is no JSON: the answer is worth more.
      await tell(error, 'handler')
      return ''
    }
  }
  try {
    for (const chunk of plan.closed) yield toEvent(chunk)
    const onError = () => (isError = true)
    for await (const chunk of runChat({ ...plan.run, signal, onError })) {
      if (chunk.type === 'tool-progress') gate.passed(chunk.toolCallId)
      const event = await toEvent(chunk)
      if (event) yield event
    }
  } catch (error) {
    isError = true
    const { code, message } = new LLMError('provider', await tell(error, 'handler'))
    yield `id: ${++count}\ndata: ${JSON.stringify({ type: 'error', code, message })}\n\n`
  }
  await tellFinish(options.onFinish, tell, {
    id,
    messages: wire.toMessages(messages),
    context,
    isAbort: signal.aborted,
    isError,
    stepsBefore,
  })
  onEnd()
  if (!signal.aborted) yield 'data: [DONE]\n\n'
}
