import type { JSONSchema, Tool } from '../core'

/** One HTTP request, described as data: a tool without code (guide §3). */
export interface HttpToolDefinition {
  /** What the model calls. */
  name: string
  /** What the model reads to decide whether and when to call. */
  description?: string
  /** JSON Schema of the arguments. @default { type: 'object', properties: {} } */
  parameters?: JSONSchema
  /** Where the request goes; `{argument}` stands for an argument's value. */
  url: string
  /** Any verb, in any case. @default 'POST' */
  method?: string
  /** Sent as they are; `{argument}` in a value stands for an argument's value. */
  headers?: Readonly<Record<string, string>>
}

/** A definition as a file may hold it: `null` is the same as no value, the rest is checked when it is read. */
export interface HttpToolInput {
  name: string
  description?: string | null | undefined
  parameters?: object | null | undefined
  url: string
  method?: string | null | undefined
  headers?: object | null | undefined
}

/** Something about a definition file, and where: `path` is a JSON Pointer such as `/1/url`. */
export interface DefinitionProblem {
  path: string
  message: string
}

/** What a definition file holds. */
export interface ParsedDefinitions {
  definitions: HttpToolDefinition[]
  /** What works, but perhaps not as meant. */
  warnings: DefinitionProblem[]
}

/** What the place of use adds to definitions when they are read. */
export interface DefinitionOptions {
  /** What relative URLs are resolved against. @default the page's base URL; elsewhere URLs are absolute */
  baseURL?: string
}

/** A request as it goes out. */
export interface HttpRequest {
  /** In upper case. */
  method: string
  /** Absolute, without credentials and fragment. */
  url: string
  /** By their names in lower case. */
  headers: Record<string, string>
  body: string | null
}

/** How a call becomes a request. */
export interface HttpRequestOptions extends DefinitionOptions {
  /**
   * The hosts that a call may choose where the URL's host is a placeholder: names, or `*.suffix`. A host that stands in
   * the definition needs no mention. @default none
   */
  allowedHosts?: readonly string[]
  /** `omit`: an argument that a header holds is not sent again in query or body. @default sent, as guide §3 says */
  headerArgs?: 'omit'
}

/** What a transport is told beside the request. */
export interface HttpTransportOptions {
  /** Aborts when the chat stops or the time is over; it covers the body too. */
  signal: AbortSignal
  /** The origin that stands in the definition, which is trusted; `''` where a call chose it. */
  allowedOrigin: string
  allowedHosts: readonly string[]
  allowPrivateNetwork: boolean
  redirect?: 'follow' | 'error'
}

/**
 * Sends a request and resolves with its answer, whatever its status. It rejects with a `ToolError`, whose message is
 * what the model reads, or with anything else, which becomes `tool request failed: network error`.
 */
export type HttpTransport = (
  request: HttpRequest,
  options: HttpTransportOptions,
) => Promise<Response>

/** What became of a call, for logs and debuggers; credentials are replaced by `***`. */
export interface HttpToolEvent {
  toolCallId: string
  toolName: string
  /** What was sent; missing where the call was refused before. */
  request?: HttpRequest
  /** HTTP status, where there was an answer. */
  status?: number
  /** What the model reads. */
  text: string
}

/** How the answer becomes what the model reads. */
export interface HttpResultOptions {
  /** Most characters (code points) of an answer; the rest is not read. @default 2000 */
  resultMaxChars?: number
  /** Texts that an answer which is no success must not hold: they become `***`. @default none */
  secrets?: readonly string[]
}

/** Options of {@link createHttpTools}. */
export interface HttpToolOptions extends HttpRequestOptions {
  /** @default the global `fetch` */
  fetch?: typeof fetch
  /** Sends instead of `fetch`; the server's can do what `fetch` can't. */
  transport?: HttpTransport
  /** Milliseconds for one request, from the name's lookup to the last byte. @default 15000 */
  timeoutMs?: number
  /** Most characters (code points) of an answer; the rest is not read. @default 2000 */
  resultMaxChars?: number
  /** Whether a host that a call chose may be a private address; the server's transport checks it. @default false */
  allowPrivateNetwork?: boolean
  /**
   * What to do about redirects. @default 'error' where the definition has headers beyond `Accept` and `Content-Type` or
   * a call chose the host, else 'follow'; the server's transport has finer rules
   */
  redirect?: 'follow' | 'error'
  /** Puts something around a successful answer, such as a note that it is data of others. @default as it is */
  wrapResult?: (text: string, toolName: string) => string
  /** No warning about credentials that a page would show to everybody. @default false */
  silenceSecretWarning?: boolean
  /** Hears of what works, but perhaps not as meant, in the definitions. */
  onWarning?: (warning: DefinitionProblem) => void
  /** Hears of every call once it is over. */
  onRequest?: (event: HttpToolEvent) => void
}

/** A tool that sends a request and resolves with its answer as text. */
export type HttpTool = Tool<Readonly<Record<string, unknown>>, string>
