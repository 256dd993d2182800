import { createOpenAIProvider, useChat, type Provider } from 'vue-llm'
import type { OpenChat } from './contenders'
import { createFeed } from './feed'

const open = (provider: Provider, earlier: Parameters<OpenChat>[2]): ReturnType<OpenChat> => {
  const { messages, sendMessage, clear } = useChat({
    provider,
    model: 'm',
    initialMessages: earlier.map(({ id, role, text }) => ({ id, role, content: text })),
    // Without `execute`: the call stays open.
    tools: [{ name: 'report', parameters: { type: 'object' } }],
  })
  return { messages, clear, send: () => sendMessage('go'), hasSnapshots: true }
}

/** As an app does it, with all defaults. */
export const openOurs: OpenChat = (url, fetch, earlier) =>
  open(createOpenAIProvider({ url, fetch }), earlier)

/** With a provider of someone else's that yields each delta by itself. */
export const openSingly: OpenChat = (url, fetch, earlier) => {
  const provider: Provider = {
    name: 'singly',
    async *stream({ messages }) {
      const { body } = await fetch(url, { method: 'POST', body: JSON.stringify({ messages }) })
      const reader = body?.getReader()
      const decoder = new TextDecoder()
      const texts: string[] = []
      const feed = createFeed(({ content }) => content && texts.push(content))
      for (let read; (read = await reader?.read()) && !read.done; texts.length = 0) {
        feed(decoder.decode(read.value, { stream: true }))
        for (const text of texts) yield { type: 'text-delta', text }
      }
      yield { type: 'step-end', finishReason: 'stop' }
    },
  }
  return open(provider, earlier)
}
