import { createNodeTransport, createToolRegistry } from 'vue-llm/server'

export const registry = createToolRegistry({
  definitions: [
    {
      name: 'get_order',
      description: 'An order of a shop by its id',
      parameters: {
        type: 'object',
        properties: { shop: { type: 'string' }, id: { type: 'string' } },
        required: ['shop', 'id'],
      },
      url: 'https://{shop}.example.com/orders/{id}',
      method: 'GET',
    },
  ],
  allowedHosts: ['*.example.com'],
  transport: createNodeTransport({ maxRedirects: 0 }),
})
