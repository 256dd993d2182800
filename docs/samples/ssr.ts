import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createProxyProvider, MessageParts, useChat, type MessageInput } from 'vue-llm'

/** The same component for server and browser; `stored` travels with the page. */
const Chat = (stored: readonly MessageInput[]) => ({
  setup() {
    const chat = useChat({
      id: 'chat-1',
      provider: createProxyProvider('/api/chat'),
      initialMessages: stored,
    })
    return () => chat.messages.value.map((message) => h(MessageParts, { message }))
  },
})

/** On the server: nothing is asked, what is stored is drawn. */
export const render = (stored: readonly MessageInput[]): Promise<string> =>
  renderToString(createSSRApp(Chat(stored)))
