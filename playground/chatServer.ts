import { fileURLToPath } from 'node:url'
import { runnerImport, type Connect, type Plugin } from 'vite'
import type { NodeHandler } from 'vue-llm/server'
import type { DemoModelOptions } from 'vue-llm/testing'
import { aliases } from '../vite.aliases.ts'
import type * as HandleChat from './server/handleChat.ts'

/**
 * Mounts a `createLLMHandler` on Vite's dev and preview servers at `/api/chat`: the back end that an app has of its own,
 * with the demo model and a tool that runs there.
 */
export function chatServer(options: DemoModelOptions = {}): Plugin {
  let handler: Promise<NodeHandler> | undefined
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    handler ??= load(options)
    handler.then((answer) => answer(request, response, next)).catch(next)
  }
  return {
    name: 'vue-llm:chat-server',
    configureServer: ({ middlewares }) => void middlewares.use('/api/chat', handle),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/api/chat', handle),
  }
}

/** From the sources: a workspace that was never built has nothing else. */
async function load(options: DemoModelOptions): Promise<NodeHandler> {
  const file = fileURLToPath(new URL('./server/handleChat.ts', import.meta.url))
  const { module } = await runnerImport<typeof HandleChat>(file, {
    configFile: false,
    resolve: { alias: aliases },
  })
  return module.createChatHandler(options)
}
