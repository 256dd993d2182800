import { computed, shallowReactive, type Ref } from 'vue'
import { provideChat, useChat } from 'vue-llm'
import { ajvValidator } from 'vue-llm/ajv'
import { createHttpTools, type HttpToolDefinition, type HttpToolEvent } from 'vue-llm/http-tools'
import { provideExchanges } from './exchanges'
import { pageFetch } from './pageFetch'
import { createProvider } from './provider'
import { demo, settings } from './settings'
import { inspectPart } from './wire/inspectProvider'
import { wireLog } from './wire/wireLog'
import { isOwnWire } from './wires'

/** A chat whose tools are the definitions as they are now. */
export function useToolsChat(definitions: Readonly<Ref<readonly HttpToolDefinition[]>>) {
  const exchanges = shallowReactive(new Map<string, HttpToolEvent>())
  provideExchanges(exchanges)
  // The demo model behind a server has the tools of that server.
  const server = computed(() => (isOwnWire(settings.wire) ? demo : settings))
  // #region source
  const chat = useChat({
    provider: computed(() => createProvider(server.value)),
    model: () => server.value.model,
    tools: computed(() =>
      createHttpTools(definitions.value, {
        baseURL: document.baseURI,
        fetch: (url, init) => pageFetch(String(url), init),
        // The texts are the person's own, and stay in this page.
        silenceSecretWarning: true,
        onRequest: (event) => void exchanges.set(event.toolCallId, event),
      }),
    ),
    validator: ajvValidator(),
    maxToolRoundtrips: () => settings.maxToolRoundtrips,
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  provideChat(chat)
  // #endregion
  return { chat, model: computed(() => server.value.model) }
}
