import type { WebSocketLike } from 'vue-llm'
import { isAlone } from './pageFetch'
import { inspectSocket } from './wire/inspectSocket'
import { wireLog } from './wire/wireLog'

/** What a page that stands alone has in place of its server's socket. */
function openInPage(): WebSocketLike {
  const listeners = new EventTarget()
  const tell = (type: string, data?: string) =>
    listeners.dispatchEvent(new MessageEvent(type, { data }))
  const opened = import('./inPage/chatInPage').then(({ chatInPage }) =>
    chatInPage((text) => tell('message', text)),
  )
  opened.then(() => tell('open')).catch(() => tell('error'))
  return {
    send: (data) => void opened.then((chat) => chat.receive(data)),
    close: () =>
      void opened.then((chat) => {
        chat.close()
        tell('close')
      }),
    addEventListener: (type, listener) => listeners.addEventListener(type, listener),
  }
}

/** Opens every socket of the page. */
export function pageSocket(url: string): WebSocketLike {
  const isOwn = new URL(url).host === location.host
  return inspectSocket(wireLog, url, isAlone && isOwn ? openInPage() : new WebSocket(url))
}
