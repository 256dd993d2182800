// long: one example of every state of every part
import type { Message, Part, Step, ToolCallPart, ToolErrorCode } from 'vue-llm'

/** A message to look at, and what is to be seen. */
export interface StateExample {
  title: string
  message: Message
  isBusy?: boolean
}

let count = 0

function answer(parts: Part[], steps: Step[] = [{ finishReason: 'stop' }]): Message {
  return { id: `state-${count++}`, role: 'assistant', parts, steps, createdAt: 0 }
}

function call(fields: Partial<ToolCallPart>): ToolCallPart {
  const args = fields.args ?? { city: 'Paris' }
  return {
    type: 'tool-call',
    toolCallId: `state-call-${count++}`,
    toolName: 'get_weather',
    args,
    argsText: JSON.stringify(args),
    state: 'pending',
    step: 0,
    ...fields,
  }
}

const text = (value: string, state: 'streaming' | 'done' = 'done'): Part => ({
  type: 'text',
  text: value,
  state,
  step: 0,
})

const markdown = `A paragraph with **strong**, *emphasised* and \`code\` words, and [a link](https://vuejs.org).

## A heading

1. First, a list
2. with two items
   - and one below

> A quotation.

| City | Sky | Degrees |
|:--|:--|--:|
| Paris | clear | 21 |
| Rome | partly cloudy | 26 |

\`\`\`ts
const chat = useChat({ provider, model: 'demo', tools })
\`\`\`

HTML from a model stays text: <b onclick="alert(1)">bold</b>`

/** A small PNG, base64. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAAoElEQVR42mPgzQ4XyI8WKY4TL0+Sqk6Trc9UbM5V' +
  'aS9Q7y7R7q/Qm1xtOL2eQagwRrQ0QbIyRaY2Xb4xW6k1X62zSLO3TGdipcHUWuOZjWZzWxjwGGA6u9lifpv14i4G' +
  'PAZYLuywXdrjsLKfAY8Bdst7nVZPdF0/lQGPAc5rJ7tvnOa1dRYDHgM8Ns/w2T7Hf/cCBjwG+O6cF7B3YcjBpQAB' +
  'Z3mpKmf1ogAAAABJRU5ErkJggg=='

const waits: Step[] = [{ finishReason: 'tool-calls' }]

const texts: StateExample[] = [
  {
    title: 'user',
    message: {
      id: 'state-user',
      role: 'user',
      parts: [
        text('What is in this picture?\nIt is called swatch.png.'),
        {
          type: 'file',
          mediaType: 'image/png',
          data: picture,
          filename: 'swatch.png',
          step: 0,
        },
      ],
      steps: [],
      createdAt: 0,
    },
  },
  {
    title: 'text, streaming',
    isBusy: true,
    message: answer([text('The answer grows while you', 'streaming')], []),
  },
  { title: 'text, done', message: answer([text(markdown)]) },
  {
    title: 'reasoning, streaming',
    isBusy: true,
    message: answer(
      [{ type: 'reasoning', text: 'Two cities, so two calls', state: 'streaming', step: 0 }],
      [],
    ),
  },
  {
    title: 'reasoning, done',
    message: answer([
      { type: 'reasoning', text: 'Two cities, so two calls.', state: 'done', step: 0 },
      text('Let me look.'),
    ]),
  },
]

const calls: StateExample[] = [
  {
    title: 'tool call, streaming',
    isBusy: true,
    message: answer(
      [call({ state: 'streaming', args: { city: 'Reyk' }, argsText: '{"city":"Reyk' })],
      [],
    ),
  },
  { title: 'tool call, pending', isBusy: true, message: answer([call({})], waits) },
  {
    title: 'tool call, pending, approval requested',
    message: answer(
      [
        call({
          toolName: 'delete_file',
          args: { path: 'report.txt' },
          approval: { state: 'requested' },
        }),
      ],
      waits,
    ),
  },
  {
    title: 'tool call, pending, approved',
    isBusy: true,
    message: answer(
      [
        call({
          toolName: 'delete_file',
          args: { path: 'report.txt' },
          approval: { state: 'approved' },
        }),
      ],
      waits,
    ),
  },
  {
    title: 'tool call, pending, a person answers',
    message: answer([call({ toolName: 'ask_color', args: { question: 'the new logo' } })], waits),
  },
  {
    title: 'tool call, running with progress',
    isBusy: true,
    message: answer(
      [call({ state: 'running', progress: { label: 'Asking the station', percent: 55 } })],
      waits,
    ),
  },
  {
    title: 'tool call, result',
    message: answer(
      [
        call({
          state: 'result',
          result: { city: 'Paris', temperature: 21, condition: 'clear', humidity: 48 },
        }),
      ],
      waits,
    ),
  },
  {
    title: 'tool call, result given by a person',
    message: answer(
      [
        call({
          toolName: 'ask_color',
          args: { question: 'the new logo' },
          state: 'result',
          result: { color: '#2f7d6b' },
          answeredBy: 'person',
        }),
      ],
      waits,
    ),
  },
  {
    title: 'tool call, result of the model’s side',
    message: answer([
      call({
        toolName: 'web_search',
        args: { query: 'vue 3.5' },
        providerExecuted: true,
        state: 'result',
        result: 'Vue 3.5 is out.',
      }),
    ]),
  },
]

const errors: [code: ToolErrorCode | undefined, error: string][] = [
  [undefined, 'the service answered 503: try again later'],
  ['declined', 'not today'],
  ['stopped', 'stopped by the user'],
  ['limit', 'tool round limit reached'],
  ['unanswered', 'no answer was given'],
  ['interrupted', 'interrupted before there was a result'],
  ['unknown-tool', "unknown tool 'get_wether'"],
  ['cut', 'the answer ended before this call could run'],
  ['invalid-args', 'city: expected a string'],
  ['timeout', 'timed out after 5000 ms'],
]

const failures: StateExample[] = errors.map(([errorCode, error]) => ({
  title: `tool call, error${errorCode ? `, ${errorCode}` : ''}`,
  message: answer(
    [call({ toolName: 'some_tool', state: 'error', error, ...(errorCode && { errorCode }) })],
    waits,
  ),
}))

const others: StateExample[] = [
  {
    title: 'file, source, data',
    message: answer([
      { type: 'file', mediaType: 'image/png', data: picture, filename: 'swatch.png', step: 0 },
      {
        type: 'file',
        mediaType: 'application/pdf',
        url: 'https://example.com/report.pdf',
        filename: 'report.pdf',
        step: 0,
      },
      { type: 'source', url: 'https://vuejs.org/guide/', title: 'Vue guide', step: 0 },
      { type: 'data', name: 'plan', data: { steps: ['look', 'think', 'answer'] }, step: 0 },
    ]),
  },
  {
    title: 'rounds with usage, every reason',
    message: answer(
      [text('Each round says why it ended.')],
      [
        {
          finishReason: 'tool-calls',
          rawFinishReason: 'tool_calls',
          usage: { inputTokens: 120, outputTokens: 18 },
        },
        {
          finishReason: 'stop',
          usage: { inputTokens: 160, outputTokens: 42, reasoningTokens: 12 },
        },
        { finishReason: 'length' },
        { finishReason: 'content-filter' },
        { finishReason: 'stopped' },
        { finishReason: 'error', error: { code: 'provider', message: 'the server is overloaded' } },
        { finishReason: 'truncated' },
        { finishReason: 'other', rawFinishReason: 'eos' },
      ],
    ),
  },
]

/** Every state of every part, in groups. */
export const stateExamples: readonly { title: string; examples: StateExample[] }[] = [
  { title: 'Text and reasoning', examples: texts },
  { title: 'Tool calls', examples: calls },
  { title: 'Tool calls that end in an error', examples: failures },
  { title: 'Everything else', examples: others },
]
