import type { Provider } from '../core'
import { withTextToolCalls, type TextToolCallOptions } from '../dialects'
import { defineProvider } from './defineProvider'
import { createOllamaReader } from './ollamaReader'
import { toOllamaBody } from './ollamaRequest'
import type { CommonOptions } from './types'
import { withEmptyRoundFallback } from './withEmptyRoundFallback'

/** Options of {@link createOllamaProvider} beside the common ones. */
export interface OllamaOwnOptions {
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

/** Options of {@link createOllamaProvider}. */
export type OllamaOptions = CommonOptions & OllamaOwnOptions

/** The wire alone, without what {@link createOllamaProvider} puts around it. */
const createOllamaChat = /* @__PURE__ */ defineProvider<OllamaOwnOptions>({
  name: 'ollama',
  structuredOutput: true,
  baseURL: 'http://localhost:11434',
  toRequest: (request, _, stream) => ({
    path: '/api/chat',
    body: toOllamaBody(request, stream),
    isWhole: true,
  }),
  toChunks: createOllamaReader,
})

/**
 * Speaks Ollama's own API, `/api/chat`. Without `baseURL` or `url` it asks `http://localhost:11434`; a page from
 * another origin must be named in `OLLAMA_ORIGINS` at the server.
 *
 * `settings.reasoningEffort` becomes `think`: `none` is `false`, `true` is `true`, and levels stay as they are. What has
 * no setting goes through `body`: `{ keep_alive: '1h', options: { num_ctx: 16_384 } }`. Ollama can't be made to call a
 * tool: `toolChoice` only chooses which tools it is shown.
 *
 * Calls that a model writes as text become calls; a round with tools that comes back empty is asked once more without
 * streaming.
 *
 * @example
 * const provider = createOllamaProvider()
 */
export function createOllamaProvider(options: OllamaOptions = {}): Provider {
  const { textToolCalls, emptyRoundFallback } = options
  let provider = createOllamaChat(options)
  if (textToolCalls !== false) provider = withTextToolCalls(provider, textToolCalls)
  return emptyRoundFallback === false ? provider : withEmptyRoundFallback(provider)
}
