import { errorText, isLLMError, LLMError, type ChatRequest } from '../core'
import { errorMessage, excerpt } from './errorMessage'
import type { CommonOptions, Given, HeaderValues, ProviderDefinition } from './types'

/** An answer whose status is good, and what its errors need. @internal */
export interface Answer {
  response: Response
  /** What was asked, for messages: method and URL without credentials and query. */
  at: string
  /** Replaces the configured secrets in a text. */
  redact(text: string): string
}

/**
 * Posts a request. Rejects with an `LLMError` (`http`, `network`, `misuse`), or with the signal's reason as soon as it
 * aborts, whatever the request is waiting for.
 * @internal
 */
export function send<Own extends object>(
  definition: ProviderDefinition<Own>,
  options: CommonOptions & Own,
  request: ChatRequest,
  stream: boolean,
): Promise<Answer> {
  const { signal } = request
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    post(definition, options, request, stream)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

async function post<Own extends object>(
  definition: ProviderDefinition<Own>,
  options: CommonOptions & Own,
  request: ChatRequest,
  stream: boolean,
): Promise<Answer> {
  const { signal } = request
  const { fetch: doFetch = fetch } = options
  const secrets: string[] = []
  const redact = (text: string) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
  let url
  let init
  try {
    const { path = '', body, headers } = definition.toRequest(request, options, stream)
    url =
      options.url ??
      (options.baseURL ?? definition.baseURL ?? '').replace(
        /\/*(\?.*)?$/,
        (_, query: string = '') => path + query,
      )
    const key = await given(options.apiKey)
    const own = await given(options.headers)
    secrets.push(...secretsOf(url, key, { ...own, ...request.headers }))
    const sent = new Headers({ 'content-type': 'application/json' })
    const auth = key && (definition.toAuth?.(key) ?? { authorization: `Bearer ${key}` })
    for (const values of [headers, auth || {}, own, request.headers]) {
      for (const [name, value] of Object.entries(values ?? {})) {
        if (value !== undefined) sent.set(name, value)
      }
    }
    const text = JSON.stringify({ ...body, ...request.body })
    init = { method: 'POST', headers: sent, body: text, signal }
  } catch (error) {
    // No cause: the text of a refused header quotes its value.
    if (isLLMError(error)) throw error
    throw new LLMError('misuse', redact(`the request can't be sent: ${errorText(error)}`))
  }
  signal.throwIfAborted()
  const at = `POST ${url.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')}`
  let response
  try {
    response = await doFetch(url, init)
  } catch (cause) {
    const { code = '' } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string }
    throw new LLMError(
      'network',
      redact(
        `no answer from ${at} (${errorText(cause)} ${code}): is the URL right, does the server run, ` +
          'and does it allow this origin (CORS)?',
      ),
      { cause },
    )
  }
  if (signal.aborted) {
    // A `fetch` that ignores the signal: nobody waits for its answer any more.
    response.body?.cancel().catch(() => {})
    throw signal.reason
  }
  if (!response.ok) throw await httpError(response, at, redact)
  return { response, at, redact }
}

function given<T>(value: Given<T>): T | Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value
}

/** Whatever must not be shown: the key, header values and query values, the longest first. */
function secretsOf(url: string, key: string | undefined, headers: HeaderValues): string[] {
  const values = [
    key,
    ...Object.values(headers),
    ...new URLSearchParams(url.split('?')[1]).values(),
  ]
  return (
    values
      // `Bearer …`: a server may echo the token alone; in JSON it is escaped.
      .flatMap((value = '') => [value, value.slice(value.indexOf(' ') + 1)])
      .flatMap((value) => [value.trim(), JSON.stringify(value).slice(1, -1)])
      .filter((value) => value.length > 4)
      .sort((a, b) => b.length - a.length)
  )
}

/** What a status asks the developer to check. */
const hints: Record<number, string> = {
  401: ' (check apiKey)',
  403: ' (check apiKey)',
  404: ' (check baseURL and model)',
}

async function httpError(
  response: Response,
  at: string,
  redact: (text: string) => string,
): Promise<LLMError> {
  const { status, statusText, headers } = response
  const body = redact(await response.text().catch(() => ''))
  let said: string
  try {
    said = errorMessage(JSON.parse(body))
  } catch {
    // A web page says nothing worth showing.
    said = /^\s*</.test(body) ? '' : body.trim()
  }
  const message = `HTTP ${status} from ${at}: ${excerpt(said || statusText)}${hints[status] ?? ''}`
  const after = headers.get('retry-after') ?? ''
  const wait =
    +(headers.get('retry-after-ms') || NaN) ||
    +(after || NaN) * 1000 ||
    Date.parse(after) - Date.now()
  const retryAfter = wait >= 0 || wait < 0 ? { retryAfter: Math.max(0, wait) } : {}
  return new LLMError('http', message, { status, body, ...retryAfter })
}
