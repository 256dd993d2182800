import { defineProvider } from './defineProvider'
import { createOpenAIResponsesReader } from './openaiResponsesReader'
import { toOpenAIResponsesBody } from './openaiResponsesRequest'
import type { CommonOptions } from './types'

/** Options of {@link createOpenAIResponsesProvider} beside the common ones. */
export interface OpenAIResponsesOwnOptions {
  /**
   * Whether the server keeps the conversation, and with it the reasoning. Without, what it needs again is kept in the
   * messages, encrypted. @default false
   */
  store?: boolean | undefined
  /**
   * Whether reasoning is asked for in the encrypted form that goes back in the next round. Models that do not reason
   * refuse that. @default true where `store` is not, except for models named GPT-3, GPT-4 or GPT-5 chat
   */
  encryptedReasoning?: boolean | undefined
  /** How much of the reasoning is shown: `auto`, `concise`, `detailed`. @default nothing */
  reasoningSummary?: string | undefined
  /**
   * Whether the server holds the model to the schemas of tools and `responseFormat`. It refuses those that allow other
   * properties, or that do not require every one. @default false
   */
  strictTools?: boolean | undefined
  /** Tools that run at the server, as it wants them: `{ type: 'web_search' }`. Their calls are `providerExecuted`. */
  builtInTools?: readonly object[] | undefined
}

/** Options of {@link createOpenAIResponsesProvider}. */
export type OpenAIResponsesOptions = CommonOptions & OpenAIResponsesOwnOptions

/**
 * Speaks OpenAI's Responses API, and that of servers that are compatible with it (Azure, xAI, LM Studio, vLLM,
 * OpenRouter, …). Without `baseURL` or `url` it asks `https://api.openai.com/v1`.
 *
 * Reasoning, phases of the answer and calls of built-in tools go back in the next round. Settings that the API does
 * not have (`topK`, `stop`, `seed`, penalties) are not sent.
 *
 * @example
 * const provider = createOpenAIResponsesProvider({ apiKey, reasoningSummary: 'auto' })
 */
export const createOpenAIResponsesProvider =
  /* @__PURE__ */ defineProvider<OpenAIResponsesOwnOptions>({
    name: 'openai-responses',
    structuredOutput: true,
    baseURL: 'https://api.openai.com/v1',
    toRequest: (request, options, stream) => ({
      path: '/responses',
      body: toOpenAIResponsesBody(request, options, stream),
    }),
    toChunks: createOpenAIResponsesReader,
  })
