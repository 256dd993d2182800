import type { Provider } from '../core'
import { withTextToolCalls, type TextToolCallOptions } from '../dialects'
import { defineProvider } from './defineProvider'
import { createOpenAIReader } from './openaiReader'
import { toOpenAIBody } from './openaiRequest'
import type { CommonOptions } from './types'
import { withEmptyRoundFallback } from './withEmptyRoundFallback'

/** Options of {@link createOpenAIProvider} beside the common ones. */
export interface OpenAIOwnOptions {
  /** The name under which `settings.maxTokens` is sent; OpenAI's reasoning models want the longer. @default 'max_tokens' */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** The role of the system prompt; `developer` for a server that wants OpenAI's newer name. @default 'system' */
  systemRole?: 'system' | 'developer' | undefined
  /**
   * Whether the server is asked to hold the model to the schemas of tools and `responseFormat`. It refuses those that
   * allow other properties, or that do not require every one. @default the server's own
   */
  strictTools?: boolean | undefined
  /** `false` for a server without `response_format`: the setting is not sent. @default on */
  structuredOutput?: false | undefined
  /**
   * Whether calls that a model writes as text are read, and in which dialects (`vue-llm/dialects`); `false` shows the
   * text as it is. @default Qwen XML and Hermes JSON
   */
  textToolCalls?: false | TextToolCallOptions | undefined
  /**
   * Whether a round with tools that comes back empty is asked once more without streaming, see
   * {@link withEmptyRoundFallback}; `false` takes it as it is. @default on
   */
  emptyRoundFallback?: false | undefined
}

/** Options of {@link createOpenAIProvider}. */
export type OpenAIOptions = CommonOptions & OpenAIOwnOptions

/** The wire alone, without what {@link createOpenAIProvider} puts around it. @internal */
export const createChatCompletions = /* @__PURE__ */ defineProvider<OpenAIOwnOptions>({
  name: 'openai',
  baseURL: 'https://api.openai.com/v1',
  structuredOutput: true,
  toRequest: (request, options, stream) => ({
    path: '/chat/completions',
    body: toOpenAIBody(request, options, stream),
  }),
  toChunks: createOpenAIReader,
})

/**
 * Speaks Chat Completions: OpenAI, and every server that is compatible with it (Azure, DeepSeek, Groq, Mistral,
 * OpenRouter, xAI, llama.cpp, vLLM, Ollama's `/v1`, …). Without `baseURL` or `url` it asks `https://api.openai.com/v1`.
 *
 * Azure wants its key in another header: `{ baseURL: 'https://NAME.openai.azure.com/openai/v1', headers: { 'api-key':
 * key } }`, or a `url` that names the deployment and the `api-version`. Reasoning, and what else a server wants back
 * with a call, goes back in the field in which it came.
 *
 * Calls that a model writes as text become calls; a round with tools that comes back empty is asked once more without
 * streaming, since some servers swallow calls on the way.
 */
export function createOpenAIProvider(options: OpenAIOptions = {}): Provider {
  const { textToolCalls, emptyRoundFallback, structuredOutput } = options
  let provider = createChatCompletions(options)
  if (structuredOutput === false) delete provider.structuredOutput
  if (textToolCalls !== false) provider = withTextToolCalls(provider, textToolCalls)
  return emptyRoundFallback === false ? provider : withEmptyRoundFallback(provider)
}
