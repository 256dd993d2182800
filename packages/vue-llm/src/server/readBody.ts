import { errorText, isPlainObject, LLMError } from '../core'
import { joinBytes } from './joinBytes'
import type { AskedRequest } from './openAnswer'
import { invalid, Refusal, tooLarge } from './refusal'

/**
 * The body of a request as a JSON object, read piece by piece, so that no more than `maxBytes` are ever held, whatever
 * `content-length` says. Throws a `Refusal`, or the reason of an abort.
 * @internal
 */
export async function readBody(
  request: AskedRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  refuseForeignForm(request)
  const text = await readText(request, maxBytes, signal)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw invalid('', text ? `the body is not JSON (${errorText(error)})` : 'the body is empty')
  }
  if (!isPlainObject(body)) throw invalid('', 'the body must be a JSON object')
  return body
}

const tooLong = (maxBytes: number) => tooLarge(`the body is longer than ${maxBytes} bytes`)

/** A form of another site is sent with a person's cookies and without asking; JSON is not. */
function refuseForeignForm({ headers }: AskedRequest): void {
  const site = headers.get('sec-fetch-site') ?? 'none'
  // Of the type itself: browsers let any page give a form's type parameters such as `;json`.
  const isJSON = /^[^;]*json/i.test(headers.get('content-type') ?? '')
  if (/^(same-origin|none)$/.test(site) || isJSON) return
  throw new Refusal(415, 'unsupported-media-type', 'the content-type must be application/json')
}

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true })

/** The body of a request as text, which must be UTF-8; otherwise like {@link readBody}. @internal */
export async function readText(
  request: AskedRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  if (request.bodyUsed) {
    throw new LLMError(
      'misuse',
      'the body was read before the handler could read it: authorize gets the headers, prepare the body',
    )
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLong(maxBytes)
  const reader = request.body?.getReader()
  const stop = () => void reader?.cancel().catch(() => {})
  // Not left to the body: a platform's may hang after an abort.
  signal.addEventListener('abort', stop)
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {}
      signal.throwIfAborted()
      size += value?.length ?? 0
      if (size > maxBytes) throw tooLong(maxBytes)
      // In one go, as a decoder that keeps what was cut costs more than all the rest of a short body.
      if (!value) return utf8.decode(joinBytes(pieces, size))
      // Tiny pieces would take up far more than the bytes in them.
      if (pieces.push(value) > 4096) pieces.splice(0, Infinity, joinBytes(pieces, size))
    }
  } catch (error) {
    stop()
    throw error instanceof TypeError && !signal.aborted
      ? invalid('', `the body can't be read (${errorText(error)})`)
      : error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
