import { createTell } from './mask'
import { setOpenHandler, streamHeaders, type AskedRequest, type OpenAnswer } from './openAnswer'
import type { LLMHandlerOptions } from './options'
import { planAnswer, type AnswerPlan } from './planAnswer'
import { Refusal, toErrorResponse } from './refusal'
import { refuseApproval } from './serverTools'
import { streamAnswer } from './streamAnswer'
import { writeAnswer } from './writeAnswer'

/** A handler as `fetch`-like platforms take it; for Node's own server see `toNodeHandler`. */
export type LLMHandler = (request: Request) => Promise<Response>

/**
 * Makes the back end of a chat: a function from `Request` to `Response` that asks the model, runs the server's tools
 * and streams the answer to `createProxyProvider` (or `createSSEProvider`) in the browser. Keys, the system prompt and
 * the text of errors stay here.
 *
 * Results that a client sends of its own tools are its word, as are the texts of its transcript; with `loadMessages`
 * the server's copy is the truth instead. The client can't choose model, system prompt, settings or limits unless
 * `allow` names them. Sends no CORS headers: add them around it where another origin may ask.
 *
 * Throws `LLMError('misuse')` for a server tool with `needsApproval` where there is no `loadMessages`.
 *
 * @example
 * const handler = createLLMHandler({
 *   provider: createOpenAIProvider({ apiKey: process.env.OPENAI_API_KEY }),
 *   model: 'gpt-4o',
 *   tools: [findOrder],
 *   authorize: async (request) => (await sessionOf(request)) ?? Promise.reject(new Response(null, { status: 401 })),
 * })
 */
// long: closures over the calls that run
export function createLLMHandler<Context = unknown>(
  options: LLMHandlerOptions<Context>,
): LLMHandler {
  if (!options.loadMessages) refuseApproval(options.tools ?? [])
  /** Approved calls that run: an approval sent twice must not run its call twice. */
  const claimed = new Set<string>()
  /** For each request that is still planned what was claimed since it began: its copy of the chat may be older. */
  const planning = new Set<Set<string>>()

  async function plan(
    request: AskedRequest,
    context: Context,
    signal: AbortSignal,
  ): Promise<{ planned: AnswerPlan; claims: string[] }> {
    const taken = new Set(claimed)
    planning.add(taken)
    try {
      const planned = await planAnswer(options, request, context, signal)
      const claims = planned.approved.map((callId) => JSON.stringify([planned.id, callId]))
      if (claims.some((claim) => taken.has(claim))) {
        throw new Refusal(409, 'conflict', 'the allowed tool call is running already')
      }
      signal.throwIfAborted()
      for (const set of [claimed, ...planning]) for (const claim of claims) set.add(claim)
      return { planned, claims }
    } finally {
      planning.delete(taken)
    }
  }

  async function answer(
    request: AskedRequest,
    context: Context,
    tell: ReturnType<typeof createTell>,
    signal: AbortSignal,
  ): Promise<OpenAnswer> {
    const { planned, claims } = await plan(request, context, signal)
    const onEnd = () => claims.forEach((claim) => claimed.delete(claim))
    return {
      heartbeatMs: options.heartbeatMs,
      run: (ended, write) => writeAnswer(planned, { options, context, tell, onEnd }, ended, write),
    }
  }

  async function open(request: AskedRequest, signal: AbortSignal): Promise<Response | OpenAnswer> {
    let context: Context | undefined
    const tell = createTell<Context>(options.onError, () => context)
    if (request.method !== 'POST') {
      return toErrorResponse(405, 'method-not-allowed', 'only POST is answered', { allow: 'POST' })
    }
    try {
      // With `authorize` it is a `Request`: see `needsRequest`.
      const granted = await options.authorize?.(request as Request)
      // Returned in place of thrown it is a refusal all the same.
      if (granted instanceof Response) return granted
      context = granted
      return await answer(request, granted as Context, tell, signal)
    } catch (error) {
      if (error instanceof Response) return error
      if (error instanceof Refusal) return toErrorResponse(error.status, error.code, error.message)
      // Nobody is left to be told.
      if (signal.aborted) return new Response(null, { status: 499 })
      return toErrorResponse(500, 'internal', await tell(error, 'handler'))
    }
  }

  const handler: LLMHandler = async (request) => {
    // Some platforms' requests have none.
    const { signal = new AbortController().signal } = request
    const opened = await open(request, signal)
    return opened instanceof Response
      ? opened
      : new Response(streamAnswer(opened, signal), { headers: streamHeaders })
  }
  setOpenHandler(handler, {
    get needsRequest() {
      return !!(options.authorize ?? options.prepare)
    },
    open,
  })
  return handler
}
