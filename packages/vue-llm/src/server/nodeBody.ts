import type { AskedRequest, BodyReader } from './openAnswer'

/** What is used of a request of `node:http`. */
export interface NodeIncoming {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express: the whole path where a router has cut `url`. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: object
  /** Whether anybody has read of the body yet. */
  readonly readableDidRead: boolean
  /** What a body parser made of the body. */
  readonly body?: unknown
  iterator(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>
}

/** The body of a request: what was parsed already, or a stream that reads no faster than it is read. @internal */
export function nodeBody(
  incoming: NodeIncoming,
  parsed: unknown,
): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string | undefined {
  if (incoming.readableDidRead) {
    if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
    return typeof parsed === 'string' || parsed === undefined ? parsed : JSON.stringify(parsed)
  }
  // What is left unread must not close the connection: the refusal of a body still has to be sent.
  const chunks = incoming.iterator({ destroyOnReturn: false })
  let isCancelled = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const { value, done } = await chunks.next()
          if (isCancelled) return
          if (done) out.close()
          else out.enqueue(value as Uint8Array)
        } catch (error) {
          if (!isCancelled) out.error(error)
        }
      },
      async cancel() {
        isCancelled = true
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** A request whose body nobody has read, without a `Request` around it. @internal */
export function toAsked(incoming: NodeIncoming): AskedRequest {
  const { method = 'GET', headers } = incoming
  return {
    method,
    bodyUsed: false,
    headers: { get: (name) => [headers[name] ?? []].flat().join(', ') || null },
    body: { getReader: () => createBodyReader(incoming) },
  }
}

function createBodyReader(incoming: NodeIncoming): BodyReader {
  // What is left unread must not close the connection: the refusal of a body still has to be sent.
  const pieces = incoming.iterator({ destroyOnReturn: false })
  let release: ((end: object) => void) | undefined
  return {
    read: () =>
      new Promise((resolve, reject) => {
        release = resolve
        ;(pieces.next() as Promise<{ value?: Uint8Array }>).then(resolve, reject)
      }),
    async cancel() {
      // Nobody waits for a client that went away.
      release?.({})
      await pieces.return?.()
    },
  }
}
