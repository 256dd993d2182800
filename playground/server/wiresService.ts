import { toNodeHandler, type NodeHandler } from 'vue-llm/server'
import { createDemoModel, type DemoModelOptions } from 'vue-llm/testing'
import { anthropic } from './wires/anthropic.ts'
import { gemini } from './wires/gemini.ts'
import { ollama } from './wires/ollama.ts'
import { joinCalls, readPieces, type Piece, type Wire } from './wires/piece.ts'
import { responses } from './wires/responses.ts'
import { textCalls, toTextWire } from './wires/textCalls.ts'

const wires: Readonly<Record<string, Wire>> = {
  anthropic,
  gemini,
  ollama,
  responses,
  ...Object.fromEntries(
    Object.entries(textCalls).map(([name, calls]) => [`text-${name}`, toTextWire(calls)]),
  ),
}

/** The demo model over the wires of vendors, and with its calls as text: `/wires/anthropic/…`, `/wires/text-qwen/…`. */
export function createWiresService(
  options: DemoModelOptions,
): (request: Request) => Promise<Response> {
  const model = createDemoModel(options)
  return async (request) => {
    const { pathname } = new URL(request.url)
    const wire = wires[/\/wires\/([\w-]+)\//.exec(pathname)?.[1] ?? '']
    if (!wire || request.method !== 'POST') {
      return Response.json(
        { error: { message: `There is nothing at ${pathname}.` } },
        { status: 404 },
      )
    }
    const asked = wire.toChat((await request.json()) as object)
    const answer = await model('http://demo/v1/chat/completions', {
      method: 'POST',
      signal: request.signal,
      body: JSON.stringify({
        model: 'vue-llm-demo',
        messages: asked.messages,
        tools: asked.tools,
        stream: true,
        stream_options: { include_usage: true },
      }),
    })
    if (!answer.ok || !answer.body) return answer
    const pieces = readPieces(answer.body)
    const body = write(wire.wholeCalls ? joinCalls(pieces) : pieces, wire.startAnswer())
    return new Response(body, {
      headers: { 'content-type': wire.contentType ?? 'text/event-stream' },
    })
  }
}

/** Nothing is written before it is asked for. */
function write(pieces: AsyncGenerator<Piece>, toBytes: (piece: Piece) => string) {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        while (!text) {
          const { done, value } = await pieces.next()
          if (done) return controller.close()
          text = toBytes(value)
        }
        controller.enqueue(encoder.encode(text))
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
}

/** The same for Node's servers. */
export const createWiresHandler = (options: DemoModelOptions): NodeHandler =>
  toNodeHandler(createWiresService(options))
