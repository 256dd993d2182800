import { demoModelNames, type DemoToolCalls } from './demo/demoModels'
import { planReply } from './demo/planReply'
import { readRequest } from './demo/readRequest'
import { toCompletion, toCompletionChunks } from './demo/writeReply'
import { sseResponse } from './sseResponse'
import { wait } from './wait'

/** How the demo model answers. */
export interface DemoModelOptions {
  /** Milliseconds before each piece of a few characters; 0 for tests. @default 20 */
  delayMs?: number
  /**
   * How calls are given: `structured` as they should be; `text` as Qwen3-Coder writes them, in the text of the answer, like
   * a server without a tool parser; `swallowed` not at all in a stream, which then ends empty, but whole without a stream.
   * A request for the model `vue-llm-demo-text` or `vue-llm-demo-swallow` chooses for itself.
   * @default 'structured'
   */
  toolCalls?: 'structured' | 'text' | 'swallowed'
}

/** The demo model: takes what `fetch` takes, so it is both a handler for a server and a provider's `fetch`. */
export type DemoModel = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/**
 * A model without network or key for playgrounds, examples and tests: it answers the OpenAI Chat Completions wire, streamed
 * or whole, and the same request gets the same answer.
 *
 * It calls the tools it is given by the words of the last user message, fills their arguments by schema, and speaks of the
 * results. Some words make it do other things: `long`, `think`, `count to 20`; `error` (HTTP 500), `rate limit` (HTTP 429)
 * and `cut` (the stream breaks off). Asked the same again, it answers, but after an `error` only the fourth time, so that it
 * outlasts the two retries of a provider. It never quotes the system prompt.
 *
 * Asked for `vue-llm-demo-text` it writes its calls as text, for `vue-llm-demo-swallow` it loses them while it streams: what
 * bad servers do, to see that an app doesn't suffer (see `toolCalls`).
 *
 * Rejects like `fetch` when the request is aborted.
 *
 * @example
 * const provider = createOpenAIProvider({ baseURL: 'http://demo/v1', fetch: createDemoModel() })
 */
export function createDemoModel(options: DemoModelOptions = {}): DemoModel {
  const { delayMs = 20, toolCalls } = options
  /** How often a request has failed on purpose. */
  const failed = new Map<string, number>()
  return async (input, init) => {
    const request = typeof input === 'string' || input instanceof URL ? undefined : input
    const signal = init?.signal ?? request?.signal
    signal?.throwIfAborted()
    const method = init?.method ?? request?.method ?? 'GET'
    const path = pathOf(request ? request.url : String(input))
    if (method === 'GET' && path.endsWith('/models')) return Response.json(models)
    if (method !== 'POST') {
      return fail(
        404,
        `There is nothing at ${method} ${path}: POST a chat completion, or GET …/models.`,
      )
    }
    const body = init?.body ? await new Response(init.body).text() : await request?.text()
    signal?.throwIfAborted()
    return answer(body ?? '', failed, { delayMs, toolCalls }, signal ?? undefined)
  }
}

async function answer(
  body: string,
  failed: Map<string, number>,
  { delayMs, toolCalls }: { delayMs: number; toolCalls: DemoToolCalls | undefined },
  signal?: AbortSignal,
): Promise<Response> {
  const request = readRequest(body, toolCalls)
  if (typeof request === 'string') return fail(400, request)
  let reply = planReply(request)
  const failures = 'status' in reply ? (reply.status === 500 ? 3 : 1) : Number(reply.cut)
  const count = failed.get(body) ?? 0
  if (count < failures) failed.set(body, count + 1)
  else if (failed.delete(body)) reply = planReply(request, true)
  if ('status' in reply) return fail(reply.status, reply.message)
  if (request.stream) {
    return sseResponse(toCompletionChunks(reply, request), {
      delayMs,
      done: !reply.cut,
      ...(signal && { signal }),
    })
  }
  await wait(delayMs, signal)
  signal?.throwIfAborted()
  const json = JSON.stringify(toCompletion(reply, request))
  return new Response(reply.cut ? json.slice(0, json.length / 2) : json, {
    headers: { 'content-type': 'application/json' },
  })
}

const models = {
  object: 'list',
  data: demoModelNames.map((id) => ({ id, object: 'model', created: 0, owned_by: 'vue-llm' })),
}

const errorTypes: Record<number, string> = {
  429: 'rate_limit_error',
  500: 'server_error',
}

function fail(status: number, message: string): Response {
  const error = {
    message,
    type: errorTypes[status] ?? 'invalid_request_error',
    param: null,
    code: null,
  }
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {}
  return Response.json({ error }, { status, headers })
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
}
