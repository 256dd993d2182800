// server.ts: `node server.ts` from Node 22.18 on, `npx tsx server.ts` before
import { createServer } from 'node:http'
import { defineTool } from 'vue-llm/core'
import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMHandler, toNodeHandler } from 'vue-llm/server'

interface User {
  id: string
}

// Your login and your database.
const sessionOf = async (request: Request): Promise<User | undefined> =>
  request.headers.get('cookie')?.includes('user=ada') ? { id: 'ada' } : undefined
const findOrder = async (user: User, number: string) => ({ number, of: user.id, status: 'shipped' })

const handler = createLLMHandler<User>({
  provider: createOpenAIProvider({ apiKey: process.env['OPENAI_API_KEY'] }),
  model: 'gpt-4o',
  system: 'You answer questions about orders.',
  authorize: async (request) => {
    const user = await sessionOf(request)
    if (!user) throw new Response('log in first', { status: 401 })
    return user
  },
  tools: [
    defineTool({
      name: 'find_order',
      description: 'Status of an order of the user by its number',
      parameters: {
        type: 'object',
        properties: { number: { type: 'string' } },
        required: ['number'],
      },
      // `context` is what `authorize` returned.
      execute: ({ number }, { context }) => findOrder(context as User, number),
    }),
  ],
  onError: (error, { source }) => console.error(source, error),
})

export const server = createServer(toNodeHandler(handler)).listen(process.env['PORT'] ?? 3000)
