// OPENAI_API_KEY=… LLM_TOOLS_FILE=tools.json LLM_TOOLS_API_TOKEN=… node server.ts
// (npx tsx server.ts before Node 22.18)
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
  createLLMHandler({
    provider: createOpenAIProvider({ apiKey: process.env['OPENAI_API_KEY'] }),
    model: 'gpt-4o',
    registry,
    // The page reads a neutral text; here is what went wrong.
    onError: (error, { source }) => console.error(source, error),
  }),
)
const tools = toNodeHandler(
  createToolsHandler({ registry, token: process.env['LLM_TOOLS_API_TOKEN'] }),
)

export const server = createServer((request, response) => {
  void (request.url === '/api/tools' ? tools : chat)(request, response)
}).listen(process.env['PORT'] ?? 3000)
