import { computed, type ComputedRef, type Ref } from 'vue'
import {
  lastAnswer,
  sumUsage,
  type LLMError,
  type Message,
  type MessageInput,
  type Usage,
} from '../core'
import type { ChatStatus } from './turns'
import { untracked } from './untracked'
import { useChat, type FinishEvent, type UseChatOptions } from './useChat'

/** What is asked: a prompt, or messages of which the last is the user's. */
export type PromptInput = string | readonly MessageInput[]

/** Options that every request for one answer may have. */
export type AnswerOptions = Pick<
  UseChatOptions,
  'provider' | 'model' | 'system' | 'settings' | 'headers' | 'body' | 'throttleMs' | 'onError'
>

/** What is known when an answer has ended. */
export type AnswerEnd = Omit<FinishEvent, 'messages'>

/** What everything that gives one answer returns. */
export interface AnswerReturn {
  status: Readonly<Ref<ChatStatus>>
  error: Readonly<Ref<LLMError | undefined>>
  /** Ends the answer at once; what came so far stays. */
  stop: () => void
  /** Empties it; ends a running answer. */
  clear: () => void
  /** Tokens of the answer. */
  usage: ComputedRef<Usage>
}

/** A chat of one question and one answer: a new question ends the one before. @internal */
export function useAnswer(options: UseChatOptions) {
  const chat = useChat({ ...options, maxToolRoundtrips: 0 })
  const { status, error, stop, clear } = chat
  const answer = computed(() => lastAnswer(chat.messages.value))
  const shown: AnswerReturn = {
    status,
    error,
    stop,
    clear,
    usage: computed(() => sumUsage(answer.value?.steps ?? [])),
  }
  return {
    input: chat.input,
    answer,
    shown,
    /** Resolves with the answer to this very question. */
    ask: untracked(async (question: PromptInput): Promise<Message | undefined> => {
      chat.setMessages(
        typeof question === 'string' ? [{ role: 'user', content: question }] : question,
      )
      const messages = chat.messages.value
      await chat.sendMessage()
      return lastAnswer(messages)
    }),
  }
}
