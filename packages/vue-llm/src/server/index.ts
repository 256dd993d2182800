export { createLLMHandler, type LLMHandler } from './createLLMHandler'
export { createLLMSocket, type LLMSocket, type LLMSocketOptions } from './createLLMSocket'
export { toSocketEvent, type SocketEvent, type SocketMessage } from './socketEvents'
export {
  toNodeHandler,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
} from './toNodeHandler'
export type {
  ClientChoice,
  HandlerErrorEvent,
  HandlerFinishEvent,
  LLMHandlerOptions,
  PreparedAnswer,
  PrepareEvent,
  StoredMessages,
} from './options'
