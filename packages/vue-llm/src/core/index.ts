export * from './types'
export * from './errors'
export { applyChunk } from './applyChunk'
export { nextStep } from './nextStep'
export { runChat, type RunChatOptions, type RunRequest } from './runChat'
export { createMessage, normaliseMessages, createId, lastAnswer } from './message'
export { toJSON, fromJSON, type ChatJSON } from './json'
export { defineTool, type InferredTool } from './defineTool'
export { toToolDefinition } from './toToolDefinition'
export type { ArgsOf, Arriving, FromJsonSchema, MessageOf, ToolCallPartOf } from './schemaTypes'
export { isDelta, joinDelta } from './joinDelta'
export { providerTraits } from './providerTraits'
export { sumUsage } from './sumUsage'
export { untrustedSchemas } from './untrusted'
export { toolOutput, resultText } from './toolOutput'
export { validateArgs } from './validateArgs'
export { parseJSON } from './parseJSON'
export { defined, isPlainObject, seal } from './plain'
export {
  callsOf,
  closingChunk,
  findCall,
  isApproved,
  isOpenCall,
  isWaiting,
  lastCalls,
  startsByItself,
} from './calls'
