import { createOpenAIProvider } from 'vue-llm/providers'
import { medians, ratio, type Row } from './measure'

const request = { model: 'm', messages: [], tools: [], signal: new AbortController().signal }
const count = 5_000

/** The bytes of an answer of Chat Completions, `perRead` events in each network read. */
function reads(perRead: number): Uint8Array[] {
  const encoder = new TextEncoder()
  const events = Array.from({ length: count }, (_, index) => {
    const choices = [{ index: 0, delta: { content: `word${index} ` }, finish_reason: null }]
    return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', choices })}\n\n`
  })
  events.push('data: [DONE]\n\n')
  return Array.from({ length: Math.ceil(events.length / perRead) }, (_, index) =>
    encoder.encode(events.slice(index * perRead, (index + 1) * perRead).join('')),
  )
}

function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next++]
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}

/** What one would write by hand, without any care. */
async function byHand(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
      const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content: string } }[] }
      text += choices[0]?.delta.content ?? ''
    }
  }
}

/** Bytes to chunks, against a loop written by hand that only adds up the text. */
export async function* sseToChunks(): AsyncGenerator<Row> {
  for (const perRead of [1, 10, 100]) {
    const pieces = reads(perRead)
    const provider = createOpenAIProvider({ fetch: async () => new Response(bodyOf(pieces)) })
    const [hand = 0, ours = 0] = await medians([
      () => byHand(bodyOf(pieces)),
      async () => {
        let text = ''
        for await (const chunk of provider.stream(request)) {
          if (chunk.type === 'text-delta') text += chunk.text
        }
        return text
      },
    ])
    const what = `an event, ${perRead} in a network read`
    yield { what, value: (ours * 1e6) / count, unit: 'ns', against: ratio(ours, hand, 'by hand') }
  }
}
