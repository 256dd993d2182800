export { buildHttpRequest } from './buildHttpRequest'
export { createHttpTools } from './createHttpTools'
export { loadHttpTools } from './loadHttpTools'
export { parseToolDefinitions } from './parseToolDefinitions'
export { renderHttpResult } from './renderHttpResult'
export { isCredentialName, requestError } from './credentials'
export type {
  DefinitionOptions,
  DefinitionProblem,
  HttpRequest,
  HttpRequestOptions,
  HttpResultOptions,
  HttpTool,
  HttpToolDefinition,
  HttpToolEvent,
  HttpToolInput,
  HttpToolOptions,
  HttpTransport,
  HttpTransportOptions,
  ParsedDefinitions,
} from './types'
