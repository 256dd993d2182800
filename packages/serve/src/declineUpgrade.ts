import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Answers a request that offers to change the protocol (HTTP/2, as Java's client and `curl --http2` do with every
 * request) as if it had not: once a server takes WebSockets, Node hands over all of these bare.
 */
export function declineUpgrade(
  server: Server,
  { method, url, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/1.1`, 'connection: close']
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (/^(upgrade|connection|http2-settings)$/i.test(name)) continue
    lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
