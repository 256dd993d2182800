import type { ToolContext } from '../core'
import { prepareRequest } from './buildHttpRequest'
import { requestError } from './credentials'
import { parseToolDefinitions } from './parseToolDefinitions'
import { redactRequest } from './redact'
import { renderHttpResult, toRequestError } from './renderHttpResult'
import type {
  HttpTool,
  HttpToolDefinition,
  HttpToolEvent,
  HttpToolInput,
  HttpToolOptions,
  HttpTransport,
} from './types'
import { unsendable } from './verbs'
import { warnOfSecrets } from './warnOfSecrets'

/**
 * Makes tools of definitions: each call is one HTTP request, and its answer is what the model reads.
 *
 * A call resolves with the text of a 2xx answer. Every failure rejects with a `ToolError`, which the model reads and may
 * recover from; nothing is asked again by itself.
 *
 * @param definitions What a definition file holds, or its text or bytes.
 * @example
 * useChat({ provider, tools: createHttpTools(definitions, { timeoutMs: 5000 }) })
 * @throws {@link LLMError} `invalid-definition`, with every problem in `errors`.
 */
export function createHttpTools(
  definitions: readonly HttpToolInput[] | string | Uint8Array,
  options: HttpToolOptions = {},
): HttpTool[] {
  const parsed = parseToolDefinitions(definitions, options)
  for (const warning of parsed.warnings) options.onWarning?.(warning)
  try {
    if (process.env.NODE_ENV !== 'production') warnOfSecrets(parsed.definitions, options)
  } catch {
    // A page without a bundler has no `process`.
  }
  return parsed.definitions.map((definition) => {
    const { name, description, parameters = { type: 'object', properties: {} } } = definition
    return {
      name,
      parameters,
      ...(description && { description }),
      execute: (args, context) => run(definition, options, args, context),
    }
  })
}

/** One call, and the news of it. */
async function run(
  definition: HttpToolDefinition,
  options: HttpToolOptions,
  args: unknown,
  { signal, toolCallId }: ToolContext,
): Promise<string> {
  const { name } = definition
  const { timeoutMs = 15_000, transport = fetchTransport(options.fetch) } = options
  const event: HttpToolEvent = { toolCallId, toolName: name, text: '' }
  const controller = new AbortController()
  const stop = () => controller.abort(signal.reason)
  const expire = () => controller.abort(requestError(`timed out after ${timeoutMs / 1000} s`))
  let timer
  /** Sends, and reads what comes. */
  const exchange = async () => {
    const { request, allowedOrigin } = prepareRequest(definition, args, options)
    const { shown, secrets } = redactRequest(request)
    event.request = shown
    const response = await transport(request, {
      allowedHosts: [],
      allowPrivateNetwork: false,
      ...options,
      signal: controller.signal,
      allowedOrigin,
    })
    event.status = response.status
    return renderHttpResult(response, { ...options, secrets })
  }
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', stop)
    // A longer one than timers can hold, such as Infinity, is none.
    if (timeoutMs < 2 ** 31) timer = setTimeout(expire, timeoutMs)
    // What ignores the signal is not waited for.
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
    })
    const text = await Promise.race([
      exchange().catch((error: unknown) => {
        controller.signal.throwIfAborted()
        throw toRequestError(error)
      }),
      ended,
    ])
    return (event.text = options.wrapResult?.(text, name) ?? text)
  } catch (error) {
    event.text = `Error: ${Object(error).message}`
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    options.onRequest?.(event)
  }
}

/** Sends by `fetch`, in whatever runtime. */
const fetchTransport =
  (doFetch: typeof fetch = fetch): HttpTransport =>
  async ({ method, url, headers, body }, { signal, allowedOrigin, redirect }) => {
    if (/^trac[ek]$/i.test(method)) throw unsendable(method)
    // A browser hides the hops of a redirect, and takes headers of the definition along.
    const isPlain = Object.keys(headers).every((name) => /^(accept|content-type)$/.test(name))
    return doFetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: redirect ?? (isPlain && allowedOrigin ? 'follow' : 'error'),
    })
  }
