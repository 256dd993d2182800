import { computed, shallowReactive, type Ref } from 'vue'
import { provideChat, useChat } from 'vue-llm'
import { ajvValidator } from 'vue-llm/ajv'
import { createHttpTools, type HttpToolDefinition, type HttpToolEvent } from 'vue-llm/http-tools'
import { provideExchanges } from './exchanges'
import { demo, readApiKey, settings } from './settings'
import { isOwnWire, wires } from './wires'

/** A chat whose tools are the definitions as they are now. */
export function useToolsChat(definitions: Readonly<Ref<readonly HttpToolDefinition[]>>) {
  const exchanges = shallowReactive(new Map<string, HttpToolEvent>())
  provideExchanges(exchanges)
  // The demo model behind a server has the tools of that server.
  const server = computed(() => (isOwnWire(settings.wire) ? demo : settings))
  const chat = useChat({
    provider: computed(() => {
      const { baseURL, wire } = server.value
      return wires[wire].create({ baseURL, apiKey: () => readApiKey(baseURL) || undefined })
    }),
    model: () => server.value.model,
    tools: computed(() =>
      createHttpTools(definitions.value, {
        baseURL: document.baseURI,
        // The texts are the person's own, and stay in this page.
        silenceSecretWarning: true,
        onRequest: (event) => void exchanges.set(event.toolCallId, event),
      }),
    ),
    validator: ajvValidator(),
    maxToolRoundtrips: () => settings.maxToolRoundtrips,
  })
  provideChat(chat)
  return { chat, model: computed(() => server.value.model) }
}
