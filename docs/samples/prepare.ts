import { createOpenAIProvider, defineTool } from 'vue-llm'
import { createLLMHandler } from 'vue-llm/server'

const refund = defineTool({
  name: 'refund',
  description: 'Refund an order',
  execute: () => 'refunded',
})

export const handler = createLLMHandler<{ isAdmin: boolean }>({
  provider: createOpenAIProvider(),
  model: 'gpt-4o-mini',
  authorize: (request) => ({ isAdmin: request.headers.get('x-role') === 'admin' }),
  prepare: ({ context }) =>
    context.isAdmin ? { model: 'gpt-4o', tools: [refund] } : { tools: [] },
})
