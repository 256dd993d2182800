import type { WebSocketLike } from 'vue-llm'
import type { WireLog } from './wireLog'

/** The same socket, whose frames are recorded. */
export function inspectSocket(log: WireLog, url: string, socket: WebSocketLike): WebSocketLike {
  const group = log.nextGroup()
  log.add('request', group, `socket ${url}`)
  socket.addEventListener('message', ({ data }) => {
    log.add('bytes', group, `a frame of ${String(data).length} characters`)
    log.add('event', group, String(data))
  })
  socket.addEventListener('close', () => log.add('bytes', group, 'the end'))
  return {
    send(data) {
      log.add('request', group, `sent, ${data.length} characters: ${data.slice(0, 400)}`)
      socket.send(data)
    },
    close: () => socket.close(),
    addEventListener: (type, listener) => socket.addEventListener(type, listener),
  }
}
