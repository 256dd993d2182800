// long: the whole vocabulary on one page
/**
 * The vocabulary of vue-llm: everything a chat is made of. Read this file first.
 *
 * A {@link Message} is made of {@link Part}s; whatever can happen to it is a {@link Chunk}; a
 * {@link Provider} turns a {@link ChatRequest} into chunks; a {@link Tool} is what the model may call.
 */

/** What one wire format gave with a part and wants back, keyed by wire format (`anthropic`, `gemini`, …). */
export type ProviderMetadata = Readonly<Record<string, unknown>>

/** What every part of a message has. */
export interface PartBase {
  /** Index of the model round this part belongs to; equals the index in {@link Message.steps} once closed. */
  step: number
  /** What the same wire wants back in the next request, keyed by wire format. */
  providerMetadata?: ProviderMetadata
}

/** Visible text. */
export interface TextPart extends PartBase {
  type: 'text'
  text: string
  /** `streaming` while deltas may still join. */
  state: 'streaming' | 'done'
  /** Tells two texts of one round apart, where the wire numbers them. */
  id?: string
}

/** What the model thought before it answered. */
export interface ReasoningPart extends PartBase {
  type: 'reasoning'
  text: string
  /** `streaming` while deltas may still join. */
  state: 'streaming' | 'done'
  /** Tells two reasoning blocks of one round apart, where the wire numbers them. */
  id?: string
}

/** A file, sent by the user or made by the model: `url` or `data` (base64, without a `data:` prefix). */
export interface FilePart extends PartBase {
  type: 'file'
  /** IANA media type, such as `image/png`. */
  mediaType: string
  url?: string
  data?: string
  filename?: string
}

/** A source the answer cites. */
export interface SourcePart extends PartBase {
  type: 'source'
  url: string
  title?: string
}

/** Data of the app's own, sent by its back end; the same `name` and `id` replace the earlier part. */
export interface DataPart extends PartBase {
  type: 'data'
  name: string
  id?: string
  data: unknown
}

/** The life of a tool call: `streaming → pending → running → result | error`. */
export type ToolCallState = 'streaming' | 'pending' | 'running' | 'result' | 'error'

/**
 * Why a call ended in `error`: stopped by the user, over the round limit, declined by a person, left without an
 * answer, interrupted (unmount, a lost server), not a known tool, cut before it was whole, arguments that are no JSON
 * object or do not fit the schema, over its time. None for what a tool threw.
 */
export type ToolErrorCode =
  | 'stopped'
  | 'limit'
  | 'declined'
  | 'unanswered'
  | 'interrupted'
  | 'unknown-tool'
  | 'cut'
  | 'invalid-args'
  | 'timeout'

/** Whether a person allowed a call that needs it. */
export interface ToolApproval {
  readonly state: 'requested' | 'approved' | 'declined'
  readonly reason?: string
}

/** One call of a tool: the only part with a life of its own, see {@link ToolCallState}. */
export interface ToolCallPart<
  Name extends string = string,
  Args = Readonly<Record<string, unknown>>,
  Result = unknown,
> extends PartBase {
  type: 'tool-call'
  /** Unique in a transcript. */
  toolCallId: string
  toolName: Name
  /**
   * The arguments: what could be parsed so far while `streaming`, whole from `pending` on. An immutable value:
   * replaced, never edited. Not validated unless a validator or a Standard Schema does it.
   */
  args: Args
  /** The arguments as the model wrote them. */
  argsText: string
  state: ToolCallState
  /** What the tool returned; set in state `result`. */
  result?: Result
  /** The error's text; set in state `error`. The model reads it with `Error: ` before it. */
  error?: string
  errorCode?: ToolErrorCode
  /** Set where a person gave the answer (`addToolResult`, a declined approval). */
  answeredBy?: 'person'
  /** The model's side runs this call itself; the client leaves it alone. */
  providerExecuted?: boolean
  /** What the running tool reported last. */
  progress?: unknown
  approval?: ToolApproval
}

/** A piece of a message. */
export type Part<Call extends ToolCallPart = ToolCallPart> =
  | TextPart
  | ReasoningPart
  | Call
  | FilePart
  | SourcePart
  | DataPart

/** Why a model round ended. Calls decide about going on, not the reason: many servers say `stop` with calls. */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  | 'stopped'
  | 'error'
  | 'truncated'
  | 'other'

/** Tokens as the provider counted them. */
export interface Usage {
  inputTokens: number
  outputTokens: number
  /** Part of `inputTokens` that came from a cache. */
  cachedInputTokens?: number
  /** Part of `outputTokens` spent on reasoning. */
  reasoningTokens?: number
}

/** What went wrong, as plain data: `code` is an {@link LLMErrorCode} or one of a back end's own. */
export interface ErrorInfo {
  code: string
  message: string
}

/** One closed model round. */
export interface Step {
  finishReason: FinishReason
  /** The provider's own word for it. */
  rawFinishReason?: string
  usage?: Usage
  error?: ErrorInfo
}

/** A message of the transcript. The system prompt is not one: `system` stands beside them. */
export interface Message<Call extends ToolCallPart = ToolCallPart> {
  id: string
  role: 'user' | 'assistant'
  parts: Part<Call>[]
  /** The closed model rounds; `steps.length` is the current one. Empty in a user's message. */
  steps: Step[]
  /** Epoch milliseconds; 0 where it is not known. */
  createdAt: number
  metadata?: Readonly<Record<string, unknown>>
}

type Loose<P> = P extends TextPart | ReasoningPart
  ? Omit<P, 'step' | 'state'> & Partial<Pick<P, 'step' | 'state'>>
  : P extends ToolCallPart
    ? Omit<P, 'step' | 'argsText'> & Partial<Pick<P, 'step' | 'argsText'>>
    : P extends PartBase
      ? Omit<P, 'step'> & { step?: number }
      : never

/** A part as callers may hand it in: without `step`, and without `state` where it is text. */
export type PartInput = Loose<Part>

/** A message as callers may hand it in: no steps, id or date needed; `content` is short for one text part. */
export interface MessageInput {
  id?: string
  role: 'user' | 'assistant'
  content?: string
  parts?: readonly PartInput[]
  steps?: readonly Step[]
  createdAt?: number
  metadata?: Readonly<Record<string, unknown>>
}

/** Every kind of chunk with its fields; see {@link Chunk}. */
export interface ChunkFields {
  /** An answer begins. `runId` goes to `metadata.runId`; the id of the message never changes. */
  'message-start': {
    runId?: string
    createdAt?: number
    metadata?: Readonly<Record<string, unknown>>
  }
  'text-delta': { text: string; id?: string; providerMetadata?: ProviderMetadata }
  'reasoning-delta': { text: string; id?: string; providerMetadata?: ProviderMetadata }
  'tool-call-start': {
    toolCallId: string
    toolName: string
    providerExecuted?: boolean
    providerMetadata?: ProviderMetadata
  }
  'tool-call-delta': { toolCallId: string; argsText: string; providerMetadata?: ProviderMetadata }
  /** The arguments are whole. With `toolName` and `args` it is a whole call by itself. */
  'tool-call-end': {
    toolCallId: string
    toolName?: string
    args?: unknown
    providerExecuted?: boolean
    providerMetadata?: ProviderMetadata
  }
  /** The call never was: its part is removed. */
  'tool-call-cancel': { toolCallId: string }
  'tool-approval-request': { toolCallId: string }
  'tool-approval-response': {
    toolCallId: string
    approved: boolean
    reason?: string
    args?: Readonly<Record<string, unknown>>
  }
  'tool-start': { toolCallId: string }
  /** A handler declined: the call waits for a person. */
  'tool-wait': { toolCallId: string }
  'tool-progress': { toolCallId: string; progress: unknown }
  'tool-result': {
    toolCallId: string
    result: unknown
    answeredBy?: 'person'
    providerMetadata?: ProviderMetadata
  }
  'tool-error': {
    toolCallId: string
    error: string
    errorCode?: ToolErrorCode
    answeredBy?: 'person'
    providerMetadata?: ProviderMetadata
  }
  file: {
    mediaType: string
    url?: string
    data?: string
    filename?: string
    providerMetadata?: ProviderMetadata
  }
  source: { url: string; title?: string; providerMetadata?: ProviderMetadata }
  data: { name: string; id?: string; data: unknown; providerMetadata?: ProviderMetadata }
  /** Merged shallowly into the message's metadata. */
  metadata: { metadata: Readonly<Record<string, unknown>> }
  /** Something failed. Writes nothing by itself; the `step-end` after it carries it. */
  error: ErrorInfo
  /** A model round is closed. */
  'step-end': Step
  /** Removes the last round and its parts. */
  'step-reset': object
}

/** The names of the chunks. */
export type ChunkType = keyof ChunkFields

/** Whatever can happen to a message, whoever caused it: model, tool, server or person. Plain JSON. */
export type Chunk<T extends ChunkType = ChunkType> = {
  [K in T]: { type: K } & ChunkFields[K]
}[T]

/** A JSON Schema; only what vue-llm itself looks at is named. */
export interface JSONSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** The part of the Standard Schema interface (https://standardschema.dev, version 1) that is used here. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Standard JSON Schema, where the library has it. */
    readonly jsonSchema?: unknown
  }
}

/** What a Standard Schema's `validate` gives. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that a Standard Schema found wrong. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a tool's `execute` gets beside its arguments. */
export interface ToolContext<Context = unknown> {
  /** Aborts when the chat stops, the call is answered otherwise, or `timeoutMs` is over. */
  signal: AbortSignal
  toolCallId: string
  /** The transcript, with the message that holds the call last. */
  messages: readonly Message[]
  /** What the server's `authorize` returned, or what `runChat` was given. */
  context: Context
  /** Shows how far the tool is: becomes `progress` of the part. */
  progress(value: unknown): void
}

/** What the model reads of a result: text, or parts where the provider takes them (images). */
export type ModelOutput =
  | string
  | readonly ({ type: 'text'; text: string } | Omit<FilePart, 'step'>)[]

/**
 * Something the model may call. With `execute` it runs by itself; without, the call goes to `onToolCall` or waits for
 * `addToolResult`.
 */
export interface Tool<Args = never, Result = unknown, Name extends string = string> {
  name: Name
  /** What the model reads to decide whether and when to call. */
  description?: string
  /** Shape of the arguments: a JSON Schema or a Standard Schema (zod, valibot, arktype, …). Default: any object. */
  parameters?: JSONSchema | StandardSchema
  /** Runs the call. What it throws becomes text that the model reads; `undefined` becomes `null`. */
  execute?(args: Args, context: ToolContext): Result | Promise<Result>
  /** Whether a person must allow the call first. @default false */
  needsApproval?: boolean | ((args: Args) => boolean | Promise<boolean>)
  /** Milliseconds after which the call ends as an error (`timeout`). @default no limit */
  timeoutMs?: number
  /** What the model reads of the result, where that is not the result itself as text or JSON. */
  toModelOutput?(result: Result): ModelOutput
}

/** Any tool, for lists and for code that only reads its name and schema. */
// eslint-style note: `never` arguments make every tool assignable, whatever its arguments are.
export type AnyTool = Tool<never, unknown, string>

/** What a provider sends for a tool: JSON Schema whatever the tool was written with. */
export interface ToolDefinition {
  name: string
  description?: string
  parameters: JSONSchema
}

/** Whether and which tool the model must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Sampling and the like, in words that every provider maps to its own; anything else goes through `body`. */
export interface ChatSettings {
  temperature?: number
  topP?: number
  topK?: number
  /** Most tokens of one answer. */
  maxTokens?: number
  stop?: string | readonly string[]
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  /** How long a reasoning model may think, in the provider's own words. */
  reasoningEffort?: string
  /** Whether the model may call several tools in one round. */
  parallelToolCalls?: boolean
  /** The answer must be JSON, of this shape where a schema is given; see {@link Provider.structuredOutput}. */
  responseFormat?: ResponseFormat
}

/** JSON as the form of an answer, in place of prose. */
export interface ResponseFormat {
  type: 'json'
  /** The shape; without it any JSON object. */
  schema?: JSONSchema
  /** What the shape is called, for wires that want a name. @default 'answer' */
  name?: string
}

/** One request to a model, independent of the wire. */
export interface ChatRequest {
  model: string
  system?: string
  messages: readonly Message[]
  tools: readonly AnyTool[]
  toolChoice?: ToolChoice
  settings?: ChatSettings
  signal: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** Merged over the body that the provider builds. */
  body?: Readonly<Record<string, unknown>>
  /** Id of the chat, where there is one. */
  chatId?: string
  /** Id of the assistant message that the answer goes to. */
  messageId?: string
}

/**
 * Turns a request into chunks. `stream` rejects with an `LLMError` only before its first chunk; a later failure is an
 * `error` chunk, then the stream ends.
 */
export interface Provider {
  name: string
  stream(request: ChatRequest): AsyncIterable<Chunk>
  /** The same answer without streaming. */
  complete?(request: ChatRequest): Promise<Chunk[]>
  /** The model is called by someone else (own back end, proxy), who may know tools that this side does not. */
  remote?: true
  /** The wire has a form for `settings.responseFormat`; where it has none, the setting is ignored. */
  structuredOutput?: true
}

/** Checks arguments against a tool's schema: text that tells the model what is wrong, or `undefined`. */
export type ToolValidator = (
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
) => string | undefined | Promise<string | undefined>

/** A call offered to `onToolCall`. */
export interface ToolCallEvent {
  toolName: string
  toolCallId: string
  args: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

/** Handles calls of tools without `execute`: what it returns is the result, `undefined` means "not mine". */
export type OnToolCall = (call: ToolCallEvent) => unknown

/** What bounds and steers a turn. */
export interface ChatLimits {
  /**
   * How many rounds with calls may run for one user message; then the model is asked once more, and calls in that
   * answer are not run. @default 5
   */
  maxToolRoundtrips?: number
  /** Whether the chat goes on by itself once a person has answered every call. @default true */
  autoSendToolResults?: boolean
}

/** What `prepareStep` may change for one request. */
export interface PreparedStep {
  model?: string
  tools?: readonly AnyTool[]
  toolChoice?: ToolChoice
  settings?: ChatSettings
}

/** Called before each request of a run; `step` counts the closed rounds of the answer. */
export type PrepareStep = (options: {
  messages: readonly Message[]
  step: number
}) => PreparedStep | undefined | void | Promise<PreparedStep | undefined | void>
