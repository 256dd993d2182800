import { fileURLToPath } from 'node:url'
import { createServer, type Connect, type Plugin, type ViteDevServer } from 'vite'
import type { NodeHandler } from 'vue-llm/server'
import { aliases } from '../vite.aliases.ts'

/** Mounts a handler on Vite's dev and preview servers; it is made with the first request. */
export function mountHandler(name: string, path: string, load: () => Promise<NodeHandler>): Plugin {
  let handler: Promise<NodeHandler> | undefined
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    handler ??= load()
    handler.then((answer) => answer(request, response, next)).catch(next)
  }
  return {
    name: `vue-llm:${name}`,
    configureServer: ({ middlewares }) => void middlewares.use(path, handle),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(path, handle),
  }
}

let loader: Promise<ViteDevServer> | undefined

/**
 * Imports a module of `playground/server` with the package's sources: a workspace that was never built has no others. What
 * loads them stays, as the sources import some of their parts only when they are needed.
 */
export async function importServer<Module>(name: string): Promise<Module> {
  loader ??= createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    resolve: { alias: aliases },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  const file = fileURLToPath(new URL(`./server/${name}.ts`, import.meta.url))
  return (await loader).ssrLoadModule(file) as Promise<Module>
}
