import { createOpenAIProvider } from 'vue-llm/providers'
import { createDemoModel } from 'vue-llm/testing'

/** The demo model, on the server: no network, no key. */
export const provider = createOpenAIProvider({ fetch: createDemoModel() })
