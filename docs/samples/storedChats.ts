import { createOpenAIProvider, type Message } from 'vue-llm'
import { createLLMHandler } from 'vue-llm/server'

const chats = new Map<string, readonly Message[]>()

export const handler = createLLMHandler({
  provider: createOpenAIProvider(),
  model: 'gpt-4o',
  // Check here that the chat is the user's own.
  loadMessages: (id) => chats.get(id),
  onFinish: ({ id, messages }) => {
    if (id) chats.set(id, messages)
  },
})
