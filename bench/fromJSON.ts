import { createMessage, fromJSON, toJSON } from 'vue-llm/core'
import { medians, ratio, type Row } from './measure'

const count = 10_000

/** A stored chat: every fourth message is an answer with a call. */
const text = JSON.stringify(
  toJSON(
    Array.from({ length: count }, (_, index) => {
      const content = `Message ${index}: ${'lorem ipsum '.repeat(16)}`
      if (index % 4 !== 3) return createMessage(index % 2 ? 'assistant' : 'user', { content })
      return createMessage('assistant', {
        parts: [
          {
            type: 'tool-call',
            toolCallId: `call_${index}`,
            toolName: 'find',
            args: { words: `item ${index}`, limit: 10 },
            state: 'result',
            result: { items: [{ id: index, name: `item ${index}` }] },
            step: 0,
          },
          { type: 'text', text: content, step: 1 },
        ],
        steps: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
      })
    }),
  ),
)

/** What loading a stored chat costs, beside reading its text alone. */
export async function* fromJSONSuite(): AsyncGenerator<Row> {
  const [parsed = 0, loaded = 0] = await medians([() => JSON.parse(text), () => fromJSON(text)])
  yield {
    what: `a chat of ${count} messages`,
    value: loaded,
    unit: 'ms',
    against: ratio(loaded, parsed, 'JSON.parse'),
  }
}
