import {
  computed,
  onScopeDispose,
  ref,
  shallowRef,
  toValue,
  unref,
  watch,
  type MaybeRef,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue'
import { defined, toLLMError, type LLMError, type Message, type TextPart } from '../core'
import { createSentenceReader, createSplitter, type ReadSentences } from './createSentenceReader'

/** Says one sentence: a promise that settles once it was said, or at once when `signal` aborts. */
export type Speak = (text: string, context: { signal: AbortSignal }) => unknown

/** Options of {@link useSpeech}. Data may be refs or getters, read anew at each sentence. */
export interface UseSpeechOptions {
  /** Says a sentence. @default the browser's speech synthesis */
  speak?: Speak | undefined
  /** Language of the text as a BCP 47 tag, for sentence ends and the voice. @default the browser's own */
  lang?: MaybeRefOrGetter<string | undefined>
  /** A voice of the browser's. */
  voice?: MaybeRefOrGetter<SpeechSynthesisVoice | undefined>
  /** How fast the browser speaks. @default 1 */
  rate?: MaybeRefOrGetter<number | undefined>
}

/** What {@link useSpeech} returns: flat, for destructuring. */
export interface UseSpeechReturn {
  /** Whether something is being said. */
  speaking: Readonly<Ref<boolean>>
  /** Whether answers are read aloud; `false` silences at once. @default true */
  enabled: Ref<boolean>
  /** Why a sentence of the last answer could not be said; the ones after it are tried. */
  error: Readonly<Ref<LLMError | undefined>>
  /** Silences at once; nothing more of this answer is said. */
  stop: () => void
}

/** What is read aloud: the chat of `useChat`, its refs unwrapped or not. */
export interface SpokenChat {
  readonly messages: MaybeRef<readonly Message[]>
}

/**
 * Reads the answers of a chat aloud as they stream, sentence by sentence: text only, never code blocks, thoughts or tool
 * calls, and without the marks of Markdown. A new message, `clear`, a stop of the chat and unmount silence it. What was
 * there before is not read, and nothing is on a server.
 */
// long: the queue and the place in the answer are one closure
export function useSpeech(chat: SpokenChat, options: UseSpeechOptions = {}): UseSpeechReturn {
  const speaking = shallowRef(false)
  const enabled = ref(true)
  const error = shallowRef<LLMError>()
  const splitter = computed(() => createSplitter(toValue(options.lang)))
  const queue: string[] = []
  /** They know how far each text has been read. */
  const readers = new WeakMap<TextPart, ReadSentences>()
  let active: AbortController | undefined
  let answer: Message | undefined
  let count = 0
  let isMuted = false

  function silence(): void {
    queue.length = 0
    active?.abort()
    active = undefined
    speaking.value = false
  }

  async function speakQueue(): Promise<void> {
    for (let text; (text = queue.shift());) {
      const { signal } = (active = new AbortController())
      speaking.value = true
      try {
        await (options.speak ?? speakHere)(text, { signal })
      } catch (failure) {
        if (!signal.aborted) error.value = toLLMError(failure)
      }
      if (signal.aborted) return
    }
    active = undefined
    silence()
  }

  function speakHere(text: string, { signal }: { signal: AbortSignal }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const utterance = new SpeechSynthesisUtterance(text)
      Object.assign(
        utterance,
        defined({
          lang: toValue(options.lang),
          voice: toValue(options.voice),
          rate: toValue(options.rate),
        }),
      )
      utterance.addEventListener('end', resolve)
      utterance.addEventListener('error', ({ error: reason }) =>
        reject(new Error(`speech failed: ${reason}`)),
      )
      // The listener also keeps the utterance alive: a browser may drop one that nobody holds.
      signal.addEventListener('abort', () => {
        speechSynthesis.cancel()
        resolve(utterance)
      })
      speechSynthesis.speak(utterance)
    })
  }

  function read(message: Message | undefined): void {
    const texts = (message?.parts ?? []).filter((part) => part.type === 'text')
    // Fewer texts: the round is made anew.
    if (message !== answer || texts.length < count) {
      silence()
      error.value = undefined
      isMuted = false
    }
    answer = message
    count = texts.length
    if (message?.steps.at(-1)?.finishReason === 'stopped') stop()
    for (const part of texts) {
      const { text, state } = part
      const isWhole = state === 'done'
      const reader = readers.get(part)
      const take = reader ?? createSentenceReader()
      readers.set(part, take)
      const sentences = take(text, isWhole, splitter.value)
      // A text that is whole when it is first seen was not written now: a stored chat.
      if (enabled.value && !isMuted && (reader || !isWhole)) queue.push(...sentences)
    }
    if (!active) void speakQueue()
  }

  function stop(): void {
    silence()
    isMuted = true
  }

  if (typeof document !== 'undefined') {
    watch(
      // A user's message, too: it ends the answer, and is whole when it is first seen.
      () => unref(chat.messages).at(-1),
      read,
      // In the tick of the write, as a text must be seen before it is whole; down to the fields of the parts.
      { flush: 'sync', deep: 3 },
    )
    watch(enabled, (isOn) => isOn || silence(), { flush: 'sync' })
    onScopeDispose(silence, true)
  }

  return { speaking, enabled, error, stop }
}
