import { lastAnswer, sumUsage, type Message } from '../core'
import type { Tell } from './mask'
import type { HandlerFinishEvent, LLMHandlerOptions } from './options'

/** What a transport knows of an answer that has ended. @internal */
export interface Ended<Context> extends Pick<
  HandlerFinishEvent<Context>,
  'id' | 'messages' | 'context' | 'isAbort' | 'isError'
> {
  /** How many rounds the answer had before this request. */
  stepsBefore: number
}

/** Calls `onFinish`; `messages` are as the client has them. Never rejects: what it throws is told. @internal */
export async function tellFinish<Context>(
  onFinish: LLMHandlerOptions<Context>['onFinish'],
  tell: Tell,
  { stepsBefore, ...ended }: Ended<Context>,
): Promise<void> {
  const message: Message | undefined = lastAnswer(ended.messages)
  const steps = message?.steps.slice(stepsBefore) ?? []
  try {
    await onFinish?.({
      ...ended,
      message,
      usage: sumUsage(steps),
      finishReason: steps.at(-1)?.finishReason,
    })
  } catch (error) {
    await tell(error, 'handler')
  }
}
