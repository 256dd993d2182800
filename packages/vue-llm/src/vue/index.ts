export { useChat, type FinishEvent, type UseChatOptions, type UseChatReturn } from './useChat'
export type { ApprovalAnswer, ToolAnswer } from './answers'
export type { ChatStatus, UserMessage } from './turns'
export { MessageParts, type MessagePartsSlots, type PartSlotProps } from './MessageParts'
export { injectChat, provideChat, type ProvidedChat } from './provideChat'
export { useCompletion, type UseCompletionOptions, type UseCompletionReturn } from './useCompletion'
export type { AnswerEnd, AnswerOptions, AnswerReturn, PromptInput } from './useAnswer'
export {
  useObject,
  type ObjectEnd,
  type ObjectState,
  type UseObjectOptions,
  type UseObjectReturn,
} from './useObject'
export type { ObjectMode } from './withObject'
