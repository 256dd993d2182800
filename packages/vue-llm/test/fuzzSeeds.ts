import type { Chunk } from '../src/core'
import { hasKit } from './conformanceKit'
import { streamEntries } from './recordedStreams'
import { vendorWires } from './vendorWires'

/** A good answer to begin with, and the tools that its calls name. */
export interface Seed {
  text: string
  tools: readonly string[]
}

/** What any vendor may say in one answer. */
const answer: Chunk[] = [
  { type: 'reasoning-delta', text: 'hm 🤔' },
  { type: 'text-delta', text: 'Let me “look”.\n' },
  { type: 'tool-call-start', toolCallId: 'a', toolName: 'look' },
  { type: 'tool-call-delta', toolCallId: 'a', argsText: '{"x":' },
  { type: 'tool-call-delta', toolCallId: 'a', argsText: '1}' },
  { type: 'tool-call-end', toolCallId: 'a' },
  {
    type: 'tool-call-end',
    toolCallId: 'b',
    toolName: 'find',
    args: { at: ['the "sea"', 'é', { deep: null }], n: -1.5e3 },
  },
  { type: 'tool-call-end', toolCallId: 'c', toolName: 'look', args: {} },
  { type: 'step-end', finishReason: 'tool-calls' },
]

const sse = (events: object[]) => events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const part = (one: object) => ({ candidates: [{ content: { parts: [one] } }] })
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const item = (output_index: number, fields: object) => [
  { type: 'response.output_item.added', output_index, item: fields },
  { type: 'response.output_item.done', output_index, item: fields },
]
const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] })

/** What only that vendor says. */
const own: Readonly<Record<string, readonly string[]>> = {
  openai: [
    sse([
      delta({
        reasoning: 'h',
        reasoning_details: [{ type: 'reasoning.text', text: 'h', index: 0 }],
      }),
      delta({
        content: [
          { type: 'text', text: 'I ' },
          { type: 'thinking', thinking: [{ text: 'm' }] },
        ],
      }),
      delta({ annotations: [{ url_citation: { url: 'https://a.example', title: 'A' } }] }),
      delta({ images: [{ image_url: { url: 'data:image/png;base64,iVBO' } }], refusal: 'No.' }),
      delta({ tool_calls: [{ id: 'a', function: { name: 'look', arguments: { x: 1 } } }] }),
      delta({ tool_calls: [{ id: 'b', function: { name: 'find', arguments: '{"at":1}' } }] }),
      { choices: [{ finish_reason: 'tool_calls' }], x_groq: { usage: { prompt_tokens: 3 } } },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    ]),
    JSON.stringify({
      choices: [
        {
          message: { content: 'Hi', function_call: { name: 'look', arguments: '{}' } },
          finish_reason: 'function_call',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } },
    }),
  ],
  responses: [
    sse([
      ...item(0, { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} }),
      ...item(1, { type: 'image_generation_call', id: 'ig_1', result: 'iVBO' }),
      ...item(2, { type: 'mcp_call', id: 'mcp_1', name: 'm', arguments: '{}', error: 'no' }),
      { type: 'response.refusal.delta', output_index: 3, content_index: 0, delta: 'No.' },
      {
        type: 'response.completed',
        response: {
          status: 'completed',
          usage: { input_tokens: 3, output_tokens: 2, output_tokens_details: {} },
        },
      },
    ]),
  ],
  anthropic: [
    sse([
      { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
      ...block(0, { type: 'redacted_thinking', data: 'xyz' }),
      ...block(
        1,
        { type: 'text', text: '' },
        { type: 'citations_delta', citation: { url: 'https://a.example', title: 'A' } },
        { type: 'text_delta', text: 'So.' },
      ),
      ...block(2, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      ...block(3, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ url: 'https://a.example' }],
      }),
      { type: 'ping' },
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_details: { explanation: 'no' } },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ]),
  ],
  gemini: [
    sse([
      part({ functionCall: { name: 'find', willContinue: true } }),
      ...['the s', 'ea'].map((stringValue) =>
        part({
          functionCall: {
            partialArgs: [{ jsonPath: '$.at[0].name', stringValue, willContinue: true }],
            willContinue: true,
          },
        }),
      ),
      part({ functionCall: {} }),
      part({ executableCode: { language: 'PYTHON', code: 'print(1)' } }),
      part({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }),
      part({ inlineData: { mimeType: 'image/png', data: 'iVBO' } }),
      {
        candidates: [
          {
            finishReason: 'STOP',
            groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example' } }] },
          },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
      },
    ]),
  ],
}

/** What the kit calls the wires. */
const formats: Readonly<Record<string, string>> = {
  openai: 'openai-chat',
  responses: 'openai-responses',
}

/** Good answers of a vendor: ours, and what was recorded where the kit is. */
export function seedsOf(name: string): Seed[] {
  const wire = vendorWires[name]
  const write = wire?.startAnswer()
  const ours = [write ? answer.map(write).join('') : '', ...(own[name] ?? [])]
  const recorded = hasKit ? streamEntries(formats[name] ?? name) : []
  return [
    ...ours.map((text) => ({ text, tools: ['look', 'find'] })),
    ...recorded
      .filter(({ status, body }) => status === 200 && body.length < 20_000)
      .map(({ body, tools }) => ({ text: body.toString(), tools })),
  ]
}
