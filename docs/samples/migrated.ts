import { createProxyProvider, defineTool, useChat } from 'vue-llm'

const getLocation = defineTool({
  name: 'get_location',
  description: 'Where the user is',
  execute: () => ({ city: 'Oslo' }),
})

// No second list of callbacks: the tool runs, its result is sent, and the model goes on.
export const { messages, status, error, input, handleSubmit, sendMessage, stop, regenerate } =
  useChat({ provider: createProxyProvider('/api/chat'), tools: [getLocation] })
