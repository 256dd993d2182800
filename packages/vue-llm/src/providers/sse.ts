import type {
  ChatRequest,
  Chunk,
  ChunkFields,
  ChunkType,
  ErrorInfo,
  ToolDefinition,
  Usage,
} from '../core'
import { defineProvider } from './defineProvider'
import { errorMessage } from './errorMessage'
import type { CommonOptions, ProviderDefinition, Round, StreamReader } from './types'

/** What is posted to a back end of one's own; `body` of the chat is merged over it. */
export interface ChatPost
  extends
    Pick<ChatRequest, 'messageId' | 'messages' | 'system' | 'settings' | 'toolChoice'>,
    Partial<Pick<ChatRequest, 'model'>> {
  /** Id of the chat. */
  id?: string | undefined
  /** The tools that the client runs or shows; sent by `createProxyProvider` only. */
  tools?: readonly ToolDefinition[] | undefined
  readonly [key: string]: unknown
}

/** Options of {@link createSSEProvider} beside the common ones. */
export interface SSEOwnOptions {
  /** The endpoint of the back end, for instance `/api/chat`. */
  url: string
  /**
   * Gives what is posted in place of `body`, for instance only the last message where the back end keeps the rest.
   *
   * @example
   * toRequest: ({ id, messages }) => ({ id, message: messages.at(-1) })
   */
  toRequest?: ((body: ChatPost, request: ChatRequest) => object) | undefined
}

/** Options of {@link createSSEProvider}. */
export type SSEOptions = CommonOptions & SSEOwnOptions

/** How our own wire is written and read; `toTools` gives the definitions that are posted. @internal */
export const ownWire = (
  name: string,
  toTools?: (tools: ChatRequest['tools']) => ToolDefinition[] | undefined,
): ProviderDefinition<SSEOwnOptions> => ({
  name,
  remote: true,
  toRequest(request, { toRequest }) {
    const { chatId, messageId, messages, model, system, settings, toolChoice } = request
    const post = {
      id: chatId,
      messageId,
      messages,
      tools: toTools?.(request.tools),
      model: model || undefined,
      system,
      settings,
      toolChoice,
      ...request.body,
    } as ChatPost
    return { body: toRequest ? toRequest(post, request) : post, isWhole: true }
  },
  toChunks: createChunkReader,
})

/**
 * Reads chunks as a back end of your own sends them, written by hand in any language: one chunk as JSON in each
 * `data:` of an event stream, `[DONE]` last. Calls that come with their `tool-result` need nothing more of the client.
 *
 * @example
 * const provider = createSSEProvider({ url: '/api/chat' })
 */
export const createSSEProvider = /* @__PURE__ */ defineProvider<SSEOwnOptions>(
  /* @__PURE__ */ ownWire('sse'),
)

/** The fields without which a chunk means nothing. */
const needed: { [T in ChunkType]: readonly (keyof ChunkFields[T] & string)[] } = {
  'message-start': [],
  'text-delta': ['text'],
  'reasoning-delta': ['text'],
  'tool-call-start': ['toolCallId', 'toolName'],
  'tool-call-delta': ['toolCallId', 'argsText'],
  'tool-call-end': ['toolCallId'],
  'tool-call-cancel': ['toolCallId'],
  'tool-approval-request': ['toolCallId'],
  'tool-approval-response': ['toolCallId', 'approved'],
  'tool-start': ['toolCallId'],
  'tool-wait': ['toolCallId'],
  'tool-progress': ['toolCallId'],
  'tool-result': ['toolCallId'],
  'tool-error': ['toolCallId', 'error'],
  file: ['mediaType'],
  source: ['url'],
  data: ['name'],
  metadata: ['metadata'],
  error: [],
  'step-end': ['finishReason'],
  'step-reset': [],
}

/** What a field holds wherever it stands; a needed field that is not named here is a string. */
const kinds: Record<string, string | undefined> = {
  // No field is found in what objects inherit.
  __proto__: null as never,
  createdAt: 'number',
  inputTokens: 'number',
  outputTokens: 'number',
  approved: 'boolean',
  providerExecuted: 'boolean',
  metadata: 'object',
  providerMetadata: 'object',
  usage: 'object',
  toolName: 'string',
  id: 'string',
}

type Fields = Record<string, unknown>

/** Throws, naming the field, where something is missing or of another kind; leaves out what is `null`. */
function check(fields: Fields, needs: readonly string[], what: string): void {
  for (const key in fields) {
    // Other languages write `null` for what is not there; only payloads may be it.
    if (fields[key] === null && key !== 'result' && key !== 'progress' && key !== what) {
      delete fields[key]
    } else checkKind(fields, key, kinds[key], what)
  }
  for (const key of needs) checkKind(fields, key, kinds[key] ?? 'string', what)
}

function checkKind(fields: Fields, key: string, kind: string | undefined, what: string): void {
  if (kind && typeof fields[key] !== kind)
    throw new Error(`'${key}' of ${what} must be of type ${kind}`)
}

/** Reads chunks as they are; keeps call ids unique, and gives flat back ends their rounds. */
// long: closures over the state of one answer
function createChunkReader(round: Round): StreamReader {
  /** The ids of the calls of this stream, by the ids that the back end uses. */
  const ids = new Map<unknown, string>()
  /** The calls whose arguments still come. */
  const streaming = new Set<string>()
  /** The calls of the open round that are the client's to count. */
  const own = new Set<string>()
  /** Whether the back end answered one of them. */
  let answered = false
  round.ownSteps = true

  function readError(error: Fields | string): ErrorInfo {
    const { code, message } = Object(error) as Fields
    const text = typeof message === 'string' ? message : errorMessage(error)
    return {
      code: typeof code === 'string' ? code : 'provider',
      message: round.redact(text || JSON.stringify(error)),
    }
  }

  function emitStep(chunk: Chunk<'step-end' | 'step-reset'>): void {
    answered = false
    own.clear()
    round.emit(chunk)
  }

  return {
    event(data) {
      const fields = data as Fields
      const { type } = fields
      if (!Object.hasOwn(needed, type as string)) return
      check(fields, needed[type as ChunkType], type as string)
      const chunk = data as Chunk
      if (chunk.type === 'error') return round.emit({ type: 'error', ...readError(fields) })
      if (chunk.type === 'step-end') {
        if (chunk.usage)
          check(chunk.usage as Usage & Fields, ['inputTokens', 'outputTokens'], 'usage')
        if (chunk.error) chunk.error = readError(chunk.error as ErrorInfo & Fields)
      }
      if (chunk.type === 'step-end' || chunk.type === 'step-reset') return emitStep(chunk)
      const begins =
        chunk.type === 'tool-call-start' ||
        // With a name it is a whole call, unless it ends one that has begun.
        (chunk.type === 'tool-call-end' &&
          chunk.toolName !== undefined &&
          !streaming.has(chunk.toolCallId))
      // A flat back end: what the model says of a result belongs to its next round.
      if (answered && (begins || chunk.type === 'text-delta' || chunk.type === 'reasoning-delta')) {
        emitStep({ type: 'step-end', finishReason: 'tool-calls' })
      }
      if ('toolCallId' in chunk) {
        const id = chunk.toolCallId
        if (begins) ids.set(id, round.callId(id))
        chunk.toolCallId = ids.get(id) ?? id
        if (chunk.type === 'tool-call-start') streaming.add(id)
        else if (chunk.type !== 'tool-call-delta') streaming.delete(id)
        if (begins && !chunk.providerExecuted) own.add(chunk.toolCallId)
        else if (chunk.type === 'tool-result' || chunk.type === 'tool-error') {
          answered ||= own.has(chunk.toolCallId)
        }
      }
      round.emit(chunk)
    },
  }
}
