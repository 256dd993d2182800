import { createOpenAIProvider, useChat } from 'vue-llm'
import { createHttpTools } from 'vue-llm/http-tools'
import definitions from './tools.json' with { type: 'json' }

export const chat = useChat({
  provider: createOpenAIProvider({ baseURL: '/v1' }),
  model: 'gpt-4o',
  tools: createHttpTools(definitions, { timeoutMs: 5000 }),
})
