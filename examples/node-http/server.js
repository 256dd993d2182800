// @ts-check
// A chat with nothing but Node: node:http serves one page and answers its chat.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { freemem, loadavg, totalmem } from 'node:os'
import { defineTool } from 'vue-llm/core'
import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMHandler, toNodeHandler } from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'

// Any OpenAI-compatible server, or without one the demo model.
const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, OPENAI_MODEL, PORT } = process.env
const isDemo = !baseURL && !apiKey

const serverLoad = defineTool({
  name: 'server_load',
  description: 'Tells the load and the free memory of the server.',
  parameters: { type: 'object', properties: {} },
  execute: () => ({
    load: loadavg()[0]?.toFixed(2),
    freeMemory: `${Math.round((100 * freemem()) / totalmem())} %`,
  }),
})

const handleChat = toNodeHandler(
  createLLMHandler({
    provider: isDemo
      ? createOpenAIProvider({ fetch: createDemoModel() })
      : createOpenAIProvider({ ...(baseURL && { baseURL }), ...(apiKey && { apiKey }) }),
    model: OPENAI_MODEL ?? 'gpt-4.1-mini',
    tools: [serverLoad],
    onError: (error, { source }) => console.error(source, error),
    // With users to tell apart, `authorize` decides who may ask: see the example with Express.
  }),
)

/** The folders of the packages that the page imports, as they were installed. */
const folders = new Map([
  ['vue', new URL('.', import.meta.resolve('vue/dist/vue.esm-browser.prod.js'))],
  ['vue-llm', new URL('.', import.meta.resolve('vue-llm'))],
  ['eventsource-parser', new URL('.', import.meta.resolve('eventsource-parser'))],
])

/**
 * The file behind a path: the page, or a script of a package.
 * @param {string} path
 */
function fileOf(path) {
  if (path === '/') return new URL('index.html', import.meta.url)
  const [, name = '', script = ''] = /^\/([\w-]+)\/([\w.-]+\.js)$/.exec(path) ?? []
  const folder = folders.get(name)
  return folder && new URL(script, folder)
}

const server = createServer(async (request, response) => {
  const path = (request.url ?? '/').replace(/\?.*/s, '')
  if (path === '/api/chat') return handleChat(request, response)
  const file = fileOf(path)
  const content = file && (await readFile(file).catch(() => undefined))
  const type = path === '/' ? 'text/html' : 'text/javascript'
  response.writeHead(content ? 200 : 404, { 'content-type': `${type}; charset=utf-8` })
  response.end(content)
})

server.listen(Number(PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  console.log(`http://127.0.0.1:${port} (${isDemo ? 'demo model' : 'model of OPENAI_BASE_URL'})`)
})
