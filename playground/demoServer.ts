import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { runnerImport, type Connect, type Plugin } from 'vite'
import type * as Testing from 'vue-llm/testing'
import type { DemoModel, DemoModelOptions } from 'vue-llm/testing'

/** The most that a request may hold: images in a chat make long bodies. */
const maxBodyBytes = 32 * 1024 * 1024

/**
 * Mounts the demo model on Vite's dev and preview servers as an OpenAI-compatible endpoint, `/v1/chat/completions` and
 * `/v1/models`, so that the playground talks to it over real HTTP, as to any other server.
 */
export function demoServer(options: DemoModelOptions = {}): Plugin {
  const handle = toMiddleware(options)
  return {
    name: 'vue-llm:demo-server',
    configureServer: ({ middlewares }) => void middlewares.use('/v1', handle),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/v1', handle),
  }
}

/** The sources: a workspace that was never built has nothing else. */
const testing = fileURLToPath(new URL('../packages/vue-llm/src/testing/index.ts', import.meta.url))

async function loadModel(options: DemoModelOptions): Promise<DemoModel> {
  const { module } = await runnerImport<typeof Testing>(testing)
  return module.createDemoModel(options)
}

function toMiddleware(options: DemoModelOptions): Connect.NextHandleFunction {
  let model: Promise<DemoModel> | undefined
  return (request, response) => {
    model ??= loadModel(options)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    answer(request, response, model, gone.signal).catch((error: unknown) => {
      // The reader has gone, or the model breaks the stream off on purpose: nobody is left to be told.
      if (response.headersSent || gone.signal.aborted) return void response.destroy()
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error) } }))
    })
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  model: Promise<DemoModel>,
  signal: AbortSignal,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const body = method === 'POST' ? await readBody(request) : undefined
  const ask = await model
  const answered = await ask(`http://demo/v1${url}`, {
    method,
    signal,
    ...(body !== undefined && { body }),
  })
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (!answered.body) return void response.end()
  await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBodyBytes) throw new Error(`the body is longer than ${maxBodyBytes} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
