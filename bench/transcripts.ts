import { createMessage, nextStep, normaliseMessages, type Message } from 'vue-llm/core'
import { toOpenAIBody } from '../packages/vue-llm/src/providers/openaiRequest'
import { medians, ratio, type Row } from './measure'

/** A chat of so many messages; each answer thought, called a tool and spoke. */
function transcript(length: number): Message[] {
  return normaliseMessages(
    Array.from({ length }, (_, index) =>
      index % 2
        ? {
            ...createMessage('assistant'),
            parts: [
              { type: 'reasoning', text: 'Hm.', state: 'done', step: 0 },
              {
                type: 'tool-call',
                toolCallId: `call_${index}`,
                toolName: 'f',
                args: { city: 'Oslo', days: 3 },
                argsText: '',
                state: 'result',
                result: { rows: [1, 2, 3] },
                step: 0,
              },
              { type: 'text', text: 'It is cold. '.repeat(20), state: 'done', step: 1 },
            ],
            steps: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
          }
        : { role: 'user', content: `How is the weather, for the ${index}th time?` },
    ),
  )
}

/** What decides how a chat goes on, over chats of any length. */
export async function* nextStepSuite(): AsyncGenerator<Row> {
  const times = 10_000
  let first = 0
  for (const length of [10, 100, 1000]) {
    const messages = transcript(length)
    const [ms = 0] = await medians([
      () => {
        for (let time = 0; time < times; time++) nextStep(messages)
      },
    ])
    const against = first ? ratio(ms, first, '10 messages') : ''
    first ||= ms
    yield { what: `${length} messages`, value: (ms * 1e6) / times, unit: 'ns', against }
  }
}

/** The body of a request, against writing the same as JSON, which is done with it anyway. */
export async function* toOpenAIBodySuite(): AsyncGenerator<Row> {
  const { signal } = new AbortController()
  const request = { model: 'm', messages: transcript(1000), tools: [], signal }
  const body = toOpenAIBody(request, {}, true)
  const [built = 0, written = 0] = await medians([
    () => toOpenAIBody(request, {}, true),
    () => JSON.stringify(body),
  ])
  yield {
    what: '1000 messages',
    value: built,
    unit: 'ms',
    against: ratio(built, written, 'JSON.stringify of it'),
  }
}
