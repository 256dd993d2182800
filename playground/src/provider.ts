import { computed } from 'vue'
import type { Provider } from 'vue-llm'
import { pageFetch } from './pageFetch'
import { readApiKey, settings, type Settings } from './settings'
import { inspectProvider } from './wire/inspectProvider'
import { wireLog } from './wire/wireLog'
import { wires } from './wires'

/** A provider that asks this server with its key. */
export function createProvider({ wire, baseURL }: Pick<Settings, 'wire' | 'baseURL'>): Provider {
  const apiKey = () => readApiKey(baseURL) || undefined
  return inspectProvider(wireLog, wires[wire].create({ baseURL, apiKey, fetch: pageFetch }))
}

/** The provider that the settings ask for. */
export const provider = computed(() => createProvider(settings))
