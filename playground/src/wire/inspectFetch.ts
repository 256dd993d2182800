import { createSplitter, dataOf } from './splitEvents'
import type { WireLog } from './wireLog'

/** What sends a request. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** A `fetch` whose requests, reads and events are recorded; while nothing is recorded it is out of the way. */
export function inspectFetch(log: WireLog, doFetch: Fetch): Fetch {
  return async (url, init) => {
    if (!log.isRecording.value) return doFetch(url, init)
    const group = log.nextGroup()
    const body = typeof init?.body === 'string' ? init.body : ''
    const size = body && `, ${body.length} characters: ${body.slice(0, 400)}`
    log.add('request', group, `${init?.method ?? 'GET'} ${url}${size}`)
    try {
      const response = await doFetch(url, init)
      const type = response.headers.get('content-type') ?? ''
      log.add('request', group, `answered ${response.status} ${type}`, response.status)
      if (!response.body) return response
      const { status, statusText, headers } = response
      return new Response(record(log, group, response.body), { status, statusText, headers })
    } catch (error) {
      log.add('request', group, `no answer: ${String(error)}`)
      throw error
    }
  }
}

/** The same bytes, each read of which is recorded. */
function record(log: WireLog, group: number, body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const split = createSplitter()
  const addEvents = (text: string) => {
    for (const event of split(text)) log.add('event', group, event, dataOf(event))
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (value) log.add('bytes', group, `${value.length} bytes`)
          addEvents(decoder.decode(value, { stream: !done }))
          if (value) return controller.enqueue(value)
          // What was not ended by an empty line.
          addEvents('\n\n')
          log.add('bytes', group, 'the end')
          controller.close()
        } catch (error) {
          log.add('bytes', group, `broke off: ${String(error)}`)
          controller.error(error)
        }
      },
      cancel(reason) {
        log.add('bytes', group, 'cancelled by the reader')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
