export { createDemoModel, type DemoModel, type DemoModelOptions } from './demoModel'
export {
  finish,
  hang,
  reasoning,
  streamedToolCall,
  text,
  toolCall,
  type Script,
  type ScriptFunction,
  type ScriptItem,
  type ScriptRound,
} from './script'
export {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from './scriptedProvider'
export { sseResponse, type SSEEvent, type SSEResponseOptions } from './sseResponse'
