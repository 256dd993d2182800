import { ref, shallowReactive, watch } from 'vue'
import { createOpenAIProvider, provideChat, useChat } from 'vue-llm'
import type { Fault } from '../../server/faultyModel'
import { pageFetch } from '../pageFetch'
import { inspectPart, inspectProvider } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'

/** A request that was sent, and how it went. */
export interface Attempt {
  /** Milliseconds since the first one. */
  at: number
  outcome: string
}

/** A chat whose server fails as chosen, and what was sent for the last message. */
export function useErrorsChat() {
  const fault = ref<Fault | 'none'>('none')
  const attempts = ref<Attempt[]>([])
  let firstAt = 0

  // #region source
  const provider = createOpenAIProvider({
    baseURL: '/faults/v1',
    // 429, 5xx and lost connections are tried again before an answer begins.
    maxRetries: 2,
    timeouts: { connectMs: 5000, betweenChunksMs: 2000 },
    headers: () => ({ 'x-fault': fault.value, 'x-attempt': `${attempts.value.length + 1}` }),
    // Only to show what is sent: a chat needs no fetch of its own.
    async fetch(url, init) {
      firstAt = attempts.value.length ? firstAt : Date.now()
      const attempt = shallowReactive({ at: Date.now() - firstAt, outcome: 'sent' })
      attempts.value.push(attempt)
      const response = await pageFetch(url, init)
      const wait = response.headers.get('retry-after')
      attempt.outcome = `${response.status}${wait ? `, come back in ${wait} s` : ''}`
      return response
    },
  })
  const chat = useChat({
    provider: inspectProvider(wireLog, provider),
    model: 'vue-llm-demo',
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
    },
  })
  // After an error `chat.sendMessage()` asks for what broke off again; everything before it stays.
  // #endregion

  // Each message is a story of its own. Sync, as its first request is sent at once.
  watch(
    () => chat.messages.value.findLast(({ role }) => role === 'user')?.id,
    () => (attempts.value = []),
    { flush: 'sync' },
  )

  return { chat: provideChat(chat), fault, attempts }
}
