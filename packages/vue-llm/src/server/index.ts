export { createLLMHandler, type LLMHandler } from './createLLMHandler'
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
