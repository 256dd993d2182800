import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAIProvider } from 'vue-llm/providers'
import { createLLMHandler, toNodeHandler } from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'
import { createPacedModel } from './pacedModel'

/** What a parent process may ask for. */
export type Ask = 'port' | 'cpu' | 'memory'

// A model for each of the two loads: one that answers at once, and one that takes its time.
const models = { '/demo': createDemoModel({ delayMs: 0 }), '/paced': createPacedModel() }
type Path = keyof typeof models

const url = 'http://model/v1/chat/completions'

/** What a back end without a library does: the model's events in, the client's events out. */
async function byHand(path: Path, request: IncomingMessage, response: ServerResponse) {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  const { messages } = JSON.parse(body) as {
    messages: { role: string; parts: { type: string; text: string }[] }[]
  }
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const { body: stream } = await models[path](url, {
    method: 'POST',
    signal: gone.signal,
    body: JSON.stringify({
      model: 'vue-llm-demo',
      stream: true,
      messages: messages.map(({ role, parts }) => ({
        role,
        content: parts.map(({ text }) => text).join(''),
      })),
    }),
  })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const decoder = new TextDecoder()
  let rest = ''
  let finishReason = 'stop'
  for await (const piece of stream ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
      const { choices } = JSON.parse(line.slice(6)) as {
        choices: { delta: { content?: string }; finish_reason?: string }[]
      }
      const text = choices[0]?.delta.content
      finishReason = choices[0]?.finish_reason ?? finishReason
      if (text) response.write(`data: ${JSON.stringify({ type: 'text-delta', text })}\n\n`)
    }
  }
  response.write(`data: ${JSON.stringify({ type: 'step-end', finishReason })}\n\n`)
  response.end('data: [DONE]\n\n')
}

const handlers = Object.fromEntries(
  Object.entries(models).map(([path, fetch]) => [
    path,
    toNodeHandler(
      createLLMHandler({ provider: createOpenAIProvider({ url, fetch }), model: 'vue-llm-demo' }),
    ),
  ]),
)

const server = createServer((request, response) => {
  const [, side, name] = (request.url ?? '').split('/')
  const path = `/${name}` as Path
  void (side === 'hand' ? byHand(path, request, response) : handlers[path]?.(request, response))
})

/** Bytes in use once what is not needed any more is gone. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// A machine that is busy must not lose a connection between two runs.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  process.on('message', (ask: Ask) => {
    const { user, system } = process.cpuUsage()
    const answers: Record<Ask, () => number> = {
      port: () => (server.address() as AddressInfo).port,
      cpu: () => (user + system) / 1000,
      memory,
    }
    process.send?.(answers[ask]())
  })
  process.on('disconnect', () => process.exit())
})
