import { createOpenAIProvider } from 'vue-llm'
import { llamaJson, mistral } from 'vue-llm/dialects'

// These, in place of Qwen's and Hermes', which are read without asking.
export const provider = createOpenAIProvider({
  baseURL: 'http://localhost:8000/v1',
  textToolCalls: { dialects: [mistral, llamaJson] },
})

// What a model writes is shown as it is.
export const plain = createOpenAIProvider({ textToolCalls: false })
