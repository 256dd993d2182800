import { defineProvider } from './defineProvider'
import { createGeminiReader } from './geminiReader'
import { toGeminiBody } from './geminiRequest'
import type { CommonOptions } from './types'

/** Options of {@link createGeminiProvider} beside the common ones. */
export interface GeminiOwnOptions {
  /**
   * How many tokens may be thought for each `settings.reasoningEffort`, for instance `{ none: 0, high: 24576 }`: for
   * models that take a budget. What it does not name is sent as `thinkingLevel`.
   */
  thinkingBudgets?: Readonly<Record<string, number>> | undefined
  /** Tools that the API runs itself, as it wants them, for instance `{ codeExecution: {} }`. */
  serverTools?: readonly object[] | undefined
}

/** Options of {@link createGeminiProvider}. */
export type GeminiOptions = CommonOptions & GeminiOwnOptions

/**
 * Speaks Google's Gemini API (`generateContent`). Without `baseURL` or `url` it asks
 * `https://generativelanguage.googleapis.com/v1beta`; Vertex AI takes a `baseURL` that ends in `/publishers/google`.
 *
 * Thought signatures go back with the parts that they came with. What the model
 * grounds its answer on becomes sources.
 */
export const createGeminiProvider = /* @__PURE__ */ defineProvider<GeminiOwnOptions>({
  name: 'gemini',
  structuredOutput: true,
  baseURL: 'https://generativelanguage.googleapis.com/v1beta',
  toAuth: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  toRequest: (request, options, stream) => ({
    path: `/${/\//.test(request.model) ? '' : 'models/'}${request.model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: toGeminiBody(request, options),
  }),
  toChunks: createGeminiReader,
})
