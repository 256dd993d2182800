import { computed } from 'vue'
import { readApiKey, settings } from './settings'
import { wires } from './wires'

/** The provider that the settings ask for. */
export const provider = computed(() => {
  const { baseURL, wire } = settings
  return wires[wire].create({ baseURL, apiKey: () => readApiKey(baseURL) || undefined })
})
