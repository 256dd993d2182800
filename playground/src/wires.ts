import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  createProxyProvider,
  createWebSocketProvider,
  type Provider,
} from 'vue-llm'
import { pageSocket } from './pageSocket'
import type { Fetch } from './wire/inspectFetch'

/** Where a server is, its key, and how it is asked. */
interface Server {
  baseURL: string
  apiKey: () => string | undefined
  fetch: Fetch
}

interface WireInfo {
  /** What the server speaks, for a person. */
  label: string
  /** The whole address is given; key and model are the server's own. */
  isOwn?: true
  /** It tells its models at `GET {baseURL}/models`. */
  hasModels?: true
  create(server: Server): Provider
}

/** How the page can talk to a server. */
export const wires = {
  openai: {
    label: 'Chat Completions, as OpenAI and most servers do',
    hasModels: true,
    create: createOpenAIProvider,
  },
  responses: {
    label: 'Responses, as OpenAI does',
    hasModels: true,
    create: createOpenAIResponsesProvider,
  },
  anthropic: {
    label: 'Messages, as Anthropic does',
    create: (server) => createAnthropicProvider({ ...server, directBrowserAccess: true }),
  },
  gemini: {
    label: 'Gemini, as Google does',
    create: createGeminiProvider,
  },
  ollama: {
    label: 'Ollama’s own API',
    create: createOllamaProvider,
  },
  proxy: {
    label: 'vue-llm’s own wire, as a createLLMHandler does',
    isOwn: true,
    create: ({ baseURL, fetch }) => createProxyProvider({ url: baseURL, fetch }),
  },
  websocket: {
    label: 'The WebSocket of vue-llm-serve',
    isOwn: true,
    create: ({ baseURL }) =>
      createWebSocketProvider({ url: socketAddress(baseURL), connect: pageSocket }),
  },
} satisfies Record<string, WireInfo>

/** What a server speaks. */
export type Wire = keyof typeof wires

/** Whether key and model are the server's own. */
export function isOwnWire(wire: Wire): boolean {
  return 'isOwn' in wires[wire]
}

/** Whether the server can be asked for its models. */
export function hasModels(wire: Wire): boolean {
  return 'hasModels' in wires[wire]
}

/** An address of this page's own server may be given by its path. */
export function socketAddress(address: string): string {
  const url = new URL(address, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  return url.href
}
