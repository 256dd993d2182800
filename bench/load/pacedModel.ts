/** Milliseconds between two pieces of an answer, and how many it has. */
const pace = { everyMs: 50, pieces: 40 }

/** Milliseconds that two processes of one machine agree on. */
export const now = (): number => performance.timeOrigin + performance.now()

/** A model that speaks Chat Completions and says, piece by piece, when it said so. */
export function createPacedModel() {
  return async (_url: unknown, { signal }: { signal?: AbortSignal | null | undefined }) => {
    const encoder = new TextEncoder()
    let timer: ReturnType<typeof setInterval>
    let left = pace.pieces
    const body = new ReadableStream<Uint8Array>({
      start(out) {
        const event = (choice: object) =>
          out.enqueue(encoder.encode(`data: ${JSON.stringify({ choices: [choice] })}\n\n`))
        const stop = () => clearInterval(timer)
        signal?.addEventListener('abort', stop)
        timer = setInterval(() => {
          if (left--) return event({ index: 0, delta: { content: `${now()} ` } })
          stop()
          event({ index: 0, delta: {}, finish_reason: 'stop' })
          out.close()
        }, pace.everyMs)
      },
      cancel: () => clearInterval(timer),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
