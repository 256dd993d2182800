import { createOpenAIProvider } from 'vue-llm'
import { createDemoModel } from 'vue-llm/testing'

/** The demo model, in the page itself: no network, no key. */
export const provider = createOpenAIProvider({ fetch: createDemoModel() })
