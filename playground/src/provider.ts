import { computed } from 'vue'
import { createOpenAIProvider, createProxyProvider } from 'vue-llm'
import { readApiKey, settings } from './settings'

/** The provider that the settings ask for. */
export const provider = computed(() => {
  const { baseURL, wire } = settings
  if (wire === 'proxy') return createProxyProvider(baseURL)
  return createOpenAIProvider({ baseURL, apiKey: () => readApiKey(baseURL) || undefined })
})
