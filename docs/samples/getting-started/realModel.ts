import { createOpenAIProvider, createProxyProvider } from 'vue-llm'

// #region ollama
export const local = createOpenAIProvider({ baseURL: 'http://localhost:11434/v1' })
// #endregion ollama

// #region server
export const remote = createProxyProvider('/api/chat')
// #endregion server
