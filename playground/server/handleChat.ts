import { isLLMError } from 'vue-llm/core'
import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMHandler, toNodeHandler, type LLMHandler, type NodeHandler } from 'vue-llm/server'
import { createDemoModel, type DemoModelOptions } from 'vue-llm/testing'
import { searchOrders } from './orders.ts'

/** A chat's back end with the demo model and a tool that needs the server. */
export function createChatService(options: DemoModelOptions): LLMHandler {
  // #region source
  const provider = createOpenAIProvider({
    baseURL: 'http://demo/v1',
    fetch: createDemoModel(options),
  })
  return createLLMHandler({
    provider,
    model: 'vue-llm-demo',
    tools: [searchOrders],
    // Pictures make long bodies.
    maxBodyBytes: 32 * 1024 * 1024,
    // Both can be set in the playground; what is not named here stays the server's own.
    allow: ['system', 'settings'],
    // Nothing here is secret, and the playground shows what errors look like.
    onError: (error) => (isLLMError(error) ? error.message : undefined),
  })
  // #endregion
}

/** The same for Node's servers. */
export const createChatHandler = (options: DemoModelOptions): NodeHandler =>
  toNodeHandler(createChatService(options))
