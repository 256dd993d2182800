import type { Plugin } from 'vite'
import type { DemoModelOptions } from 'vue-llm/testing'
import { importServer, mountHandler } from './mountHandler.ts'
import type * as HandleChat from './server/handleChat.ts'

/**
 * Mounts a `createLLMHandler` on Vite's dev and preview servers at `/api/chat`: the back end that an app has of its own,
 * with the demo model and a tool that runs there.
 */
export function chatServer(options: DemoModelOptions = {}): Plugin {
  return mountHandler('chat-server', '/api/chat', async () => {
    const { createChatHandler } = await importServer<typeof HandleChat>('handleChat')
    return createChatHandler(options)
  })
}
