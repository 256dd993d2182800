import type { Plugin } from 'vite'
import { importServer, mountHandler } from './mountHandler.ts'
import type * as Items from './server/items.ts'

/** Mounts a REST service at `/api/items` on Vite's dev and preview servers, for the tools of the tools page to ask. */
export function itemsServer(): Plugin {
  return mountHandler('items-server', '/api/items', async () => {
    const { createItemsHandler } = await importServer<typeof Items>('items')
    return createItemsHandler()
  })
}
