import { requestError, type HttpRequest } from '../http-tools'
import { nodeModule, type NodeAnswer, type NodeLookup, type NodeStream } from './nodeModules'

/** What is sent where the definition does not say otherwise; what comes compressed all the same is inflated. */
const defaultHeaders = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'vue-llm' }

const inflaters: Readonly<Record<string, 'createUnzip' | 'createBrotliDecompress'>> = {
  gzip: 'createUnzip',
  'x-gzip': 'createUnzip',
  deflate: 'createUnzip',
  br: 'createBrotliDecompress',
}

/**
 * One request by `node:http` or `node:https`, on a connection of its own so that `lookup` decides about it; redirects
 * are not followed. The answer's body is read no faster than its reader asks, and closes the connection when cancelled.
 * @internal
 */
export function nodeRequest(
  { method, url, headers, body }: HttpRequest,
  lookup: NodeLookup,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const target = new URL(url)
    const http = nodeModule(target.protocol === 'https:' ? 'node:https' : 'node:http')
    const request = http?.request(target, {
      method,
      headers: {
        ...defaultHeaders,
        ...headers,
        ...(body !== null && { 'content-length': `${new TextEncoder().encode(body).length}` }),
      },
      agent: false,
      lookup,
    })
    let answered: NodeAnswer | undefined
    const abort = () => void (answered ?? request)?.destroy(signal.reason)
    signal.addEventListener('abort', abort)
    request?.on('error', (error) => reject(signal.aborted ? signal.reason : error))
    request?.on('response', (answer) => {
      answered = answer
      try {
        resolve(toResponse(answer, method))
      } catch (error) {
        answer.destroy()
        reject(error)
      }
    })
    request?.on('close', () => {
      signal.removeEventListener('abort', abort)
      // Where the server switched to another protocol there is neither an answer nor an error.
      reject(new Error('closed'))
    })
    request?.end(body ?? undefined)
  })
}

function toResponse(answer: NodeAnswer, method: string): Response {
  const { statusCode: status = 0, rawHeaders } = answer
  const headers = new Headers()
  rawHeaders.forEach((value, index) => {
    const name = rawHeaders[index - 1] ?? ''
    try {
      if (index % 2) headers.append(name, value)
    } catch {
      // A header that no `Headers` may hold tells nothing here.
    }
  })
  // Not to be read: by their meaning these have no body.
  const isBare = method === 'HEAD' || /^(204|205|304)$/.test(`${status}`)
  if (isBare) answer.destroy()
  const usual = status >= 200 && status <= 599 ? status : 500
  const response = new Response(isBare ? null : readable(inflated(answer, headers)), {
    status: usual,
    headers,
  })
  return status === usual ? response : Object.defineProperty(response, 'status', { value: status })
}

/** An answer's bytes as they were before compression. */
function inflated(answer: NodeAnswer, headers: Headers): NodeStream {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || headers.get('content-length') === '0') return answer
  const zlib = nodeModule('node:zlib')
  const create = Object.hasOwn(inflaters, encoding) && inflaters[encoding]
  if (!zlib || !create) throw requestError('response could not be decoded')
  const inflate = zlib[create]()
  answer.on('error', (error) => inflate.destroy(error))
  const { destroy } = inflate
  // What is cancelled must not leave the connection open.
  inflate.destroy = (error) => {
    answer.destroy()
    return destroy.call(inflate, error)
  }
  return answer.pipe(inflate)
}

function readable(stream: NodeStream): ReadableStream<Uint8Array> {
  // Without a listener an error that comes while nobody reads would end the process.
  stream.on('error', () => {})
  const chunks = stream[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { value, done } = await chunks.next()
        if (done) out.close()
        else out.enqueue(value)
      },
      cancel: () => void stream.destroy(),
    },
    { highWaterMark: 0 },
  )
}
