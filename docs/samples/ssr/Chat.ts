import { h } from 'vue'
import { createProxyProvider, MessageParts, useChat, type MessageInput } from 'vue-llm'

/** The same component for server and browser; `stored` travels with the page. */
export const Chat = (stored: readonly MessageInput[]) => ({
  setup() {
    const chat = useChat({
      id: 'chat-1',
      provider: createProxyProvider('/api/chat'),
      initialMessages: stored,
    })
    return () => chat.messages.value.map((message) => h(MessageParts, { message }))
  },
})
