// node server.js <folder of the built page>: serves it, and answers its chat.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { defineTool } from 'vue-llm/core'
import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMHandler, toNodeHandler } from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'

const [, , folder = '.'] = process.argv
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
const secret = process.env['STOCK_KEY']

const stockLevel = defineTool({
  name: 'stock_level',
  description: 'Tells how many pieces of an item are in stock.',
  parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  execute: ({ item }, { context }) => {
    if (!secret) throw new Error('there is no key')
    return { item: item.toUpperCase(), inStock: 7, for: (context as { user: string }).user }
  },
})

const handler = createLLMHandler({
  provider: createOpenAIProvider({ fetch: createDemoModel({ delayMs: 2 }) }),
  model: 'vue-llm-demo',
  tools: [stockLevel],
  authorize: (request) => {
    if (request.headers.get('sec-fetch-site') !== 'cross-site') return { user: 'ada' }
    throw new Response(null, { status: 403 })
  },
  prepare: ({ context }) => {
    // @ts-expect-error the context is what `authorize` returned: a user without an age
    if (context.age) return { model: 'for adults' }
    return { model: `vue-llm-demo for ${context.user.toUpperCase()}` }
  },
  onError: (error, { source }) => console.error(source, error),
})
const handleChat = toNodeHandler(handler)

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  if (path === '/api/chat') return handleChat(request, response)
  const file = join(folder, path === '/' ? 'index.html' : path)
  const content = await readFile(file).catch(() => undefined)
  response.writeHead(content ? 200 : 404, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
  })
  response.end(content)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
})
