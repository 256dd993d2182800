import { onScopeDispose } from 'vue'
import { injectChat, provideChat, useChat } from 'vue-llm'
import { provider } from './provider'
import { settings } from './settings'
import { restoreFiles, tools } from './tools'
import { loadTranscript, saveTranscript } from './transcript'
import { inspectPart } from './wire/inspectProvider'
import { wireLog } from './wire/wireLog'

/** The one chat of the page, made known to all components below. */
export function usePlaygroundChat() {
  // #region source
  const chat = useChat({
    provider,
    model: () => settings.model,
    system: () => settings.system.trim() || undefined,
    settings: () => (settings.temperature === '' ? {} : { temperature: settings.temperature }),
    maxToolRoundtrips: () => settings.maxToolRoundtrips,
    autoSendToolResults: () => settings.autoSendToolResults,
    throttleMs: () => (settings.throttleMs === '' ? undefined : settings.throttleMs),
    tools,
    initialMessages: loadTranscript(),
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  provideChat(chat)
  // #endregion

  const save = () => saveTranscript(chat.messages.value)
  window.addEventListener('pagehide', save)
  onScopeDispose(() => window.removeEventListener('pagehide', save))

  return {
    chat,
    startAnew() {
      restoreFiles()
      chat.clear()
    },
  }
}

/** The chat of the page, with its tools' types. */
export const useInjectedChat = () => injectChat<typeof tools>()
