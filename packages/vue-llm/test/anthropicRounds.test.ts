import { describe, expect, it, onTestFinished } from 'vitest'
import { createAnthropicProvider, useChat, type AnyTool, type MessageInput } from 'vue-llm'
import { allCalls, textsOf } from './chatOn'
import { anthropicProblems, type AnthropicBody } from './strictVendors'
import { startVendorServer, type VendorAnswer } from './vendorServer'

const start = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } }
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const thinking = (index: number, text: string, signature: string) =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: text },
    { type: 'signature_delta', signature },
  )
const text = (index: number, said: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: said })
const use = (index: number, id: string, json = '{}') =>
  block(
    index,
    { type: 'tool_use', id, name: 'look', input: {} },
    { type: 'input_json_delta', partial_json: json },
  )
const stop = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

const look: AnyTool = { name: 'look', execute: ({ at }: { at?: string }) => `${at} is blue` }

async function chatOn(
  answers: VendorAnswer[],
  initialMessages: MessageInput[] = [],
  tools: AnyTool[] = [look],
) {
  const server = await startVendorServer<AnthropicBody>(answers, anthropicProblems)
  const provider = createAnthropicProvider({
    baseURL: server.baseURL,
    apiKey: 'secret-key',
    maxRetries: 0,
  })
  const chat = useChat({ provider, model: 'claude', tools, initialMessages })
  onTestFinished(chat.stop)
  return { server, ...chat }
}

describe('a chat with Anthropic, over HTTP', () => {
  it('keeps its thinking through several rounds of tools', async () => {
    const chat = await chatOn([
      [
        start,
        ...thinking(0, 'First the sky.', 's1'),
        ...use(1, 'a', '{"at":"sky"}'),
        ...use(2, 'b', '{"at":"sea"}'),
        ...stop('tool_use'),
      ],
      [
        start,
        ...block(0, { type: 'redacted_thinking', data: 'xyz' }),
        ...thinking(1, '', 's2'),
        ...text(2, 'Now the hill.'),
        ...use(3, 'c'),
        ...stop('tool_use'),
      ],
      [start, ...text(0, 'All blue.'), ...stop('end_turn')],
      [start, ...text(0, 'Bye.'), ...stop('end_turn')],
    ])
    await chat.sendMessage('look')
    expect(chat.error.value).toBeUndefined()
    expect(chat.server.seen[2]?.body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'First the sky.', signature: 's1' },
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 'sky' } },
          { type: 'tool_use', id: 'b', name: 'look', input: { at: 'sea' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'sky is blue' },
          { type: 'tool_result', tool_use_id: 'b', content: 'sea is blue' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'thinking', thinking: '', signature: 's2' },
          { type: 'text', text: 'Now the hill.' },
          { type: 'tool_use', id: 'c', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: 'undefined is blue' }],
      },
    ])
    await chat.sendMessage('bye')
    expect(textsOf(chat)).toEqual(['look', 'Now the hill.All blue.', 'bye', 'Bye.'])
    expect(chat.server.seen).toHaveLength(4)
  })

  it('goes on by itself where the server paused its own tools, and sends their results back', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const found = [
      { type: 'web_search_result', url: 'https://sky.example', encrypted_content: 'e' },
    ]
    const chat = await chatOn([
      [
        start,
        ...thinking(0, 'Hm.', 's'),
        ...text(1, 'I search.'),
        ...block(2, search, { type: 'input_json_delta', partial_json: '{"query":"sky"}' }),
        ...stop('pause_turn'),
      ],
      [
        start,
        ...block(0, {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: found,
        }),
        ...text(1, 'It is blue.'),
        ...stop('end_turn'),
      ],
      [start, ...text(0, 'Bye.'), ...stop('end_turn')],
    ])
    await chat.sendMessage('what color?')
    const before = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'I search.' },
      { ...search, input: { query: 'sky' } },
    ]
    expect(chat.server.seen[1]?.body.messages[1]).toEqual({ role: 'assistant', content: before })
    expect(allCalls(chat)).toMatchObject([
      { toolName: 'web_search', providerExecuted: true, state: 'result', result: found },
    ])
    expect(chat.messages.value[1]?.steps.map((step) => step.rawFinishReason)).toEqual([
      'pause_turn',
      'end_turn',
    ])
    await chat.sendMessage('bye')
    expect(chat.server.seen[2]?.body.messages[1]?.content).toEqual([
      ...before,
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: found },
      { type: 'text', text: 'It is blue.' },
    ])
    expect(textsOf(chat)).toEqual(['what color?', 'I search.It is blue.', 'bye', 'Bye.'])
  })

  it('says what failed where the turn that goes on fails', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const chat = await chatOn([
      [start, ...text(0, 'I search.'), ...block(1, search), ...stop('pause_turn')],
      {
        status: 529,
        body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      },
    ])
    await chat.sendMessage('what color?')
    expect(chat.status.value).toBe('error')
    expect(chat.error.value).toMatchObject({ code: 'http' })
    expect(chat.error.value?.message).toContain('Overloaded')
    expect(textsOf(chat)).toEqual(['what color?', 'I search.'])
  })

  it('goes on with a chat that another provider began', async () => {
    const chat = await chatOn(
      [[start, ...text(0, 'Yes.'), ...stop('end_turn')]],
      [
        { role: 'assistant', content: 'Hello! What shall I look at?' },
        { role: 'user', content: 'the sky' },
        {
          role: 'assistant',
          steps: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
          parts: [
            {
              type: 'reasoning',
              text: 'hm',
              providerMetadata: { gemini: { thoughtSignature: 'g' } },
            },
            { type: 'text', text: ' \n' },
            {
              type: 'tool-call',
              toolCallId: 'functions.look:0',
              toolName: 'look',
              args: {},
              state: 'result',
              result: { blue: true },
            },
            {
              type: 'tool-call',
              toolCallId: 'x',
              toolName: 'look',
              args: {},
              state: 'error',
              error: 'fog',
            },
            { type: 'text', text: 'It is blue.', step: 1 },
          ],
        },
      ],
    )
    await chat.sendMessage('really?')
    expect(chat.error.value).toBeUndefined()
    expect(chat.server.seen[0]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text' }] },
      { role: 'user', content: [{ type: 'text', text: 'the sky' }] },
      { role: 'assistant', content: [{ type: 'tool_use' }, { type: 'tool_use' }] },
      {
        role: 'user',
        content: [
          { tool_use_id: 'functions_look_0', content: '{"blue":true}' },
          { tool_use_id: 'x', content: 'Error: fog', is_error: true },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'It is blue.' }] },
      { role: 'user', content: [{ type: 'text', text: 'really?' }] },
    ])
  })

  it('sends the key and the version, and asks for access from a page only on request', async () => {
    const answer = [start, ...text(0, 'Hi.'), ...stop('end_turn')]
    const { baseURL, seen } = await startVendorServer<AnthropicBody>(
      [answer, answer],
      anthropicProblems,
    )
    for (const directBrowserAccess of [false, true]) {
      const provider = createAnthropicProvider({
        baseURL,
        apiKey: 'secret-key',
        directBrowserAccess,
      })
      const chat = useChat({ provider, model: 'claude' })
      await chat.sendMessage('hi')
    }
    const header = 'anthropic-dangerous-direct-browser-access'
    expect(seen.map(({ url, headers }) => [url, headers['x-api-key'], headers[header]])).toEqual([
      ['/v1/messages', 'secret-key', undefined],
      ['/v1/messages', 'secret-key', 'true'],
    ])
    expect(seen[0]?.headers).toMatchObject({ 'anthropic-version': '2023-06-01' })
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })
})
