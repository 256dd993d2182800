import { computed } from 'vue'
import { createOpenAIProvider, provideChat, useChat } from 'vue-llm'
import { readApiKey, settings } from '../settings'
import { uiTools } from './uiTools'

/** The chat of the page whose tools are components. */
export function useUiChat() {
  // The demo model behind a server has tools of that server.
  const server = computed(() =>
    settings.wire === 'openai' ? settings : { baseURL: '/v1', model: 'vue-llm-demo' },
  )
  return provideChat(
    useChat({
      provider: computed(() => {
        const { baseURL } = server.value
        return createOpenAIProvider({ baseURL, apiKey: () => readApiKey(baseURL) || undefined })
      }),
      model: () => server.value.model,
      maxToolRoundtrips: () => settings.maxToolRoundtrips,
      tools: uiTools,
    }),
  )
}
