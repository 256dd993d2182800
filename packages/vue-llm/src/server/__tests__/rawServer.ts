import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the wire. */
export interface RawRequest {
  /** `GET /path HTTP/1.1`. */
  line: string
  /** By their names in lower case. */
  headers: Record<string, string>
  body: string
}

/** An HTTP/1.1 answer as text. */
export const answer = (
  status: number,
  headers: Record<string, string> = {},
  body: string | Uint8Array = '',
): Buffer => {
  const all = { 'content-length': `${Buffer.byteLength(body)}`, connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body as string),
  ])
}

/**
 * A server of bare TCP: takes any verb, keeps what came, and answers what it is told; ends with the test. A function
 * writes its answer itself.
 */
export async function startRawServer(
  reply: Uint8Array | ((socket: Socket, request: RawRequest) => void) = answer(200, {}, 'ok'),
  host = '127.0.0.1',
) {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8')
      const [head = '', body] = text.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(
        lines.map((each) => {
          const [name = '', value = ''] = each.split(/: ?(.*)/)
          return [name.toLowerCase(), value]
        }),
      )
      if (body === undefined || Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) {
        return
      }
      text = ''
      const request = { line, headers, body }
      requests.push(request)
      if (typeof reply === 'function') reply(socket, request)
      else socket.end(reply)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    port,
    requests,
    /** Connections that are open. */
    open: () => sockets.size,
    connections: () => connections,
  }
}
