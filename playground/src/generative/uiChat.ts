import { computed } from 'vue'
import { provideChat, useChat } from 'vue-llm'
import { demo, readApiKey, settings } from '../settings'
import { isOwnWire, wires } from '../wires'
import { uiTools } from './uiTools'

/** The chat of the page whose tools are components. */
export function useUiChat() {
  // The demo model behind a server has tools of that server.
  const server = computed(() => (isOwnWire(settings.wire) ? demo : settings))
  return provideChat(
    useChat({
      provider: computed(() => {
        const { baseURL, wire } = server.value
        return wires[wire].create({ baseURL, apiKey: () => readApiKey(baseURL) || undefined })
      }),
      model: () => server.value.model,
      maxToolRoundtrips: () => settings.maxToolRoundtrips,
      tools: uiTools,
    }),
  )
}
