import { computed, ref } from 'vue'
import { createOpenAIProvider, provideChat, useChat } from 'vue-llm'
import { glm, hermes, llamaPythonic, mistral, qwen } from 'vue-llm/dialects'
import type { TextCalls } from '../../server/wires/textCalls'
import { recordRequests } from '../demo/recordRequests'
import { getWeather, deleteFile } from '../tools'
import { inspectPart, inspectProvider } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'

/** A chat whose model writes its calls into the text, in the dialect that is chosen. */
export function useTextChat() {
  const dialect = ref<TextCalls>('qwen')
  const isRead = ref(true)
  const record = recordRequests()

  // #region source
  // Without `textToolCalls` Qwen's XML and Hermes' JSON are read; others by choice.
  const dialects = { qwen, hermes, glm, mistral, llama: llamaPythonic }
  const provider = computed(() =>
    createOpenAIProvider({
      baseURL: `/wires/text-${dialect.value}/v1`,
      textToolCalls: isRead.value && { dialects: [dialects[dialect.value]] },
      fetch: record.fetch,
    }),
  )
  const chat = useChat({
    provider: computed(() => inspectProvider(wireLog, provider.value)),
    model: 'vue-llm-demo',
    tools: [getWeather, deleteFile],
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  // #endregion

  return { chat: provideChat(chat), dialect, isRead, record }
}
