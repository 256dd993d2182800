import { shallowRef, toRaw, unref, watch, type Ref } from 'vue'
import { callsOf, lastAnswer, type Message, type ToolCallPart } from '../core'
import { injectChat, type ProvidedChat } from './provideChat'
import type { UseChatReturn } from './useChat'

/** Options of {@link useAnnouncer}. */
export interface AnnouncerOptions {
  /** How often new text is told: milliseconds. @default 2500 */
  paceMs?: number | undefined
  /** What is said of a tool call in its present state, in the words of the page; nothing where it gives none. */
  describe?: ((call: ToolCallPart) => string | undefined) | undefined
}

/** One thing that was said. */
export interface Announcement {
  id: number
  text: string
}

/** Lines that a reader may go back to. */
const kept = 30

/** What is said of a call where the app has no words of its own. */
function describeCall({ state, approval, toolName, error }: ToolCallPart): string | undefined {
  if (state === 'running') return `${toolName} is running.`
  if (state === 'error') return `${toolName} failed: ${error}.`
  if (state !== 'pending' || approval?.state === 'approved') return undefined
  return `${toolName} ${approval ? 'needs your approval' : 'waits for your answer'}.`
}

/** All texts of a message; what stands between two of them ends a sentence. */
const textOf = (message?: Message): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '\n')).join('') ?? ''

/** Where the last whole sentence ends. */
function sentencesEnd(text: string): number {
  let end = 0
  for (const { 0: mark, index } of text.matchAll(/[.!?…]['")\]]*\s|[。！？\n]/g)) {
    end = index + mark.length
  }
  return end
}

/**
 * What a screen reader is to hear of a chat, for an element with `role="log"`; `ChatAnnouncer` is one.
 *
 * A growing text read as it grows would interrupt itself with each word, so it comes in whole sentences every few
 * seconds; a call that runs, fails or waits for a person comes at once. What was there before is not told.
 *
 * @param chat default: what `provideChat` has made known
 */
export function useAnnouncer(
  chat: ProvidedChat = injectChat(),
  { paceMs = 2500, describe = describeCall }: AnnouncerOptions = {},
): Readonly<Ref<readonly Announcement[]>> {
  const lines = shallowRef<readonly Announcement[]>([])
  const { messages, status } = toRaw(chat) as UseChatReturn
  const isActive = () => unref(status).startsWith('s')
  const answer = () => lastAnswer(unref(messages))
  const callLines = () =>
    callsOf(answer()).map((call): [string, string | undefined] => [
      call.toolCallId,
      // While the answer is written, a call that nobody needs to allow may be about to run.
      call.state === 'pending' && !call.approval && isActive() ? undefined : describe(call),
    ])
  let count = 0
  let id = answer()?.id
  let length = textOf(answer()).length
  let toldCalls = new Map(callLines())

  function say(text: string): void {
    const plain = text.replace(/[*`#|]/g, '').trim()
    if (plain) lines.value = [...lines.value, { id: count++, text: plain }].slice(-kept)
  }
  function sayText(isWhole?: boolean): void {
    const message = answer()
    if (message && message.id !== id) {
      id = message.id
      length = 0
      toldCalls = new Map()
    }
    const news = textOf(message).slice(length)
    const end = isWhole ? news.length : sentencesEnd(news)
    say(news.slice(0, end))
    length += end
  }
  watch(callLines, (calls) => {
    for (const [call, text] of calls) {
      if (!text || toldCalls.get(call) === text) continue
      // In the order of the page.
      sayText(true)
      toldCalls.set(call, text)
      say(text)
    }
  })
  watch(
    isActive,
    (active, was, onCleanup) => {
      if (active) {
        const timer = setInterval(() => sayText(), paceMs)
        onCleanup(() => clearInterval(timer))
      } else if (was) {
        sayText(true)
        if (answer()?.steps.at(-1)?.finishReason === 'stopped') say('Stopped.')
      }
    },
    { immediate: true },
  )
  return lines
}
