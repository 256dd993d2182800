import { reactive } from 'vue'
import { applyChunk, createMessage, type Chunk, type Message } from 'vue-llm/core'
import { medians, ratio, type Row } from './measure'

const count = 10_000
const deltas = Array.from({ length: count }, (_, index): Chunk => ({
  type: 'text-delta',
  text: `word${index} `,
}))
const calls = Array.from({ length: count / 5 }, (_, index): Chunk[] => {
  const toolCallId = `call_${index}`
  return [
    { type: 'tool-call-start', toolCallId, toolName: 'f' },
    { type: 'tool-call-delta', toolCallId, argsText: '{"x":' },
    { type: 'tool-call-delta', toolCallId, argsText: '"value"}' },
    { type: 'tool-call-end', toolCallId },
    { type: 'tool-result', toolCallId, result: 'ok' },
  ]
}).flat()

const apply = (message: Message, chunks: readonly Chunk[]): void => {
  for (const chunk of chunks) applyChunk(message, chunk)
}

/** What one chunk costs, on a plain object and on what Vue made of one. */
export async function* applyChunkSuite(): AsyncGenerator<Row> {
  let text = ''
  const [joined = 0, plain = 0, proxied = 0, called = 0] = await medians([
    () => {
      text = ''
      for (const chunk of deltas) if (chunk.type === 'text-delta') text += chunk.text
    },
    () => apply(createMessage('assistant'), deltas),
    () => apply(reactive(createMessage('assistant')), deltas),
    () => apply(createMessage('assistant'), calls),
  ])
  const each = 1e6 / count
  const against = (value: number) => ratio(value, joined, 'joining strings')
  yield { what: 'a text delta', value: plain * each, unit: 'ns', against: against(plain) }
  yield {
    what: 'a text delta, reactive',
    value: proxied * each,
    unit: 'ns',
    against: against(proxied),
  }
  yield { what: `a chunk of one of ${count / 5} calls`, value: called * each, unit: 'ns' }
}
