export { createLLMHandler, type LLMHandler } from './createLLMHandler'
export { createLLMSocket, type LLMSocket, type LLMSocketOptions } from './createLLMSocket'
export { toSocketEvent, type SocketEvent, type SocketMessage } from './socketEvents'
export {
  createNodeTransport,
  type NodeTransportOptions,
  type ResolveHost,
} from './createNodeTransport'
export {
  createToolRegistry,
  type ToolRegistry,
  type ToolRegistryOptions,
  type ToolSnapshot,
  type ToolSource,
} from './createToolRegistry'
export { createToolsHandler, type ToolsHandlerOptions } from './createToolsHandler'
export {
  toNodeHandler,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
} from './toNodeHandler'
export {
  toolRegistryFromEnv,
  type Environment,
  type ToolRegistryFromEnvOptions,
} from './toolRegistryFromEnv'
export type {
  ClientChoice,
  HandlerErrorEvent,
  HandlerFinishEvent,
  LLMHandlerOptions,
  PreparedAnswer,
  PrepareEvent,
  StoredMessages,
} from './options'
