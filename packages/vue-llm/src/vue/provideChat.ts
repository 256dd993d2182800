import { inject, provide, toRaw, type InjectionKey } from 'vue'
import { LLMError, type AnyTool } from '../core'
import type { UseChatReturn } from './useChat'

/** What a chat is provided by. @internal */
export const chatKey: InjectionKey<UseChatReturn> = /* @__PURE__ */ Symbol('vue-llm chat')

/** Makes a chat, plain or `reactive`, known to the components below; returns it. */
export function provideChat<T extends object>(chat: T & ProvidedChat): T {
  // Raw, so that what is injected has refs, as its type says, also where the chat was made `reactive`.
  provide(chatKey, toRaw(chat) as unknown as UseChatReturn)
  return chat
}

/** What makes a value a chat, whether its refs are unwrapped or not. */
export type ProvidedChat = Pick<UseChatReturn, 'sendMessage' | 'stop' | 'addToolResult'>

/**
 * The chat that a component above has provided.
 *
 * @throws {@link LLMError} `misuse` where there is none
 */
export function injectChat<
  TTools extends readonly AnyTool[] = readonly AnyTool[],
>(): UseChatReturn<TTools> {
  const chat = inject(chatKey, undefined)
  if (!chat) {
    throw new LLMError(
      'misuse',
      'injectChat: no component above has called provideChat(useChat(…))',
    )
  }
  return chat as unknown as UseChatReturn<TTools>
}
