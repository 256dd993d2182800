export { createOpenAIProvider, type OpenAIOptions, type OpenAIOwnOptions } from './openai'
export { defineProvider } from './defineProvider'
export type {
  CommonOptions,
  Given,
  HeaderValues,
  ProviderCreator,
  ProviderDefinition,
  Round,
  StreamReader,
  WireRequest,
} from './types'
