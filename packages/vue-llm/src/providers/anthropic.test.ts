// long: what is sent, and what is read, of one wire
import { describe, expect, it } from 'vitest'
import {
  normaliseMessages,
  type ChatRequest,
  type Chunk,
  type MessageInput,
  type PartInput,
} from '../core'
import { createAnthropicProvider, type AnthropicOwnOptions } from './anthropic'

interface Sent {
  [field: string]: unknown
  messages: { role: string; content: Record<string, unknown>[] }[]
}

function requestOf(inputs: MessageInput[], more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    messages: normaliseMessages(inputs),
    tools: [],
    signal: new AbortController().signal,
    ...more,
  }
}

/** The body that is posted; the answer is of no interest. */
async function bodyOf(
  inputs: MessageInput[],
  more: Partial<ChatRequest> = {},
  options: AnthropicOwnOptions = {},
): Promise<Sent> {
  let body = ''
  const provider = createAnthropicProvider({
    ...options,
    fetch: async (_, init) => {
      body = `${init.body}`
      return new Response('data: {"type":"message_stop"}\n\n')
    },
  })
  for await (const _ of provider.stream(requestOf(inputs, more)));
  return JSON.parse(body) as Sent
}

const hi: MessageInput[] = [{ role: 'user', content: 'hi' }]
const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }

const call = (toolCallId: string, outcome: object): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  args: { at: 'sky' },
  state: 'result',
  ...outcome,
})

describe('the body of a Messages request', () => {
  it('holds the model, a number of tokens, and nothing that was not asked for', async () => {
    expect(await bodyOf(hi)).toEqual({
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stream: true,
    })
  })

  it('holds the settings under the names of this wire', async () => {
    const settings = { temperature: 0, topP: 0.9, topK: 5, maxTokens: 7, stop: 'END', seed: 1 }
    expect(await bodyOf(hi, { system: 'be kind', settings })).toMatchObject({
      system: 'be kind',
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      max_tokens: 7,
      stop_sequences: ['END'],
    })
    expect(await bodyOf(hi, {}, { maxTokens: 9 })).toMatchObject({ max_tokens: 9 })
  })

  it.each<[string, ChatRequest['toolChoice'], boolean | undefined, unknown]>([
    ['nothing', undefined, undefined, undefined],
    ['auto', 'auto', undefined, { type: 'auto' }],
    ['none', 'none', false, { type: 'none' }],
    ['any', 'required', true, { type: 'any' }],
    [
      'a tool',
      { name: 'look' },
      false,
      { type: 'tool', name: 'look', disable_parallel_tool_use: true },
    ],
    ['one at a time', undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
  ])('sends tools, and of the choice %s', async (_, toolChoice, parallelToolCalls, sent) => {
    const more = { tools: [look], settings: {}, ...(toolChoice && { toolChoice }) }
    if (parallelToolCalls !== undefined) more.settings = { parallelToolCalls }
    const body = await bodyOf(hi, more)
    expect(body['tools']).toEqual([
      { name: 'look', description: 'Looks.', input_schema: look.parameters },
    ])
    expect(body['tool_choice']).toEqual(sent)
  })

  it('sends tools of the server beside', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    expect((await bodyOf(hi, { tools: [look] }, { serverTools: [search] }))['tools']).toHaveLength(
      2,
    )
    expect((await bodyOf(hi, {}, { serverTools: [search] }))['tools']).toEqual([search])
  })

  it('thinks with the effort, within a budget, or not at all', async () => {
    const settings = { reasoningEffort: 'high', temperature: 1, maxTokens: 100 }
    const adaptive = await bodyOf(hi, { settings })
    expect(adaptive).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
      max_tokens: 100,
    })
    expect(adaptive).not.toHaveProperty('temperature')
    const budget = await bodyOf(hi, { settings }, { thinkingBudgets: { high: 2000 } })
    expect(budget).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2000 },
      max_tokens: 2100,
    })
    expect(budget).not.toHaveProperty('output_config')
    const none = await bodyOf(hi, { settings: { reasoningEffort: 'none', temperature: 1 } })
    expect(none).toMatchObject({ thinking: { type: 'disabled' }, temperature: 1 })
    expect(none).not.toHaveProperty('output_config')
  })

  it('does not think about a call that is forced', async () => {
    const settings = { reasoningEffort: 'high', maxTokens: 100 }
    const more = { settings, tools: [look], toolChoice: 'required' } as const
    for (const thinkingBudgets of [undefined, { high: 2000 }]) {
      const body = await bodyOf(hi, more, { thinkingBudgets })
      expect(body).not.toHaveProperty('thinking')
      expect(body).toMatchObject({ max_tokens: 100 })
    }
  })

  it('asks for JSON of a shape, without what the API refuses in it', async () => {
    const schema = {
      $schema: 'x',
      type: 'object',
      properties: {
        minimum: { type: 'integer', minimum: 0, maximum: 9 },
        pattern: { type: 'string', pattern: '^a', maxLength: 3, minLength: 1, format: 'date' },
        kind: { oneOf: [{ const: 'a' }, { type: 'object', properties: {} }] },
        list: { type: 'array', items: { type: ['string', 'null'] }, maxItems: 3 },
      },
      required: ['minimum'],
    }
    const settings = { responseFormat: { type: 'json' as const, schema } }
    expect((await bodyOf(hi, { settings }))['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            minimum: { type: 'integer' },
            pattern: { type: 'string', format: 'date' },
            kind: {
              anyOf: [
                { const: 'a' },
                { type: 'object', properties: {}, additionalProperties: false },
              ],
            },
            list: { type: 'array', items: { type: ['string', 'null'] } },
          },
          required: ['minimum'],
          additionalProperties: false,
        },
      },
    })
  })

  it('sends images, documents and text files, inside or by URL', async () => {
    const file = { type: 'file' } as const
    const parts: PartInput[] = [
      { ...file, mediaType: 'image/png', data: 'iVBO' },
      { ...file, mediaType: 'image/png', url: 'https://a.example/b.png' },
      { ...file, mediaType: 'image/png', url: 'data:image/png;base64,iVBO' },
      { ...file, mediaType: 'application/pdf', data: 'JVBE', filename: 'a.pdf' },
      { ...file, mediaType: 'text/markdown', data: btoa('# \u00c3\u00a4'), filename: 'a.md' },
    ]
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBO' },
    }
    expect((await bodyOf([{ role: 'user', parts }])).messages[0]?.content).toEqual([
      image,
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      image,
      {
        type: 'document',
        title: 'a.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      },
      {
        type: 'document',
        title: 'a.md',
        source: { type: 'text', media_type: 'text/plain', data: '# ä' },
      },
    ])
  })

  it('sends results, errors and the lack of an answer before what the user says next', async () => {
    const long = 'x'.repeat(100_000)
    const parts = [
      call('a', { result: long }),
      call('b', { state: 'error', error: 'fog' }),
      call('c', { state: 'pending' }),
    ]
    const { messages } = await bodyOf([...hi, { role: 'assistant', parts }, ...hi])
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: long },
      { type: 'tool_result', tool_use_id: 'b', content: 'Error: fog', is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: expect.stringMatching(/^Error: /),
        is_error: true,
      },
      { type: 'text', text: 'hi' },
    ])
  })

  it('sends images of a result inside the result', async () => {
    const tool = {
      ...look,
      toModelOutput: () => [
        { type: 'text' as const, text: 'see' },
        { type: 'file' as const, mediaType: 'image/png', data: 'iVBO' },
      ],
    }
    const inputs = [...hi, { role: 'assistant' as const, parts: [call('a', { result: 1 })] }]
    const { messages } = await bodyOf(inputs, { tools: [tool] })
    expect(messages[2]?.content[0]?.['content']).toMatchObject([
      { type: 'text' },
      { type: 'image' },
    ])
  })

  it('leaves out thinking that was cut, and a call of the server that has no result', async () => {
    const anthropic = { type: 'server_tool_use', id: 's', name: 'web_search' }
    const parts: PartInput[] = [
      { type: 'reasoning', text: 'without signature' },
      { type: 'text', text: 'so' },
      call('s', { providerExecuted: true, state: 'pending', providerMetadata: { anthropic } }),
      {
        type: 'reasoning',
        text: 'hm',
        providerMetadata: { anthropic: { type: 'thinking', signature: 'x' } },
      },
    ]
    const { messages } = await bodyOf([...hi, { role: 'assistant', parts }, ...hi])
    expect(messages[1]?.content).toEqual([{ type: 'text', text: 'so' }])
  })
})

const event = (data: object) => `event: x\ndata: ${JSON.stringify(data)}\n\n`

async function read(events: object[], status = 200): Promise<Chunk[]> {
  const body = events.map(event).join('')
  const provider = createAnthropicProvider({
    maxRetries: 0,
    fetch: async () => new Response(body, { status }),
  })
  const chunks: Chunk[] = []
  for await (const chunk of provider.stream(requestOf(hi))) chunks.push(chunk)
  return chunks
}

const start = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } }
const delta = (fields: object, index = 0) => ({ type: 'content_block_delta', index, delta: fields })
const end = (reason: string, more: object = {}) => [
  { type: 'message_delta', delta: { stop_reason: reason, ...more }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

describe('an answer of the Messages API', () => {
  it('lets pass what it does not know: events, blocks, deltas, pings', async () => {
    const chunks = await read([
      start,
      { type: 'ping' },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'container_upload', file_id: 'f' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a' } },
      delta({ type: 'news_delta', news: 1 }, 1),
      delta({ type: 'text_delta', text: 'b' }, 1),
      { type: 'later_event', index: 1, delta: { text: 'no' } },
      { type: 'content_block_stop', index: 7 },
      ...end('end_turn'),
    ])
    expect(chunks).toEqual([
      { type: 'text-delta', text: 'ab' },
      {
        type: 'step-end',
        finishReason: 'stop',
        rawFinishReason: 'end_turn',
        usage: { inputTokens: 3, outputTokens: 9 },
      },
    ])
  })

  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['something_new', 'other'],
  ])('ends for %s as %s', async (raw, finishReason) => {
    expect((await read([start, ...end(raw)])).at(-1)).toMatchObject({
      finishReason,
      rawFinishReason: raw,
    })
  })

  it('shows why it was refused', async () => {
    const stop_details = { category: 'bio', explanation: 'That is not possible.' }
    expect(await read([start, ...end('refusal', { stop_details })])).toMatchObject([
      { type: 'text-delta', text: 'That is not possible.' },
      { finishReason: 'content-filter' },
    ])
  })

  it('fails in the middle with the words of the API', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const chunks = await read([start, delta({ text: 'a' }), error, ...end('end_turn')])
    expect(chunks).toMatchObject([
      { type: 'text-delta', text: 'a' },
      { type: 'error', code: 'provider', message: 'Overloaded' },
      { type: 'step-end', finishReason: 'error' },
    ])
  })

  it('is not gone on with for ever where the server pauses it each time', async () => {
    let requests = 0
    const events = [
      { type: 'content_block_delta', index: 0, delta: { text: 'a' } },
      { type: 'message_delta', delta: { stop_reason: 'pause_turn' } },
      { type: 'message_stop' },
    ]
    const provider = createAnthropicProvider({
      async fetch() {
        requests++
        return new Response(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''))
      },
    })
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(requestOf(hi))) chunks.push(chunk)
    expect(requests).toBe(17)
    expect(chunks.at(-1)).toMatchObject({ type: 'step-end', rawFinishReason: 'pause_turn' })
  })

  it('is cut where it stops before its end, and no call of it is whole', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'look', input: {} }
    const chunks = await read([
      start,
      { type: 'content_block_start', index: 0, content_block: use },
      delta({ partial_json: '{}' }),
      { type: 'content_block_stop', index: 0 },
    ])
    expect(chunks.map(({ type }) => type)).not.toContain('tool-call-end')
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'truncated' })
  })

  it('takes arguments in pieces, whatever a piece looks like', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'look', input: {} }
    const chunks = await read([
      start,
      { type: 'content_block_start', index: 0, content_block: use },
      ...['', '{"at":', '{}', '}'].map((partial_json) => delta({ partial_json })),
      { type: 'content_block_stop', index: 0 },
      ...end('tool_use'),
    ])
    expect(chunks[1]).toMatchObject({ type: 'tool-call-delta', argsText: '{"at":{}}' })
  })

  it('takes arguments that come with the start of a call', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } }
    for (const stop of [[], [{ type: 'content_block_stop', index: 0 }]]) {
      const begin = { type: 'content_block_start', index: 0, content_block: use }
      expect(await read([start, begin, ...stop, ...end('tool_use')])).toMatchObject([
        { type: 'tool-call-start' },
        { type: 'tool-call-delta', argsText: '{"at":"sky"}' },
        { type: 'tool-call-end' },
        { type: 'step-end' },
      ])
    }
  })

  it('gives what it cites as sources at its end, each once', async () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A' }
    const chunks = await read([
      start,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      delta({ citation }),
      delta({ text: 'It is ' }),
      delta({ citation: { type: 'char_location', document_title: 'a.txt' } }),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'text', text: 'blue.', citations: [citation] },
      },
      ...end('end_turn'),
    ])
    expect(chunks).toMatchObject([
      { type: 'text-delta', text: 'It is blue.' },
      { type: 'source', url: 'https://a.example', title: 'A' },
      { type: 'step-end' },
    ])
  })

  it('counts what comes from a cache as input', async () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 100,
      output_tokens: 1,
    }
    const after = {
      input_tokens: null,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    }
    const chunks = await read([
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: after },
    ])
    expect(chunks).toMatchObject([
      {
        usage: { inputTokens: 113, outputTokens: 9, cachedInputTokens: 100, reasoningTokens: 4 },
      },
    ])
  })

  it('may come whole, asked for or not', async () => {
    const message = {
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 9 },
    }
    let sent = ''
    const provider = createAnthropicProvider({
      fetch: async (_, init) => {
        sent = `${init.body}`
        return Response.json(message)
      },
    })
    const chunks = await provider.complete?.(requestOf(hi))
    expect(JSON.parse(sent)).not.toHaveProperty('stream')
    const expected = [
      {
        type: 'reasoning-delta',
        text: 'Hm.',
        providerMetadata: { anthropic: { type: 'thinking', signature: 's' } },
      },
      { type: 'text-delta', text: 'I look.' },
      { type: 'tool-call-start', toolCallId: 'a', toolName: 'look' },
      { type: 'tool-call-delta', argsText: '{"at":"sky"}' },
      { type: 'tool-call-end', toolCallId: 'a' },
      { type: 'step-end', finishReason: 'tool-calls', usage: { inputTokens: 3, outputTokens: 9 } },
    ]
    expect(chunks).toMatchObject(expected)
    const streamed: Chunk[] = []
    for await (const chunk of provider.stream(requestOf(hi))) streamed.push(chunk)
    expect(streamed).toMatchObject(expected)
  })
})
