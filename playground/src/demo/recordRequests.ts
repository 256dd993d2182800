import { ref, shallowReactive } from 'vue'
import { pageFetch } from '../pageFetch'
import type { Fetch } from '../wire/inspectFetch'

/** A request of a chat, and what came back. */
export interface SentRequest {
  readonly id: number
  /** Method and path. */
  readonly line: string
  /** As it was sent. */
  readonly body: string
  /** Status and type of the answer, once there is one. */
  outcome: string
  /** What has arrived of it. */
  answer: string
}

/** A page shows what was just sent, not all that ever was. */
const maxRequests = 12
const maxChars = 100_000

/** The requests of one chat. */
export type RequestRecord = ReturnType<typeof recordRequests>

/** A `fetch` for one chat, and what went through it. */
export function recordRequests() {
  const requests = ref<SentRequest[]>([])
  let count = 0

  function begin(line: string, body: string): SentRequest {
    const sent = shallowReactive({ id: count++, line, body, outcome: '', answer: '' })
    requests.value = [...requests.value.slice(1 - maxRequests), sent]
    return sent
  }

  const fetch: Fetch = async (url, init) => {
    const sent = begin(`${init?.method ?? 'GET'} ${url}`, String(init?.body ?? ''))
    const response = await pageFetch(url, init)
    const { status, statusText, headers } = response
    sent.outcome = `${status} ${headers.get('content-type') ?? ''}`
    if (!response.body) return response
    const decoder = new TextDecoder()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          if (sent.answer.length < maxChars) sent.answer += decoder.decode(bytes, { stream: true })
          controller.enqueue(bytes)
        },
      }),
    )
    return new Response(body, { status, statusText, headers })
  }

  return { requests, begin, fetch, forget: () => void (requests.value = []) }
}
