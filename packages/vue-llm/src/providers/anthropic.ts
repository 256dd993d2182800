import type { Provider } from '../core'
import { createAnthropicReader } from './anthropicReader'
import { toAnthropicBody } from './anthropicRequest'
import { defineProvider } from './defineProvider'
import type { CommonOptions } from './types'
import { withPausedTurns } from './withPausedTurns'

/** Options of {@link createAnthropicProvider} beside the common ones. */
export interface AnthropicOwnOptions {
  /** Most tokens of one answer where `settings.maxTokens` does not say: the API wants a number. @default 4096 */
  maxTokens?: number | undefined
  /**
   * How many tokens may be thought for each `settings.reasoningEffort`, for instance `{ low: 1024, high: 16000 }`: for
   * models that take a budget. Without it, the effort itself is sent, and the model decides (adaptive thinking).
   */
  thinkingBudgets?: Readonly<Record<string, number>> | undefined
  /** Tools that the API runs itself, as it wants them, for instance `{ type: 'web_search_20250305', name: 'web_search' }`. */
  serverTools?: readonly object[] | undefined
  /** Lets a page ask the API itself, which shows the key to everyone who opens it. @default false */
  directBrowserAccess?: boolean | undefined
}

/** Options of {@link createAnthropicProvider}. */
export type AnthropicOptions = CommonOptions & AnthropicOwnOptions

const createMessages = /* @__PURE__ */ defineProvider<AnthropicOwnOptions>({
  name: 'anthropic',
  structuredOutput: true,
  baseURL: 'https://api.anthropic.com/v1',
  toAuth: (apiKey) => ({ 'x-api-key': apiKey }),
  toRequest: (request, options, stream) => ({
    path: '/messages',
    body: toAnthropicBody(request, options, stream),
    headers: {
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': options.directBrowserAccess ? 'true' : undefined,
    },
  }),
  toChunks: createAnthropicReader,
})

/**
 * Speaks Anthropic's Messages API. Without `baseURL` or `url` it asks `https://api.anthropic.com/v1`.
 *
 * Thinking goes back with its signature, calls that the server ran (`serverTools`)
 * with their results, and a turn that the server paused goes on by itself.
 */
export function createAnthropicProvider(options: AnthropicOptions = {}): Provider {
  return withPausedTurns(createMessages(options))
}
