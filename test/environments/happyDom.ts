import { builtinEnvironments, type Environment } from 'vitest/runtime'

/**
 * Globals that stay Node's own. happy-dom's replacements do not work with a real local server (an
 * abort hangs) nor with each other's Node parts.
 */
const nodeGlobals = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'ByteLengthQueuingStrategy',
  'CompressionStream',
  'CountQueuingStrategy',
  'DecompressionStream',
  'DOMException',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WebSocket',
  'WritableStream',
  'fetch',
  'queueMicrotask',
  'structuredClone',
] as const

/** happy-dom, with Node's network, stream, URL and abort classes. */
const environment: Environment = {
  name: 'happy-dom-with-node-network',
  viteEnvironment: 'client',
  async setup(global, options) {
    const own = new Map(
      nodeGlobals.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)]),
    )
    const { teardown } = await builtinEnvironments['happy-dom'].setup(global, options)
    for (const [name, descriptor] of own) {
      if (descriptor !== undefined) Object.defineProperty(global, name, descriptor)
    }
    return { teardown }
  },
}

export default environment
