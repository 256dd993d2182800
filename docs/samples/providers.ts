import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  createProxyProvider,
  createSSEProvider,
  createWebSocketProvider,
} from 'vue-llm'

// #region openai
export const openai = createOpenAIProvider({ apiKey: process.env['OPENAI_API_KEY'] })
// #endregion openai

// #region compatible
export const local = createOpenAIProvider({ baseURL: 'http://localhost:8000/v1' })
export const router = createOpenAIProvider({
  baseURL: 'https://openrouter.ai/api/v1',
  apiKey: process.env['OPENROUTER_API_KEY'],
})
export const azure = createOpenAIProvider({
  baseURL: 'https://NAME.openai.azure.com/openai/v1',
  headers: { 'api-key': process.env['AZURE_API_KEY'] },
})
// #endregion compatible

// #region responses
export const responses = createOpenAIResponsesProvider({
  apiKey: process.env['OPENAI_API_KEY'],
  reasoningSummary: 'auto',
  builtInTools: [{ type: 'web_search' }],
})
// #endregion responses

// #region anthropic
export const anthropic = createAnthropicProvider({
  apiKey: process.env['ANTHROPIC_API_KEY'],
  maxTokens: 8000,
})
// #endregion anthropic

// #region gemini
export const gemini = createGeminiProvider({
  apiKey: process.env['GEMINI_API_KEY'],
  serverTools: [{ googleSearch: {} }],
})
// #endregion gemini

// #region ollama
export const ollama = createOllamaProvider()
// #endregion ollama

// #region proxy
export const proxy = createProxyProvider('/api/chat')
// #endregion proxy

// #region sse
export const sse = createSSEProvider({
  url: '/api/chat',
  // Read anew for each request; `readToken` is a function of your app.
  headers: () => ({ 'x-csrf-token': readToken() }),
  // Where the back end keeps the chat, the last message is enough.
  toRequest: ({ id, messages }) => ({ id, message: messages.at(-1) }),
})
// #endregion sse

// #region socket
export const socket = createWebSocketProvider({ url: 'ws://localhost:8787/ws' })
// #endregion socket

// #region limits
export const patient = createOpenAIProvider({
  baseURL: 'http://localhost:8000/v1',
  maxRetries: 4,
  timeouts: { connectMs: 10_000, firstChunkMs: 60_000, betweenChunksMs: 30_000 },
})
// #endregion limits

function readToken(): string {
  return 'token'
}
