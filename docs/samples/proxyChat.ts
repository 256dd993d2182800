import { createProxyProvider, useChat } from 'vue-llm'

export const chat = useChat({ provider: createProxyProvider('/api/chat') })
