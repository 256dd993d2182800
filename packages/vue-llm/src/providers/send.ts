import { defined, errorText, isLLMError, LLMError, type ChatRequest } from '../core'
import { errorMessage, excerpt } from './errorMessage'
import type { CommonOptions, Given, ProviderDefinition } from './types'

/** An answer whose status is good, and what its errors need. @internal */
export interface Answer {
  response: Response
  /** What was asked, for messages: method and URL without query and secrets. */
  at: string
  /** Replaces the configured secrets in a text. */
  redact(text: string): string
}

/** Posts a request. Rejects with an `LLMError` (`http`, `network`, `misuse`), or with the reason of an abort. @internal */
// long: each step may fail in its own way
export async function send<Own extends object>(
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
    const { path = '', body, headers, isWhole } = definition.toRequest(request, options, stream)
    url =
      options.url ??
      (options.baseURL ?? definition.baseURL)?.replace(
        /\/*(\?.*)?$/,
        (_, query = '') => path + query,
      )
    // What is empty would be the page itself.
    if (!url) throw new LLMError('misuse', `${definition.name} needs a url`)
    const key = await given(options.apiKey)
    const values = Object.entries(
      defined({
        'content-type': 'application/json',
        ...headers,
        ...(key && (definition.toAuth?.(key) ?? { authorization: `Bearer ${key}` })),
        ...(await given(options.headers)),
        ...request.headers,
      }),
    )
    const sent = new Headers()
    secrets.push(...secretsOf(url, values.slice(1)))
    // One by one: the same name in another case replaces, where a constructor would join.
    for (const [name, value] of values) sent.set(name, value)
    init = {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(isWhole ? body : { ...body, ...request.body }),
      signal,
    }
  } catch (error) {
    // No cause: the text of a refused header quotes its value.
    throw isLLMError(error) ? error : new LLMError('misuse', redact(errorText(error)))
  }
  signal.throwIfAborted()
  const at = redact(`POST ${url.replace(/[?#].*/s, '')}`)
  let response
  try {
    response = await doFetch(url, init)
  } catch (cause) {
    signal.throwIfAborted()
    const said = errorText(cause)
    const shown = redact(said)
    const text = `no answer from ${at} (${shown}): check the URL, the server and CORS`
    // No cause where it quotes a secret, as one does that quotes the URL.
    throw new LLMError('network', text, said === shown ? { cause } : {})
  }
  if (signal.aborted) {
    // A `fetch` that ignores the signal: nobody waits for its answer any more.
    response.body?.cancel().catch(() => {})
    signal.throwIfAborted()
  }
  // Such as a maker of one that was not called.
  if (!response?.headers) throw new LLMError('misuse', 'fetch gave no Response')
  if (!response.ok) throw await httpError(response, at, redact)
  return { response, at, redact }
}

function given<T>(value: Given<T>): T | Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value
}

/** Whatever must not be shown: the values of headers and query, and credentials; the longest first. */
function secretsOf(url: string, headers: [string, string][]): string[] {
  const query = url.split(/[?#]/)[1] ?? ''
  return (
    [
      ...headers.map(([, value]) => value),
      // Decoded, and as they stand.
      ...new URLSearchParams(query).values(),
      ...query.replace(/(^|&)[^&=]*=/g, '&').split('&'),
      /\/\/([^/]+)@/.exec(url)?.[1] ?? '',
    ]
      // A server may echo the token of `Bearer …`, or the password of `user:…`, alone.
      .flatMap((value) => [value.trim(), value.trim().replace(/^\S*[ :]/, '')])
      .filter((value) => value.length > 4)
      .sort((a, b) => b.length - a.length)
  )
}

async function httpError(
  response: Response,
  at: string,
  redact: Answer['redact'],
): Promise<LLMError> {
  const { status, statusText, headers } = response
  // JSON may write a slash, plus or quote in another way, behind which a secret would not be found.
  const body = redact(
    (await response.text().catch(() => '')).replace(
      /\\(\\|\/|u00(?!22|5[cC])[2-7][\da-fA-F])/g,
      (escape, [char]: string) => (char === '\\' ? escape : (JSON.parse(`"${escape}"`) as string)),
    ),
  )
  const check =
    status === 404
      ? ' (check the URL and the model)'
      : /40[13]/.test(`${status}`)
        ? ' (check apiKey, or who is logged in)'
        : ''
  const said = excerpt(errorMessage(body) || statusText)
  const after = headers.get('retry-after') || 'none'
  // A date may have passed; a number below zero is nonsense, which `Date.parse` would take for a year.
  const wait = [
    parseFloat(`${headers.get('retry-after-ms')}`),
    +after * 1000,
    after.startsWith('-') ? NaN : Math.max(0, Date.parse(after) - Date.now()),
  ].find((ms) => ms >= 0)
  return new LLMError('http', `HTTP ${status} from ${at}${said && `: ${said}`}${check}`, {
    status,
    body,
    ...(wait !== undefined && { retryAfter: wait }),
  })
}
