import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Plugin } from 'vite'
import type { DemoModelOptions } from 'vue-llm/testing'
import { importServer } from './mountHandler.ts'
import type * as HandleSocket from './server/handleSocket.ts'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

interface UpgradingServer {
  on(event: 'upgrade', listener: Upgrade): unknown
}

/** Mounts a `createLLMSocket` on Vite's dev and preview servers at `/ws`, as `vue-llm-serve` has it. */
export function socketServer(options: DemoModelOptions = {}): Plugin {
  let handler: Promise<Upgrade> | undefined
  const load = async () => {
    const { createSocketHandler } = await importServer<typeof HandleSocket>('handleSocket')
    return createSocketHandler(options)
  }
  const mount = (server: UpgradingServer | null) =>
    server?.on('upgrade', (request, socket, head) => {
      // Vite's own sockets have another path.
      if (request.url !== '/ws') return
      handler ??= load()
      handler.then((upgrade) => upgrade(request, socket, head)).catch(() => socket.destroy())
    })
  return {
    name: 'vue-llm:socket-server',
    configureServer: ({ httpServer }) => void mount(httpServer),
    configurePreviewServer: ({ httpServer }) => void mount(httpServer),
  }
}
