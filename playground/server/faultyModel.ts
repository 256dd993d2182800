import { toNodeHandler, type NodeHandler } from 'vue-llm/server'
import { createDemoModel, type DemoModelOptions } from 'vue-llm/testing'

/** What can go wrong with a request: its header `x-fault`. */
export type Fault = 'busy' | 'error' | 'down' | 'cut' | 'stall' | 'garbage'

/** How many attempts fail; the header `x-attempt` counts them from 1. */
const failing: Record<string, number> = {
  busy: 1,
  error: 2,
  down: Infinity,
  cut: 1,
  stall: 1,
  garbage: 1,
}

/** After how many events an answer goes wrong. */
const eventsBefore = 40

const refuse = (status: number, message: string, headers = {}) =>
  Response.json({ error: { message, type: 'server_error' } }, { status, headers })

/** The demo model, failing as a request asks it to. */
export function createFaultyModel(
  options: DemoModelOptions,
): (request: Request) => Promise<Response> {
  const model = createDemoModel(options)
  return async (request) => {
    const fault = request.headers.get('x-fault') ?? ''
    const attempt = Number(request.headers.get('x-attempt') ?? 1)
    if (attempt > (failing[fault] ?? 0)) return model(request)
    if (fault === 'busy') {
      return refuse(429, 'Too many requests: come back in a second.', { 'retry-after': '1' })
    }
    if (fault === 'error') return refuse(500, `Something broke, for the ${attempt}. time.`)
    if (fault === 'down') return refuse(503, 'The server is down for as long as you like.')
    const answer = await model(request)
    return answer.body ? new Response(spoil(answer.body, fault), answer) : answer
  }
}

/** The first events of an answer, and then what goes wrong. */
function spoil(body: ReadableStream<Uint8Array>, fault: string): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let count = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = count++ < eventsBefore ? await reader.read() : {}
        if (value) return controller.enqueue(value)
        // Nothing more comes, and nobody says so.
        if (fault === 'stall') return new Promise(() => {})
        void reader.cancel()
        if (fault === 'cut') return controller.error(new Error('the connection is cut'))
        controller.enqueue(new TextEncoder().encode('data: {"choices": [<html>Bad gateway\n\n'))
        controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The same for Node's servers. */
export const createFaultyHandler = (options: DemoModelOptions): NodeHandler =>
  toNodeHandler(createFaultyModel(options))
