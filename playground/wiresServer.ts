import type { Plugin } from 'vite'
import type { DemoModelOptions } from 'vue-llm/testing'
import { importServer, mountHandler } from './mountHandler.ts'
import type * as WiresService from './server/wiresService.ts'

/** Mounts the demo model over the wires of vendors on Vite's dev and preview servers, at `/wires`. */
export function wiresServer(options: DemoModelOptions = {}): Plugin {
  return mountHandler('wires-server', '/wires', async () => {
    const { createWiresHandler } = await importServer<typeof WiresService>('wiresService')
    return createWiresHandler(options)
  })
}
