import { eventsOf, wholeOf, type Answer } from '../wire'
import type { BenchChat } from './contenders'

/** Milliseconds from a byte to what it does. */
export interface Latency {
  firstByteToPage: number
  lastByteToPage: number
  lastByteToEnd: number
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves with the time at which the last message of the page ends with a text. */
function whenShown(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const last = document.querySelector('main')?.lastElementChild
      if (last?.className !== 'assistant' || !last.textContent?.trim().endsWith(text)) return
      observer.disconnect()
      resolve(performance.now())
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    look()
  })
}

/** Feeds an answer by hand, with pauses, so that nothing waits for a frame of something earlier. */
export async function measureLatency(
  mount: (fetch: typeof globalThis.fetch) => BenchChat,
  answer: Answer,
): Promise<Latency> {
  const { head, body, tail } = eventsOf(answer)
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(encoder.encode(text))
  const headers = { 'content-type': 'text/event-stream' }
  const chat = mount(async () => new Response(readable, { headers }))
  await sleep(300)
  const ended = Promise.resolve(chat.send()).then(() => performance.now())
  await sleep(300)

  const first = whenShown('100')
  const sentFirst = performance.now()
  await write(head.join('') + body[0])
  const firstByteToPage = (await first) - sentFirst

  await sleep(100)
  for (const event of body.slice(1, -1)) await write(event)
  await sleep(300)
  const last = whenShown(wholeOf(answer).trim())
  const sentLast = performance.now()
  void write(body.at(-1) + tail.join(''))
  void writer.close()
  const [shownAt, endedAt] = await Promise.all([last, ended])
  return {
    firstByteToPage,
    lastByteToPage: shownAt - sentLast,
    lastByteToEnd: endedAt - sentLast,
  }
}
