import { createProxyProvider, createWebSocketProvider, useChat } from 'vue-llm'

// Over server-sent events: tools of the page work as well.
export const chat = useChat({ provider: createProxyProvider('http://localhost:8787/api/chat') })

// Over a WebSocket: the server keeps the conversation and runs the tools.
export const provider = createWebSocketProvider({ url: 'ws://localhost:8787/ws' })
