import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  type CommonOptions,
} from '../../packages/vue-llm/src/providers/index.ts'
import type { Provider } from '../../packages/vue-llm/src/core/index.ts'
import type { Conversation } from './conversations.ts'

/** A way in which our providers ask, and the model that is asked. */
export interface Wire {
  create(options: CommonOptions): Provider
  model: string
  /** What comes after the origin in the base URL. */
  path: string
}

/** The wires that are compared. */
export const wires: Readonly<Record<string, Wire>> = {
  openai: { create: createOpenAIProvider, model: 'gpt-4o', path: '/v1' },
  compatible: { create: createOpenAIProvider, model: 'm', path: '/v1' },
  openrouter: { create: createOpenAIProvider, model: 'm', path: '/v1' },
  responses: { create: createOpenAIResponsesProvider, model: 'gpt-5', path: '/v1' },
  anthropic: { create: createAnthropicProvider, model: 'claude-opus-4-6', path: '/v1' },
  gemini: { create: createGeminiProvider, model: 'gemini-3-pro-preview', path: '/v1beta' },
  ollama: { create: createOllamaProvider, model: 'm', path: '' },
}

/** Sends a conversation as our provider does; whatever is answered is no matter. */
export async function sendOurs(
  { create, model }: Wire,
  conversation: Conversation,
  options: CommonOptions,
): Promise<void> {
  const { signal } = new AbortController()
  const provider = create({ apiKey: 'key', maxRetries: 0, ...options })
  try {
    for await (const _ of provider.stream({ ...conversation, model, signal }));
  } catch {
    // The recorder refuses.
  }
}
