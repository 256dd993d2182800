export {
  createAnthropicProvider,
  type AnthropicOptions,
  type AnthropicOwnOptions,
} from './anthropic'
export { createGeminiProvider, type GeminiOptions, type GeminiOwnOptions } from './gemini'
export { createOllamaProvider, type OllamaOptions, type OllamaOwnOptions } from './ollama'
export { createOpenAIProvider, type OpenAIOptions, type OpenAIOwnOptions } from './openai'
export {
  createOpenAIResponsesProvider,
  type OpenAIResponsesOptions,
  type OpenAIResponsesOwnOptions,
} from './openaiResponses'
export { createProxyProvider, type ProxyOptions } from './proxy'
export { createSSEProvider, type ChatPost, type SSEOptions, type SSEOwnOptions } from './sse'
export { defineProvider } from './defineProvider'
export type {
  CommonOptions,
  Given,
  HeaderValues,
  ProviderCreator,
  ProviderDefinition,
  Round,
  StreamReader,
  WireRequest,
} from './types'
export { withEmptyRoundFallback } from './withEmptyRoundFallback'
export { withRetry } from './withRetry'
export type { RetryOptions, Timeouts } from './attempt'
export {
  createWebSocketProvider,
  type WebSocketLike,
  type WebSocketOptions,
  type WebSocketProvider,
} from './webSocket'
