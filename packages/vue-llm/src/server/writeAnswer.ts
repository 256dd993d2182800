import { isDelta, lastAnswer, LLMError, runChat, type Chunk } from '../core'
import { createMask, type Tell } from './mask'
import type { LLMHandlerOptions } from './options'
import type { AnswerPlan } from './planAnswer'
import { tellFinish } from './tellFinish'
import { createWire } from './wire'

/** Takes an event as text; where it gives a promise, nothing goes on before the reader is ready for more. @internal */
export type WriteEvent = (event: string) => Promise<void> | undefined

/** What an answer needs beside its plan. @internal */
export interface AnswerOptions<Context> {
  options: LLMHandlerOptions<Context>
  context: Context
  tell: Tell
  /** Called once, when everything has ended. */
  onEnd(): void
}

/**
 * Runs the answer and writes its events. After an abort of the signal what is open is closed, and `onFinish` called.
 * Never rejects.
 * @internal
 */
export async function writeAnswer<Context>(
  { id, messages, own, thrown, gate, closed, run }: AnswerPlan,
  { options, context, tell, onEnd }: AnswerOptions<Context>,
  signal: AbortSignal,
  write: WriteEvent,
): Promise<void> {
  const wire = createWire(own, createMask(thrown, tell))
  const stepsBefore = lastAnswer(messages)?.steps.length ?? 0
  let count = 0
  let isError = false
  const toEvent = (chunk: Chunk) => `id: ${++count}\ndata: ${JSON.stringify(chunk)}\n\n`
  // Such as progress that is no JSON: the answer is worth more.
  const skip = async (error: unknown) => void (await tell(error, 'handler'))
  const putMasked = async (chunk: Chunk) => {
    let event
    try {
      event = toEvent(await wire.toChunk(chunk, messages.at(-1)))
    } catch (error) {
      return skip(error)
    }
    await write(event)
  }
  const put = (chunk: Chunk) => {
    if (!isDelta(chunk)) return putMasked(chunk)
    // Most of an answer, with nothing to mask: a promise is made only where the reader is waited for.
    try {
      return write(toEvent(chunk))
    } catch (error) {
      return skip(error)
    }
  }
  try {
    for (const chunk of closed) await put(chunk)
    const onError = () => (isError = true)
    for await (const chunk of runChat({ ...run, signal, onError })) {
      if (chunk.type === 'tool-progress') gate.passed(chunk.toolCallId)
      const written = put(chunk)
      if (written) await written
    }
  } catch (error) {
    isError = true
    const { code, message } = new LLMError('provider', await tell(error, 'handler'))
    await write(toEvent({ type: 'error', code, message }))
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
  if (!signal.aborted) void write('data: [DONE]\n\n')
}
