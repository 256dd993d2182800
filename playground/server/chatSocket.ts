import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMSocket, type LLMSocket } from 'vue-llm/server'
import { createDemoModel, type DemoModelOptions } from 'vue-llm/testing'
import { searchOrders } from './orders.ts'

/** A conversation with the demo model over one socket, with a tool that needs the server. */
export function createChatSocket(
  options: DemoModelOptions,
  send: (text: string) => void,
): LLMSocket {
  const provider = createOpenAIProvider({
    baseURL: 'http://demo/v1',
    fetch: createDemoModel(options),
  })
  return createLLMSocket({ provider, model: 'vue-llm-demo', tools: [searchOrders], send })
}
