import { useChat } from 'vue-llm'
import { createHttpTools } from 'vue-llm/http-tools'
import { provider } from './demo'
import definitions from './tools.json' with { type: 'json' }

export const chat = useChat({
  provider,
  tools: createHttpTools(definitions, { timeoutMs: 5000, onWarning: console.warn }),
})
