import type { WebSocketLike } from 'vue-llm'
import { pageSocket } from '../pageSocket'
import type { RequestRecord } from './recordRequests'

/** Opens sockets whose frames are shown as requests and answers are. */
export function recordSocket(record: RequestRecord): (url: string) => WebSocketLike {
  return (url) => {
    const socket = pageSocket(url)
    let sent: ReturnType<RequestRecord['begin']> | undefined
    socket.addEventListener('message', ({ data }) => {
      if (sent) sent.answer += `${String(data)}\n`
    })
    return {
      send(data) {
        sent = record.begin(`WebSocket ${new URL(url).pathname}`, data)
        sent.outcome = 'a frame for each event'
        socket.send(data)
      },
      close: () => socket.close(),
      addEventListener: (type, listener) => socket.addEventListener(type, listener),
    }
  }
}
