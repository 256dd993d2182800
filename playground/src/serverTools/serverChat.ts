import { createProxyProvider, provideChat, useChat } from 'vue-llm'
import { recordRequests } from '../demo/recordRequests'
import { deleteFile, getWeather } from '../tools'
import { inspectPart, inspectProvider } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'

/** A chat with tools on either side. */
export function useServerChat() {
  const record = recordRequests()
  // #region source
  // The key, the model and `search_orders` are on the server: see handleChat.ts.
  const provider = createProxyProvider({ url: '/api/chat', fetch: record.fetch })
  const chat = useChat({
    provider: inspectProvider(wireLog, provider),
    // Their definitions are posted too; calls of them come back to the page, and run here.
    tools: [getWeather, deleteFile],
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  // #endregion
  return { chat: provideChat(chat), record }
}
