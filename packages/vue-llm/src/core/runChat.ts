import type { LLMError } from './errors'
import { nextStep } from './nextStep'
import { readRound } from './readRound'
import { closeRun, createRun } from './run'
import { runCalls } from './runCalls'
import type {
  AnyTool,
  ChatLimits,
  ChatRequest,
  Chunk,
  Message,
  OnToolCall,
  PrepareStep,
  Provider,
  ToolCallPart,
  ToolValidator,
} from './types'

/** What every request of a run holds beside transcript and tools. */
export type RunRequest = Omit<ChatRequest, 'messages' | 'tools' | 'signal' | 'messageId'>

/** Options of {@link runChat}. Each is read when it is needed, so getters may give current values. */
export interface RunChatOptions {
  provider: Provider
  /** The transcript; the run writes to it in place. */
  messages: Message[]
  request: RunRequest
  tools?: readonly AnyTool[] | undefined
  onToolCall?: OnToolCall | undefined
  prepareStep?: PrepareStep | undefined
  validator?: ToolValidator | undefined
  limits?: ChatLimits | undefined
  /** Handed to `execute`. */
  context?: unknown
  /** Asks the model at once, whatever `nextStep` says. @default false */
  goOn?: boolean | undefined
  /** Filled with the calls that run now; aborting one ends it. */
  running?: Map<ToolCallPart, AbortController> | undefined
  /** Ends the run: what is open closes at once, in the `abort` event itself. */
  signal?: AbortSignal | undefined
  /**
   * With an abort: calls that wait for a person stay open, and running ones close as `interrupted` rather than
   * `stopped`. @default false
   */
  interrupted?: boolean | undefined
  /** Writes a chunk. @default applyChunk */
  apply?: ((message: Message, chunk: Chunk) => void) | undefined
  /**
   * Called after each chunk of the provider, and waited for. With it nothing is yielded, which costs a chunk more than
   * all else does: for whom `apply` is enough. @internal
   */
  afterChunk?: (() => Promise<void> | undefined) | undefined
  /** Makes the id of a new assistant message. */
  generateId?: (() => string) | undefined
  /** Called when a request goes out to the provider. */
  onRequest?: (() => void) | undefined
  /** Gets the error that ended the run. */
  onError?: ((error: LLMError) => void) | undefined
  /** Hands out a function to be called once an approval is answered, so that the call starts at once. */
  onWake?: ((wake: () => void) => void) | undefined
}

/**
 * Runs a turn: runs the calls that can run, asks `nextStep`, streams the provider, and so on until nothing is left to
 * do by itself. Yields the chunks it applied. Ends after an abort, an error, or a round that gave nothing. Going on
 * after a person's answer is the same call again.
 */
export async function* runChat(options: RunChatOptions): AsyncGenerator<Chunk, void> {
  const { signal: outer } = options
  if (outer?.aborted) return
  const controller = new AbortController()
  const run = createRun(options)
  const close = () => {
    if (run.closed) return
    closeRun(run, outer?.reason)
    controller.abort(outer?.reason)
  }
  outer?.addEventListener('abort', close)
  let ended = false
  try {
    for (let goOn = options.goOn, fresh = false; ; goOn = false, fresh = true) {
      yield* runCalls(run, fresh)
      const next = goOn || nextStep(options.messages, options.limits) === 'request'
      if (run.closed || !next) break
      const failed = yield* readRound(run, controller.signal)
      if (failed || run.closed) break
    }
    // Looked for until nothing is left: an abort between two turns of the loop closes what is open.
    for (let chunk; (chunk = run.outbox.shift());) yield chunk
    ended = true
  } finally {
    outer?.removeEventListener('abort', close)
    // A consumer that leaves early ends the run as well.
    if (!ended) close()
  }
}
