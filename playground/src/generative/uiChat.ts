import { computed } from 'vue'
import { provideChat, useChat } from 'vue-llm'
import { createProvider } from '../provider'
import { demo, settings } from '../settings'
import { inspectPart } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'
import { isOwnWire } from '../wires'
import { uiTools } from './uiTools'

/** The chat of the page whose tools are components. */
export function useUiChat() {
  // The demo model behind a server has tools of that server.
  const server = computed(() => (isOwnWire(settings.wire) ? demo : settings))
  // #region source
  const chat = useChat({
    provider: computed(() => createProvider(server.value)),
    model: () => server.value.model,
    maxToolRoundtrips: () => settings.maxToolRoundtrips,
    tools: uiTools,
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  // #endregion
  return provideChat(chat)
}
