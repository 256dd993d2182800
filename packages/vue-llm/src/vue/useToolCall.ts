import { inject, provide, toRef, type InjectionKey } from 'vue'
import { LLMError, type AnyTool, type Message, type ToolCallPart } from '../core'
import type { CallOfOne, UseToolCallReturn } from './toolCallProps'
import type { UseChatReturn } from './useChat'

const toolCallKey: InjectionKey<UseToolCallReturn> = /* @__PURE__ */ Symbol('vue-llm tool call')

/** What answers the calls of a chat. @internal */
export type Answering = Pick<UseChatReturn, 'addToolResult' | 'answerApproval'>

/** The call that is drawn here, made known to the components below. @internal */
export function provideToolCall(
  props: Readonly<{ part: unknown; message: Message; chat?: Answering | undefined }>,
): UseToolCallReturn {
  const part = () => props.part as ToolCallPart
  const answer = async (
    action: keyof Answering,
    fields: { result: unknown } | { error: string } | { approved: boolean },
  ): Promise<boolean> => {
    if (!props.chat) {
      throw new LLMError(
        'misuse',
        `'${part().toolName}' can't be answered: MessageParts needs :chat, or provideChat above it`,
      )
    }
    return props.chat[action]({ toolCallId: part().toolCallId, ...fields } as never)
  }
  const call: UseToolCallReturn = {
    part: toRef(part),
    message: toRef(() => props.message),
    args: toRef(() => part().args),
    state: toRef(() => part().state),
    result: toRef(() => part().result),
    error: toRef(() => part().error),
    progress: toRef(() => part().progress),
    addResult: (result) => answer('addToolResult', { result }),
    addError: (error) => answer('addToolResult', { error }),
    // An event, where one of these is its handler, is neither arguments nor a reason.
    approve: (args) =>
      answer('answerApproval', {
        approved: true,
        ...(args && !(args instanceof Event) && { args }),
      }),
    decline: (reason) =>
      answer('answerApproval', {
        approved: false,
        ...(typeof reason === 'string' && reason && { reason }),
      }),
  }
  provide(toolCallKey, call)
  return call
}

/**
 * The tool call that the component is drawn for, at any depth: refs of its fields, and functions that answer it.
 *
 * @example
 * const { args, approve, decline } = useToolCall<typeof bookTable>()
 * @throws {@link LLMError} `misuse` where no `MessageParts` above draws a tool call
 */
export function useToolCall<T extends AnyTool = AnyTool>(): UseToolCallReturn<CallOfOne<T>> {
  const call = inject(toolCallKey, undefined)
  if (!call) {
    throw new LLMError('misuse', 'useToolCall: no MessageParts above draws a tool call here')
  }
  return call as unknown as UseToolCallReturn<CallOfOne<T>>
}
