import { createMessage, isPlainObject, runChat, type Chunk, type Message } from '../core'
import { createMask, createTell, type Tell } from './mask'
import { validatorOf } from './lazyValidator'
import type { LLMHandlerOptions } from './options'
import { createAnswerTools, createProgressGate, joinTools, refuseApproval } from './serverTools'
import { createTurnEvents, type SocketEvent } from './socketEvents'
import { tellFinish } from './tellFinish'
import { createThrown, watchProvider } from './thrown'
import { createWire } from './wire'

type Shared =
  | 'provider'
  | 'model'
  | 'system'
  | 'settings'
  | 'tools'
  | 'registry'
  | 'maxToolRoundtrips'
  | 'maxArgsChars'
  | 'maxMessages'
  | 'prepareStep'
  | 'validator'
  | 'onFinish'
  | 'onError'

/** Options of {@link createLLMSocket}; those of `createLLMHandler` mean the same. */
export interface LLMSocketOptions<Context = unknown> extends Pick<
  LLMHandlerOptions<Context>,
  Shared
> {
  /** Sends a text frame to the client. Where it returns a promise, the answer waits for it. */
  send: (text: string) => void | Promise<void>
  /** Handed to tools and callbacks. */
  context?: Context
  /** Most characters of one frame. @default 1000000 */
  maxFrameChars?: number | undefined
  /** How many messages may wait while an answer runs. @default 16 */
  maxQueued?: number | undefined
}

/** One conversation over one socket. */
export interface LLMSocket {
  /** Takes a frame of the client. Anything but text is answered with an `error` event. */
  receive(frame: unknown): void
  /** Ends the running answer and forgets what waits. Nothing is sent afterwards. */
  close(): void
  /** Whether an answer runs. */
  readonly isBusy: boolean
}

/**
 * Speaks the guide's WebSocket events (§8) over any kind of socket: `{"type":"user_text","text"}` comes in,
 * `tool_call`, `assistant_delta` and `assistant_end` go out. The conversation lives as long as the socket; a message
 * that comes while an answer runs waits its turn. Errors are masked as in `createLLMHandler`.
 *
 * Throws `LLMError('misuse')` for a tool with `needsApproval`: the protocol has no answer to it.
 *
 * @example
 * sockets.on('connection', (ws) => {
 *   const chat = createLLMSocket({ provider, model, tools, send: (text) => ws.send(text) })
 *   ws.on('message', (data, isBinary) => chat.receive(isBinary ? data : data.toString()))
 *   ws.on('close', () => chat.close())
 *   ws.on('error', () => {}) // a frame that breaks the protocol: without it the process ends
 * })
 */
// long: closures over the state of one conversation
export function createLLMSocket<Context = unknown>(options: LLMSocketOptions<Context>): LLMSocket {
  const { maxFrameChars = 1e6, maxQueued = 16, maxMessages = 1000 } = options
  refuseApproval(options.tools ?? [])
  const tell = createTell<Context>(options.onError, () => options.context)
  const closing = new AbortController()
  const { signal } = closing
  const messages: Message[] = []
  const queue: string[] = []
  let isBusy = false

  async function send(event: SocketEvent): Promise<void> {
    if (signal.aborted) return
    let text
    try {
      text = JSON.stringify(event)
    } catch (error) {
      // Such as a result that is no JSON: the answer is worth more.
      await tell(error, 'handler')
      return
    }
    await options.send(text)
  }

  const refuse = (message: string) => {
    send({ type: 'error', message, refused: true }).catch(close)
  }

  function close(): void {
    queue.length = 0
    closing.abort()
  }

  async function work(): Promise<void> {
    isBusy = true
    try {
      for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
        messages.push(createMessage('user', { content: text }))
        await answer(options, messages, { tell, signal, send })
        await send({ type: 'assistant_end' })
      }
    } catch {
      // A socket that can't be written to.
      close()
    } finally {
      isBusy = false
    }
  }

  return {
    get isBusy() {
      return isBusy
    },
    close,
    receive(frame) {
      if (signal.aborted) return
      const text = readFrame(frame, maxFrameChars)
      if (typeof text !== 'string') return refuse(text.problem)
      if (queue.length >= maxQueued)
        return refuse(`more than ${maxQueued} messages wait: not taken`)
      if (messages.length + 2 * queue.length >= maxMessages) {
        return refuse(`the conversation has ${maxMessages} messages: open a new one`)
      }
      queue.push(text)
      if (!isBusy) void work()
    },
  }
}

/** The text of a `user_text` frame, or what is wrong with the frame. */
function readFrame(frame: unknown, maxChars: number): string | { problem: string } {
  const expected = 'expected {"type":"user_text","text":"…"}'
  if (typeof frame !== 'string') return { problem: `a binary frame: ${expected} as text` }
  if (frame.length > maxChars) return { problem: `a frame of more than ${maxChars} characters` }
  let message: unknown
  try {
    message = JSON.parse(frame)
  } catch {
    return { problem: `not JSON: ${expected}` }
  }
  if (!isPlainObject(message) || message.type !== 'user_text') {
    return { problem: `an unknown type of message: ${expected}` }
  }
  const { text } = message
  if (typeof text !== 'string' || !text.trim()) return { problem: `no text: ${expected}` }
  return text
}

interface Line {
  tell: Tell
  signal: AbortSignal
  send: (event: SocketEvent) => Promise<void>
}

/** One turn. Rejects only where the socket fails. */
async function answer<Context>(
  options: LLMSocketOptions<Context>,
  messages: Message[],
  { tell, signal, send }: Line,
): Promise<void> {
  const { model, system, settings, context, maxArgsChars = 1e6 } = options
  const registered = options.registry?.snapshot()
  const { maxToolRoundtrips = registered?.maxIterations ?? 4 } = options
  const thrown = createThrown()
  const gate = createProgressGate()
  const tools = createAnswerTools(
    joinTools(options.tools, registered?.tools),
    [],
    { isStored: false, validator: validatorOf(options.validator), maxArgsChars },
    thrown,
    gate,
  )
  const wire = createWire(tools.own, createMask(thrown, tell))
  const toEvents = createTurnEvents()
  let isError = false
  const show = async (chunk: Chunk) => {
    if (chunk.type === 'tool-progress') gate.passed(chunk.toolCallId)
    const message = messages.at(-1)
    for (const event of toEvents(await wire.toChunk(chunk, message), message)) await send(event)
  }
  const run = runChat({
    provider: watchProvider(options.provider, thrown),
    messages,
    request: { model, ...(system !== undefined && { system }), ...(settings && { settings }) },
    tools: tools.list,
    validator: tools.validator,
    prepareStep: options.prepareStep,
    limits: { maxToolRoundtrips },
    context,
    signal,
    onError: () => (isError = true),
  })
  for await (const chunk of run) await show(chunk)
  await tellFinish(options.onFinish, tell, {
    id: undefined,
    messages: wire.toMessages(messages),
    context: context as Context,
    isAbort: signal.aborted,
    isError,
    stepsBefore: 0,
  })
}
