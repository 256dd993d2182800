import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DemoModelOptions } from 'vue-llm/testing'
import { WebSocketServer, type WebSocket } from 'ws'
import { createChatSocket } from './chatSocket.ts'

/** Takes over connections that ask for a WebSocket: each is a conversation with the demo model. */
export function createSocketHandler(options: DemoModelOptions) {
  const server = new WebSocketServer({ noServer: true, maxPayload: 2 ** 20 })
  const accept = (ws: WebSocket) => {
    const chat = createChatSocket(options, (text) => ws.send(text))
    ws.on('message', (data: Buffer, isBinary) => chat.receive(isBinary ? data : data.toString()))
    ws.on('close', () => chat.close())
    // A frame that breaks the protocol: without a listener it would end the dev server.
    ws.on('error', () => {})
  }
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { origin, host } = request.headers
    // Browsers open sockets across origins: only this server's own pages may.
    if (origin && new URL(origin).host !== host) return void socket.destroy()
    server.handleUpgrade(request, socket, head, accept)
  }
}
