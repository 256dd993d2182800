import { computed, toValue, type ComputedRef, type Ref } from 'vue'
import {
  lastAnswer,
  LLMError,
  sumUsage,
  toLLMError,
  type Message,
  type MessageInput,
  type Usage,
} from '../core'
import type { ChatStatus, UserMessage } from './turns'
import { untracked } from './untracked'
import { useChat, type FinishEvent, type UseChatOptions } from './useChat'

/** What is asked: a prompt, a message of the user, or messages of which the last is the user's. */
export type PromptInput = string | UserMessage | readonly MessageInput[]

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
  /** What is wrong with the question. It is told where a request's errors are: whoever asks gets no rejection. */
  let misuse: LLMError | undefined
  const chat = useChat({
    ...options,
    maxToolRoundtrips: 0,
    provider: () => {
      if (misuse) throw misuse
      return toValue(options.provider)
    },
  })
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
      misuse = undefined
      try {
        chat.setMessages(toMessages(question))
      } catch (cause) {
        misuse = toLLMError(cause, 'misuse')
        chat.setMessages([{ role: 'user' }])
      }
      const messages = chat.messages.value
      await chat.sendMessage()
      return lastAnswer(messages)
    }),
  }
}

function toMessages(question: PromptInput): readonly MessageInput[] {
  if (Array.isArray(question)) return question as readonly MessageInput[]
  const message = (
    typeof question === 'string' ? { content: question } : question
  ) as UserMessage | null
  // Such as the event of a button whose handler it is.
  if (!message?.parts && message?.content === undefined) {
    throw new LLMError('misuse', 'nothing to ask: give a text, a message or a list of messages')
  }
  return [{ ...message, role: 'user' }]
}
