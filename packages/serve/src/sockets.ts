import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createLLMSocket, type LLMSocket, type LLMSocketOptions } from 'vue-llm/server'
import { WebSocketServer, type WebSocket } from 'ws'

/** A frame above this closes its connection; below, it is answered with an error. */
const maxFrameBytes = 16 * 2 ** 20

/** What a client may be behind before answers wait for it. */
const maxBufferedBytes = 2 ** 20

const stopping = 'the server is stopping'

/** Milliseconds between two looks whether clients are still there. */
const heartbeatMs = 30_000

/** The conversations over WebSockets. */
export interface Sockets {
  /** Takes over a connection that asked for a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** How many are open, and how many of them answer just now. */
  count(): { open: number; busy: number }
  /** Closes those that rest, and each of the others once it rests. */
  drain(): void
  /** Closes all. */
  close(): void
}

/** Makes a conversation out of each WebSocket. */
export function createSockets(options: () => Omit<LLMSocketOptions, 'send'>): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    // Costs more memory a socket than everything else together.
    perMessageDeflate: false,
  })
  const chats = new Map<WebSocket, LLMSocket>()
  const silent = new WeakSet<WebSocket>()
  let draining: ReturnType<typeof setInterval> | undefined

  const beat = setInterval(() => {
    for (const ws of chats.keys()) {
      if (silent.has(ws)) ws.terminate()
      silent.add(ws)
      ws.ping()
    }
  }, heartbeatMs)
  beat.unref()

  const closeRested = () => {
    for (const [ws, { isBusy }] of chats) if (!isBusy) ws.close(1001, stopping)
  }

  function accept(ws: WebSocket): void {
    const send = (text: string): void | Promise<void> => {
      if (ws.bufferedAmount < maxBufferedBytes) return ws.send(text)
      // Nor is more taken of a client that does not read: each frame may be answered.
      ws.pause()
      return new Promise((resolve, reject) => {
        ws.send(text, (error) => {
          ws.resume()
          if (error) reject(error)
          else resolve()
        })
      })
    }
    const chat = createLLMSocket({ ...options(), send })
    chats.set(ws, chat)
    ws.on('message', (data: Buffer, isBinary) => {
      if (!draining) return chat.receive(isBinary ? data : data.toString())
      void send(JSON.stringify({ type: 'error', message: stopping, refused: true }))?.catch(
        () => {},
      )
    })
    ws.on('pong', () => silent.delete(ws))
    // Frames that break the protocol: `close` follows.
    ws.on('error', () => {})
    ws.on('close', () => {
      chat.close()
      chats.delete(ws)
    })
  }

  return {
    upgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, accept),
    count: () => ({
      open: chats.size,
      busy: [...chats.values()].filter(({ isBusy }) => isBusy).length,
    }),
    drain() {
      draining ??= setInterval(closeRested, 50).unref()
      closeRested()
    },
    close() {
      clearInterval(beat)
      clearInterval(draining)
      for (const ws of chats.keys()) ws.terminate()
      server.close()
    },
  }
}
