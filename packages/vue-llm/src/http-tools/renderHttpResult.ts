import { ToolError } from '../core'
import { requestError } from './credentials'
import type { HttpResultOptions } from './types'

/** Media types that are text whatever their bytes are. */
const textual = /^text\/|\b(json|xml|yaml|javascript|ndjson)$|form-urlencoded$/

/** How much is decoded at a time, so that one big chunk costs no more than many small ones. */
const pieceSize = 4096

/**
 * What the model reads of an answer (guide §6): its body as it is, cut at the limit; `HTTP <status>` for an empty one. No
 * more of the body is read than that takes.
 *
 * @throws `ToolError` for a status that is no success (`HTTP <status> — <body>`) and for a body that can't be read.
 */
export async function renderHttpResult(
  response: Response,
  { resultMaxChars = 2000, secrets = [] }: HttpResultOptions = {},
): Promise<string> {
  const { ok, status } = response
  const known = ok ? [] : secrets
  // Enough to find a secret that the limit would cut in two.
  const more = known.join('').length
  const read = await readText(response, resultMaxChars + more)
  let shown = known.reduce((clean, secret) => clean.replaceAll(secret, '***'), read.text)
  const chars = [...shown]
  // What was read last may be the beginning of one.
  if (read.isFull) chars.splice(chars.length - more)
  const kept = chars.splice(0, resultMaxChars).join('')
  if (read.isBinary) shown = `[binary content: ${read.mediaType || 'application/octet-stream'}]`
  else if (read.isFull || chars.length) shown = `${kept}… [truncated]`
  if (!ok) throw new ToolError(`HTTP ${status} — ${shown}`)
  return shown || `HTTP ${status}`
}

/** The text of a body up to so many code points; full where there was more. */
async function readText({ body, headers }: Response, limit: number) {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  const isText = textual.test(mediaType)
  const decoder = createDecoder(parameters.join(), isText)
  const reader = body?.getReader()
  let text = ''
  let left = limit
  let isBinary = false
  let isFull = false
  const add = (piece?: Uint8Array) => {
    try {
      const decoded = decoder.decode(piece, { stream: !!piece })
      isBinary = !isText && decoded.includes('\0')
      for (const char of decoded) {
        if (left-- <= 0) {
          isFull = true
          break
        }
        text += char
      }
    } catch {
      isBinary = true
    }
    isFull ||= isBinary
  }
  try {
    while (reader && !isFull) {
      const { done, value } = await reader.read()
      if (done) break
      for (let at = 0; at < value.length && !isFull; at += pieceSize) {
        add(value.subarray(at, at + pieceSize))
      }
    }
  } catch (error) {
    throw toRequestError(error)
  }
  if (isFull) reader?.cancel().catch(() => {})
  else add()
  return { text, mediaType, isBinary, isFull }
}

/** Decodes by the `charset` where it is a known one; strictly where only that tells text from binary. */
function createDecoder(parameters: string, isText: boolean): TextDecoder {
  const [, label = ''] = /\bcharset\s*=\s*["']?([^"';\s]+)/.exec(parameters) ?? []
  try {
    return new TextDecoder(isText && label ? label : 'utf-8', { fatal: !isText })
  } catch {
    return new TextDecoder()
  }
}

/** Why a request failed, without a word of what it held. */
export function toRequestError(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  const { cause, code: own } = Object(error) as { cause?: { code?: unknown }; code?: unknown }
  const code = cause?.code ?? own
  const isName = typeof code === 'string' && /^\w+$/.test(code)
  return requestError(
    isName && /^Z_|^ERR_.*DECOD/.test(code)
      ? 'response could not be decoded'
      : `network error${isName ? ` (${code})` : ''}`,
  )
}
