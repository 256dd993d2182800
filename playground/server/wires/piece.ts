/** What a model says, apart from how a wire writes it. Calls that are whole have their arguments, others get them later. */
export type Piece =
  | { type: 'text' | 'reasoning' | 'args'; text: string }
  | { type: 'call'; id: string; name: string; args: string }
  | { type: 'end'; reason: 'stop' | 'tool_calls' | 'length'; input: number; output: number }

/** A message as Chat Completions have it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  tool_call_id?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

/** What a request is about, whatever wire it came by. */
export interface ChatBody {
  messages: ChatMessage[]
  tools?: { type: 'function'; function: object }[]
}

/** How one vendor is asked and answers. */
export interface Wire {
  /** Of an answer. @default 'text/event-stream' */
  contentType?: string
  /** Calls are written once they are whole. */
  wholeCalls?: true
  /** Reads the body of a request. */
  toChat(body: object): ChatBody
  /** Begins an answer; gives what is sent for each piece. */
  startAnswer(): (piece: Piece) => string
}

/** An event of a stream. */
export const toEvent = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

/** A call as Chat Completions have it. */
export const toCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
})

/** A message of the model. */
export const toAnswer = (content: string, calls: ReturnType<typeof toCall>[]): ChatMessage => ({
  role: 'assistant',
  content,
  ...(calls.length && { tool_calls: calls }),
})

interface CompletionChunk {
  choices: {
    delta: {
      content?: string
      reasoning_content?: string
      tool_calls?: { id?: string; function: { name?: string; arguments: string } }[]
    }
    finish_reason: 'stop' | 'tool_calls' | 'length' | null
  }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
}

/** Reads what the demo model streams; one that breaks off has no end. */
export async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  let end: Extract<Piece, { type: 'end' }> | undefined
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') break
    const { choices, usage } = JSON.parse(data) as CompletionChunk
    for (const { delta, finish_reason: reason } of choices) {
      if (delta.reasoning_content) yield { type: 'reasoning', text: delta.reasoning_content }
      if (delta.content) yield { type: 'text', text: delta.content }
      for (const { id, function: call } of delta.tool_calls ?? []) {
        if (id) yield { type: 'call', id, name: call.name ?? '', args: '' }
        if (call.arguments) yield { type: 'args', text: call.arguments }
      }
      if (reason) end = { type: 'end', reason, input: 0, output: 0 }
    }
    if (end && usage) {
      Object.assign(end, { input: usage.prompt_tokens, output: usage.completion_tokens })
    }
  }
  if (end) yield end
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = `${rest}${decoder.decode(read.value, { stream: true })}`.split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) yield event.replace(/^data: ?/, '')
    }
  } finally {
    await reader.cancel()
  }
}

/** The same with calls once they are whole. */
export async function* joinCalls(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  let call: Extract<Piece, { type: 'call' }> | undefined
  for await (const piece of pieces) {
    if (piece.type === 'args') {
      if (call) call.args += piece.text
      continue
    }
    if (call) yield call
    call = piece.type === 'call' ? { ...piece } : undefined
    if (piece.type !== 'call') yield piece
  }
}
