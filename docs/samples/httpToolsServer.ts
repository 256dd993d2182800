// LLM_TOOLS_FILE=tools.json LLM_TOOLS_API_TOKEN=… node server.ts (before Node 22.18: npx tsx server.ts)
import { createServer } from 'node:http'
import { createOpenAIProvider } from 'vue-llm/providers'
import {
  createLLMHandler,
  createToolsHandler,
  toNodeHandler,
  toolRegistryFromEnv,
} from 'vue-llm/server'

// A broken file or a wrong value throws here, and says all that is wrong.
const registry = toolRegistryFromEnv(process.env)

const chat = toNodeHandler(
  createLLMHandler({ provider: createOpenAIProvider(), model: 'gpt-4o', registry }),
)
const tools = toNodeHandler(
  createToolsHandler({ registry, token: process.env['LLM_TOOLS_API_TOKEN'] }),
)

export const server = createServer((request, response) => {
  void (request.url === '/api/tools' ? tools : chat)(request, response)
}).listen(process.env['PORT'] ?? 3000)
