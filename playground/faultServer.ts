import type { Plugin } from 'vite'
import type { DemoModelOptions } from 'vue-llm/testing'
import { importServer, mountHandler } from './mountHandler.ts'
import type * as FaultyModel from './server/faultyModel.ts'

/** Mounts a demo model that fails on demand on Vite's dev and preview servers, at `/faults/v1`. */
export function faultServer(options: DemoModelOptions = {}): Plugin {
  return mountHandler('fault-server', '/faults/v1', async () => {
    const { createFaultyHandler } = await importServer<typeof FaultyModel>('faultyModel')
    return createFaultyHandler(options)
  })
}
