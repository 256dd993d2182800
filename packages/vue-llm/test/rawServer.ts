import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A request as it stood on the wire. */
export interface WireRequest {
  /** The request line. */
  line: string
  /** Names as they were sent. */
  headers: [string, string][]
  body: string
}

/** A TCP server that understands no HTTP but the frame of a message, so that any verb passes. */
export interface RawServer {
  origin: string
  port: number
  requests: WireRequest[]
  /** What is written back, as bytes of a whole answer; a function may write by itself. */
  answer: string | ((socket: Socket, request: WireRequest) => void)
  close(): Promise<void>
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'

/** Starts one on a free port. */
export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let bytes = Buffer.alloc(0)
    let done = false
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data])
      const end = bytes.indexOf('\r\n\r\n')
      if (done || end < 0) return
      const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
      const headers = fields.map((field): [string, string] => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon), field.slice(colon + 1).replace(/^ /, '')]
      })
      const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '0'
      const body = bytes.subarray(end + 4)
      if (body.length < Number(length)) return
      done = true
      const request = { line, headers, body: body.toString() }
      raw.requests.push(request)
      if (typeof raw.answer === 'function') raw.answer(socket, request)
      else socket.end(raw.answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const raw: RawServer = {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    answer: ok,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return raw
}
