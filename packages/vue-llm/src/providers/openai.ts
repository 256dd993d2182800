import { defineProvider } from './defineProvider'
import { createOpenAIReader } from './openaiReader'
import { toOpenAIBody } from './openaiRequest'
import type { CommonOptions } from './types'

/** Options of {@link createOpenAIProvider} beside the common ones. */
export interface OpenAIOwnOptions {
  /** The name under which `settings.maxTokens` is sent; OpenAI's reasoning models want the longer. @default 'max_tokens' */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens' | undefined
}

/** Options of {@link createOpenAIProvider}. */
export type OpenAIOptions = CommonOptions & OpenAIOwnOptions

/**
 * Speaks Chat Completions: OpenAI, and every server that is compatible with it (Azure, DeepSeek, Groq, Mistral,
 * OpenRouter, xAI, llama.cpp, vLLM, Ollama's `/v1`, …). Without `baseURL` or `url` it asks `https://api.openai.com/v1`.
 */
export const createOpenAIProvider = /* @__PURE__ */ defineProvider<OpenAIOwnOptions>({
  name: 'openai',
  baseURL: 'https://api.openai.com/v1',
  toRequest: (request, { maxTokensField = 'max_tokens' }, stream) => ({
    path: '/chat/completions',
    body: toOpenAIBody(request, maxTokensField, stream),
  }),
  toChunks: createOpenAIReader,
})
