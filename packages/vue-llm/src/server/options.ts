import type {
  AnyTool,
  ChatJSON,
  ChatSettings,
  FinishReason,
  Message,
  MessageInput,
  PrepareStep,
  Provider,
  ToolValidator,
  Usage,
} from '../core'
import type { ToolRegistry } from './createToolRegistry'

/** What a client may choose where `allow` names it. */
export type ClientChoice = 'model' | 'system' | 'settings' | 'toolChoice' | 'maxToolRoundtrips'

/** What `prepare` may choose for one request; what it leaves out stays as the options say. */
export interface PreparedAnswer {
  model?: string | undefined
  system?: string | undefined
  /** In place of the options' tools and the registry's, for instance those that this user may use. */
  tools?: readonly AnyTool[] | undefined
  /** Over the options' settings. */
  settings?: ChatSettings | undefined
  provider?: Provider | undefined
}

/** What `prepare` gets. */
export interface PrepareEvent<Context = unknown> {
  request: Request
  /** What `authorize` returned. */
  context: Context
  /** The transcript that will be answered, as checked data. */
  messages: readonly Message[]
  /** Id of the chat, where the client sent one. */
  id: string | undefined
  /** Everything the client posted, unchecked: the place for fields of your own. */
  body: Readonly<Record<string, unknown>>
}

/** What `onFinish` gets. */
export interface HandlerFinishEvent<Context = unknown> {
  /** Id of the chat, where the client sent one. */
  id: string | undefined
  /**
   * The transcript with the answer, as the client has it: errors are masked here too, so it may be stored and shown
   * again. Give it to `toJSON`.
   */
  messages: Message[]
  /** The answer; absent where nothing came of it. */
  message: Message | undefined
  context: Context
  /** Why the last model round ended. */
  finishReason: FinishReason | undefined
  /** Tokens of the model rounds of this request. */
  usage: Usage
  /** The client went away, or stopped. */
  isAbort: boolean
  isError: boolean
}

/** Where an error that `onError` is told of comes from, and for whom. */
export interface HandlerErrorEvent<Context = unknown> {
  /** What `authorize` returned; `undefined` before it did. */
  context: Context | undefined
  /** The model and its provider, a tool, or the handler and the functions given to it. */
  source: 'provider' | 'tool' | 'handler'
  /** With `tool`: its name. */
  toolName?: string
}

/** Options of `createLLMHandler`. */
export interface LLMHandlerOptions<Context = unknown> {
  /** Who answers: `createOpenAIProvider(…)` or any other. */
  provider: Provider
  /** The model's name as the provider knows it. */
  model: string
  /** The system prompt. Clients never see it. */
  system?: string | undefined
  settings?: ChatSettings | undefined
  /**
   * The tools that the model may call. Those with `execute` run here and reach the client as results; those without
   * are left to the client, as are the tools whose definitions the client sends.
   */
  tools?: readonly AnyTool[] | undefined
  /**
   * HTTP tools, which can be replaced while the server runs: a turn keeps those that were active when it began. Of two
   * tools with one name it is that of `tools`.
   */
  registry?: Pick<ToolRegistry, 'snapshot'> | undefined
  /**
   * How many rounds with calls of server tools may run for one user message. Rounds whose calls were all the client's
   * count on the client only. @default the registry's `maxIterations`, else 4
   */
  maxToolRoundtrips?: number | undefined
  /**
   * Decides who may ask, by the request's headers (the body is not read yet). What it returns is the `context` of
   * tools and callbacks. To refuse, throw a `Response`: it is sent as it is.
   */
  authorize?: ((request: Request) => Context | Promise<Context>) | undefined
  /** Chooses model, system prompt, tools, settings or provider for one request. May throw a `Response`. */
  prepare?:
    | ((
        event: PrepareEvent<Context>,
      ) => PreparedAnswer | undefined | void | Promise<PreparedAnswer | undefined | void>)
    | undefined
  /**
   * Gives the server's own copy of a chat (what `onFinish` stored), which is the truth then: of the client's transcript
   * only a new user message and answers to calls that are open in the copy are taken. Must check that the chat is the
   * user's own; may throw a `Response`. Needed for server tools with `needsApproval`. While an approved call runs, its
   * approval is not taken again by this handler; with several server processes let the store see to that.
   */
  loadMessages?:
    | ((
        id: string,
        context: Context,
      ) => StoredMessages | undefined | null | Promise<StoredMessages | undefined | null>)
    | undefined
  /**
   * Checks the arguments of calls to server tools; `false` turns that off. Tools with a Standard Schema are checked by
   * that. @default ajvValidator() of `vue-llm/ajv`, loaded with the first call; without ajv it warns once
   */
  validator?: ToolValidator | false | undefined
  /** May change model, tools, tool choice and settings of each request to the model. */
  prepareStep?: PrepareStep | undefined
  /** How many bytes a request's body may have. @default 4 MiB */
  maxBodyBytes?: number | undefined
  /** How many messages a transcript may have. @default 1000 */
  maxMessages?: number | undefined
  /** How long the arguments of a call may be as JSON, in characters; longer ones never reach the tool. @default 1000000 */
  maxArgsChars?: number | undefined
  /** Milliseconds of silence after which a comment keeps the connection open. @default 15000 */
  heartbeatMs?: number | undefined
  /** Called when the answer has ended, also after an abort; awaited before the stream ends. The place to save. */
  onFinish?: ((event: HandlerFinishEvent<Context>) => void | Promise<void>) | undefined
  /**
   * Told of every error with its true text; the client reads a neutral one unless this returns another. Without it
   * what is masked is written to the console (`console.error`), as text.
   */
  onError?:
    | ((
        error: unknown,
        event: HandlerErrorEvent<Context>,
      ) => string | undefined | void | Promise<string | undefined | void>)
    | undefined
  /** What a client may choose by itself. @default nothing */
  allow?: readonly ClientChoice[] | undefined
}

/** A stored transcript: what `toJSON` gave, or its messages. */
export type StoredMessages = readonly MessageInput[] | ChatJSON
