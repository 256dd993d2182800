import { computed, type ComputedRef, type Ref } from 'vue'
import type { Message } from '../core'
import {
  useAnswer,
  type AnswerEnd,
  type AnswerOptions,
  type AnswerReturn,
  type PromptInput,
} from './useAnswer'

/** Options of {@link useCompletion}. Data may be refs or getters, read anew at each request. */
export interface UseCompletionOptions extends AnswerOptions {
  /** Called when the answer has ended. */
  onFinish?: (event: AnswerEnd & { completion: string }) => void
}

/** What {@link useCompletion} returns: flat, for destructuring. */
export interface UseCompletionReturn extends AnswerReturn {
  /** The text so far. */
  completion: ComputedRef<string>
  /** Text of the input field, for `v-model`. */
  input: Ref<string>
  /** Completes `input`, which stays as it is; prevents the form's own submit. */
  handleSubmit: (event?: { preventDefault?: () => void }) => Promise<void>
  /**
   * Asks for a text; one that still runs is ended and replaced. Resolves with what came of this one when it ends, also
   * after a stop or an error, and never rejects: errors are in `error`.
   */
  complete: (prompt: PromptInput) => Promise<string>
}

/**
 * One text from a model, without a transcript: a summary, a translation, a draft.
 *
 * Ends with the scope it is used in, as `useChat` does; on a server nothing is asked by itself.
 */
export function useCompletion(options: UseCompletionOptions): UseCompletionReturn {
  const { input, answer, ask, shown } = useAnswer({
    ...options,
    onFinish: (event) => options.onFinish?.({ ...event, completion: textOf(event.message) }),
  })
  const complete = async (prompt: PromptInput) => textOf(await ask(prompt))
  return {
    ...shown,
    completion: computed(() => textOf(answer.value)),
    input,
    async handleSubmit(event) {
      event?.preventDefault?.()
      if (input.value.trim()) await complete(input.value)
    },
    complete,
  }
}

const textOf = (message: Message | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
