import { markRaw, shallowReactive, shallowRef } from 'vue'
import type { OpenChat, ShownMessage, ShownPart } from './contenders'
import { createFeed } from './feed'
import { createLiveJson, type LiveJson } from './liveJson'

/**
 * The least that shows an answer: no abort, no errors, no life cycle. With `perFrame` the state is written once per
 * animation frame and arguments are shown while they come; without, at each event, and arguments when they are whole.
 */
export const openByHand =
  (perFrame: boolean): OpenChat =>
  (url, fetch, earlier) => {
    const messages = shallowRef<ShownMessage[]>(
      earlier.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
    )
    const add = (role: string, part: ShownPart) => {
      const id = `n${messages.value.length}`
      messages.value = [...messages.value, { id, role, parts: [part] }]
      return part
    }

    async function send() {
      add('user', { type: 'text', text: 'go' })
      const body = JSON.stringify({ model: 'm', stream: true, messages: messages.value })
      const response = await fetch(url, { method: 'POST', body })
      let part: ShownPart | undefined
      let live: LiveJson | undefined
      let text = ''
      let args = ''
      let isDue = false
      const flush = () => {
        isDue = false
        if (!part) return
        if (text) part.text += text
        text = ''
        if (live) show(part, live.root)
      }
      const change = () => {
        if (!perFrame) flush()
        else if (!isDue) {
          isDue = true
          requestAnimationFrame(flush)
        }
      }
      const feed = createFeed(({ content, tool_calls: calls }) => {
        const more = content ?? calls?.[0]?.function.arguments
        if (!more) return
        const type = calls ? 'tool-call' : 'text'
        part ??= add('assistant', shallowReactive({ type, text: '', args: undefined, version: 0 }))
        if (!calls) text += more
        else {
          args += more
          if (perFrame) (live ??= createLiveJson()).push(more)
        }
        change()
      })
      const reader = response.body?.getReader()
      const decoder = new TextDecoder()
      for (let read; (read = await reader?.read()) && !read.done;) {
        feed(decoder.decode(read.value, { stream: true }))
      }
      flush()
      live = undefined
      if (part && args) show(part, JSON.parse(args))
    }

    return { messages, send, clear: () => void (messages.value = []) }
  }

/** The tree is changed in place, so that a number has to tell of it. */
function show(part: ShownPart, args: unknown): void {
  part.args = typeof args === 'object' && args ? markRaw(args) : args
  part.version = (part.version ?? 0) + 1
}
