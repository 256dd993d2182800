import {
  applyChunk,
  createMessage,
  normaliseMessages,
  toLLMError,
  type AnyTool,
  type ChatRequest,
  type Chunk,
  type ErrorInfo,
  type Message,
  type MessageInput,
  type Provider,
} from '../src/core'

/** What is read of one answer. */
export interface ReadAnswer {
  message: Message
  chunks: Chunk[]
  error: ErrorInfo | undefined
}

/** A request of nothing but what a test names. */
export const requestOf = (
  messages: MessageInput[] = [],
  more: Partial<ChatRequest> = {},
): ChatRequest => ({
  model: 'm',
  messages: normaliseMessages(messages),
  tools: [],
  signal: new AbortController().signal,
  ...more,
})

/** A list of tools of these names. */
export const toolsOf = (...names: string[]): AnyTool[] => names.map((name) => ({ name }))

/** What a provider reads of an answer whose pieces come one by one, so that nothing is joined by chance. */
export async function readAnswer(
  create: (options: { maxRetries: number; fetch: () => Promise<Response> }) => Provider,
  pieces: readonly string[],
  { isWhole = false, status = 200, request = requestOf() } = {},
): Promise<ReadAnswer> {
  let next = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const piece = pieces[next++]
      if (piece === undefined) stream.close()
      else stream.enqueue(new TextEncoder().encode(piece))
    },
  })
  const provider = create({ maxRetries: 0, fetch: async () => new Response(body, { status }) })
  const message = createMessage('assistant')
  const chunks: Chunk[] = []
  let error: ErrorInfo | undefined
  try {
    const answer = isWhole ? await provider.complete?.(request) : provider.stream(request)
    for await (const chunk of answer ?? []) {
      chunks.push(chunk)
      if (chunk.type === 'error') error = chunk
      applyChunk(message, chunk)
    }
  } catch (thrown) {
    error = toLLMError(thrown)
  }
  return { message, chunks, error }
}
