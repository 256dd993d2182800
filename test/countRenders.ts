import { createApp, nextTick, watch } from 'vue'
import type { MessageInput, Provider, UseChatOptions, UseChatReturn } from 'vue-llm'
import ChatList from './ChatList.vue'
import { textOf } from './textOf.ts'

/** What happened to the components of a chat while one message was sent and answered. */
export interface RenderCounts {
  /** Updates of any component that belongs to a message from before. */
  earlier: number
  /** Updates of the list of messages. */
  list: number
  /** Updates of the components that draw the part that grows. */
  growing: number
  /** How often what grows was written to, as a synchronous watcher saw it. */
  writes: number
  /** Animation frames that called back. */
  frames: number
  /** What the page showed after a flush where that was not what the part held. */
  stale: string[]
  /** What the last part shows at the end. */
  shown: string
}

/** As many messages as asked, deeply frozen. */
function earlierMessages(count: number): readonly MessageInput[] {
  const messages = Array.from({ length: count }, (_, index): MessageInput => {
    const part = Object.freeze({ type: 'text', text: `text ${index}` } as const)
    const role = index % 2 ? 'assistant' : 'user'
    return Object.freeze({ id: `m${index}`, role, parts: Object.freeze([part]) })
  })
  return Object.freeze(messages)
}

/** Mounts a chat with that many earlier messages, sends one, and counts what Vue does until the answer has ended. */
export async function countRenders(
  provider: Provider,
  earlier: number,
  more: Partial<UseChatOptions> = {},
): Promise<RenderCounts> {
  const counts = { earlier: 0, list: 0, growing: 0, writes: 0, frames: 0 }
  const stale: string[] = []
  const initialMessages = earlierMessages(earlier)
  const known = new Set(initialMessages.map(({ id }) => id))
  const options = { provider, model: 'm', initialMessages, ...more }
  const app = createApp(ChatList, { options })
  app.mixin({
    updated() {
      const { id, message } = this.$props as { id?: string; message?: { id: string } }
      const { __name: name } = this.$options
      if (name === 'ChatList') counts.list++
      else if (known.has(id ?? message?.id ?? '')) counts.earlier++
      else if (name === 'PartLeaf') counts.growing++
    },
  })
  const root = document.createElement('div')
  document.body.append(root)
  const { requestAnimationFrame: realFrame } = globalThis
  globalThis.requestAnimationFrame = (callback) =>
    realFrame((time) => {
      counts.frames++
      callback(time)
    })
  const shown = () => root.lastElementChild?.textContent ?? ''
  try {
    const { chat } = app.mount(root) as unknown as { chat: UseChatReturn }
    const grown = () => textOf(chat.messages.value[earlier + 1]?.parts.at(-1))
    const stop = [
      watch(grown, () => counts.writes++, { flush: 'sync' }),
      watch(grown, (text) => shown() !== text && stale.push(`${shown()} for ${text}`), {
        flush: 'post',
      }),
    ]
    await chat.sendMessage('go')
    await nextTick()
    for (const end of stop) end()
    return { ...counts, stale, shown: shown() }
  } finally {
    globalThis.requestAnimationFrame = realFrame
    app.unmount()
    root.remove()
  }
}
