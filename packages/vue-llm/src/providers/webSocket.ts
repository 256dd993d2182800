import {
  createId,
  joinDelta,
  LLMError,
  type ChatRequest,
  type Chunk,
  type FinishReason,
  type Provider,
} from '../core'

/** What is used of a `WebSocket`. */
export interface WebSocketLike {
  send(data: string): void
  close(): void
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { readonly type: string; readonly data?: unknown }) => void,
  ): void
}

/** Options of {@link createWebSocketProvider}. */
export interface WebSocketOptions {
  /** Where the socket is, such as `ws://localhost:8787/ws`, or a function that gives it at each connection. */
  url: string | (() => string | Promise<string>)
  /** Opens a socket. @default the global `WebSocket` */
  connect?: (url: string) => WebSocketLike
  /** Milliseconds until the socket must be open. @default 10000 */
  connectMs?: number
}

/** A provider with a connection that can be closed. */
export interface WebSocketProvider extends Provider {
  /** Closes the connection; the next message opens another, which begins a new conversation. */
  close(): void
}

interface Connection {
  socket: WebSocketLike
  /** Takes what the socket says; `undefined` when it has closed. */
  listen: ((event: Record<string, unknown> | undefined) => void) | undefined
  closed: boolean
  /** Ids of the messages that went out over it. */
  said: Set<string>
}

/**
 * Speaks the events of `vue-llm-serve` and `createLLMSocket` (guide §8): the new message goes out as
 * `{"type":"user_text","text"}`, and tool calls, text and the end come in. The server keeps the conversation as long
 * as the connection lasts, and runs the tools; `stop()` closes the connection, since the protocol has no other way. So
 * do a chat that was cleared and another chat: take one provider for each that runs at the same time.
 *
 * @example
 * const chat = useChat({ provider: createWebSocketProvider('ws://localhost:8787/ws') })
 */
export function createWebSocketProvider(options: string | WebSocketOptions): WebSocketProvider {
  const settings = typeof options === 'string' ? { url: options } : options
  let current: Connection | undefined
  let owner: ChatRequest | undefined
  const close = () => {
    current?.socket.close()
    current = undefined
  }
  return {
    name: 'websocket',
    remote: true,
    close,
    async *stream(request) {
      const { messages, signal } = request
      const [id, text] = lastUserText(request)
      if (owner) throw new LLMError('misuse', 'the socket answers another message')
      owner = request
      let isOver = false
      const release = () => {
        if (owner !== request) return
        owner = undefined
        // What is left of this answer must not be taken for the next one's.
        if (!isOver) close()
      }
      // In the event itself: the next message may be sent in the same tick.
      signal.addEventListener('abort', release)
      try {
        // The server would remember what was cleared, or is of another chat.
        if (!messages.slice(0, -1).some((message) => current?.said.has(message.id))) close()
        if (!current || current.closed) current = await connect(settings, signal)
        current.said.add(id)
        yield* readTurn(current, text, signal)
        isOver = true
      } finally {
        signal.removeEventListener('abort', release)
        release()
      }
    },
  }
}

/** Id and text of the message that is to be answered. */
function lastUserText({ messages }: ChatRequest): [id: string, text: string] {
  const last = messages.at(-1)
  if (last?.role === 'assistant' && last.steps.at(-1)?.finishReason === 'tool-calls') {
    throw new LLMError('misuse', 'the socket takes no results: run the tools on the server')
  }
  const message = messages.findLast(({ role }) => role === 'user')
  const texts = message?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])) ?? []
  if (!message || texts.every((text) => !text.trim())) {
    throw new LLMError('misuse', 'the socket takes text only: the message has none')
  }
  return [message.id, texts.join('\n\n')]
}

async function connect(options: WebSocketOptions, signal: AbortSignal): Promise<Connection> {
  const { url, connect: open = (at) => new WebSocket(at), connectMs = 10_000 } = options
  const address = typeof url === 'function' ? await url() : url
  signal.throwIfAborted()
  const socket = open(address)
  const connection: Connection = { socket, listen: undefined, closed: false, said: new Set() }
  // Query and user may hold secrets.
  const where = address.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')
  let timer: ReturnType<typeof setTimeout> | undefined
  let abort = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (code: 'network' | 'timeout', what: string) =>
        reject(new LLMError(code, `${where} ${what}: is the server running?`))
      timer = setTimeout(() => fail('timeout', `did not open within ${connectMs} ms`), connectMs)
      abort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', abort)
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('close', () => {
        connection.closed = true
        fail('network', 'can’t be connected to')
        connection.listen?.(undefined)
      })
      // A `close` follows, which says as little.
      socket.addEventListener('error', () => {})
      socket.addEventListener('message', ({ data }) => {
        connection.listen?.(readEvent(data))
      })
    })
  } catch (error) {
    socket.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
  return connection
}

function readEvent(data: unknown): Record<string, unknown> {
  try {
    const event: unknown = JSON.parse(`${data as string}`)
    return ((typeof event === 'object' && event) as Record<string, unknown>) || {}
  } catch {
    return {}
  }
}

async function* readTurn(
  connection: Connection,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void> {
  const chunks: Chunk[] = []
  let wake = () => {}
  let isOver = false
  const turn = createTurn((chunk) => {
    if (!joinDelta(chunks[chunks.length - 1], chunk)) chunks.push(chunk)
  })
  connection.listen = (event) => {
    isOver ||= turn(event)
    wake()
  }
  const abort = () => wake()
  signal.addEventListener('abort', abort)
  try {
    connection.socket.send(JSON.stringify({ type: 'user_text', text }))
    for (;;) {
      signal.throwIfAborted()
      // Taken whole, so that what comes meanwhile is not joined to what was handed out.
      for (const chunk of chunks.splice(0)) yield chunk
      if (isOver && !chunks.length) return
      if (!chunks.length) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    connection.listen = undefined
    signal.removeEventListener('abort', abort)
  }
}

/** Turns the events of one turn into chunks; tells whether the turn is over. */
function createTurn(
  emit: (chunk: Chunk) => void,
): (event: Record<string, unknown> | undefined) => boolean {
  const open = new Set<string>()
  let hasCalls = false
  let failure: { code: string; message: string } | undefined
  /** Servers that tell of no results have run the calls all the same. */
  const settle = () => {
    for (const toolCallId of open) emit({ type: 'tool-result', toolCallId, result: null })
    open.clear()
  }
  const end = (finishReason: FinishReason) => {
    settle()
    if (failure) emit({ type: 'error', ...failure })
    emit({ type: 'step-end', finishReason, ...(failure && { error: failure }) })
  }
  const table: Record<string, (event: Record<string, unknown>) => void> = {
    tool_call({ id, name, arguments: args = {} }) {
      const toolCallId = typeof id === 'string' && id ? id : createId('call_')
      hasCalls = true
      open.add(toolCallId)
      emit({ type: 'tool-call-end', toolCallId, toolName: `${name}`, args, providerExecuted: true })
    },
    tool_result({ id, result, error }) {
      const toolCallId = `${id}`
      if (!open.delete(toolCallId)) return
      emit(
        typeof error === 'string'
          ? { type: 'tool-error', toolCallId, error }
          : { type: 'tool-result', toolCallId, result: result ?? null },
      )
    },
    assistant_delta({ text }) {
      if (!text) return
      if (hasCalls) end('tool-calls')
      hasCalls = false
      emit({ type: 'text-delta', text: `${text}` })
    },
    error({ message }) {
      failure = { code: 'provider', message: `${message}` }
    },
    assistant_end() {
      end(failure ? 'error' : 'stop')
    },
  }
  return (event) => {
    if (!event) {
      failure = { code: 'truncated', message: 'the socket closed before the answer ended' }
      end('truncated')
      return true
    }
    const { type, refused } = event
    if (Object.hasOwn(table, `${type}`)) table[`${type}`]?.(event)
    // Nothing follows where the message was not taken.
    if (refused) end('error')
    return type === 'assistant_end' || !!refused
  }
}
