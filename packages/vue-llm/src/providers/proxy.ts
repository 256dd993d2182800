import { toToolDefinition, type Provider } from '../core'
import { defineProvider } from './defineProvider'
import { ownWire, type SSEOptions, type SSEOwnOptions } from './sse'

/** Options of {@link createProxyProvider}. */
export type ProxyOptions = SSEOptions

const create = /* @__PURE__ */ defineProvider<SSEOwnOptions>(
  /* @__PURE__ */ ownWire('proxy', (tools) =>
    tools.length ? tools.map(toToolDefinition) : undefined,
  ),
)

/**
 * Asks a `createLLMHandler` of your own server: the key and the server's tools stay there. Like `createSSEProvider`,
 * and the definitions of the chat's tools are posted too, so that the model can call what runs in the page.
 *
 * @example
 * const provider = createProxyProvider('/api/chat')
 */
export function createProxyProvider(options: string | ProxyOptions): Provider {
  return create(typeof options === 'string' ? { url: options } : options)
}
