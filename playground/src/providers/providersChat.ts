import { computed, ref } from 'vue'
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  createProxyProvider,
  createWebSocketProvider,
  provideChat,
  useChat,
} from 'vue-llm'
import { recordRequests } from '../demo/recordRequests'
import { recordSocket } from '../demo/recordSocket'
import { getWeather } from '../tools'
import { inspectPart, inspectProvider } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'
import { socketAddress, type Wire } from '../wires'

/** One chat that can be had over every wire, all of which the demo model answers. */
export function useProvidersChat() {
  const wire = ref<Wire>('openai')
  const record = recordRequests()
  const { fetch } = record
  const connect = recordSocket(record)

  // #region source
  // `fetch` and `connect` only show what is sent: a chat needs none of its own.
  const providers = {
    openai: createOpenAIProvider({ baseURL: '/v1', fetch }),
    responses: createOpenAIResponsesProvider({ baseURL: '/wires/responses/v1', fetch }),
    anthropic: createAnthropicProvider({ baseURL: '/wires/anthropic/v1', fetch }),
    gemini: createGeminiProvider({ baseURL: '/wires/gemini/v1beta', fetch }),
    ollama: createOllamaProvider({ baseURL: '/wires/ollama', fetch }),
    proxy: createProxyProvider({ url: '/api/chat', fetch }),
    websocket: createWebSocketProvider({ url: socketAddress('/ws'), connect }),
  }
  const chat = useChat({
    // Another provider takes over with the next message, whoever gave the answers before.
    provider: computed(() => inspectProvider(wireLog, providers[wire.value])),
    model: 'vue-llm-demo',
    tools: [getWeather],
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  // #endregion

  return { chat: provideChat(chat), wire, record }
}
