export { useChat, type FinishEvent, type UseChatOptions, type UseChatReturn } from './useChat'
export type { ApprovalAnswer, ToolAnswer } from './answers'
export type { ChatStatus, UserMessage } from './turns'
export {
  MessageParts,
  type FailedSlotProps,
  type MessagePartsProps,
  type MessagePartsSlots,
  type PartSlotProps,
} from './MessageParts'
export type {
  ToolCallActions,
  ToolCallProps,
  ToolComponents,
  UseToolCallReturn,
} from './toolCallProps'
export { useToolCall } from './useToolCall'
export {
  defineToolComponent,
  type ShownResult,
  type ToolComponent,
  type ToolComponentOptions,
} from './defineToolComponent'
export { useAutoScroll, type AutoScrollOptions, type UseAutoScrollReturn } from './useAutoScroll'
export { useAnnouncer, type Announcement, type AnnouncerOptions } from './useAnnouncer'
export { ChatAnnouncer } from './ChatAnnouncer'
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
export {
  useSpeech,
  type Speak,
  type SpokenChat,
  type UseSpeechOptions,
  type UseSpeechReturn,
} from './useSpeech'
