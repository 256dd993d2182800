import { describe, expect, it } from 'vitest'
import { callsOf, type ChatRequest, type MessageInput, type PartInput } from '../core'
import { readAnswer, requestOf, toolsOf } from '../../test/readAnswer'
import { createOllamaProvider } from './ollama'
import { toOllamaBody } from './ollamaRequest'

const steps = Array.from({ length: 4 }, () => ({ finishReason: 'other' as const }))

function bodyOf(inputs: MessageInput[], more: Partial<ChatRequest> = {}): Record<string, unknown> {
  const request = requestOf(
    inputs.map((input) => ({ steps, ...input })),
    more,
  )
  return JSON.parse(JSON.stringify(toOllamaBody(request, true)))
}

const call = (toolCallId: string, outcome: object, step = 0): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  args: { at: 'sky' },
  state: 'result',
  step,
  ...outcome,
})

describe('the body of an Ollama request', () => {
  it('holds the model, the messages, and nothing that was not asked for', () => {
    expect(bodyOf([{ role: 'user', content: 'hi' }], { system: 'be kind' })).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      options: {},
    })
  })

  it('names every setting in the words of the API', () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 40,
      maxTokens: 9,
      stop: 'x',
      seed: 1,
      presencePenalty: 2,
      frequencyPenalty: 3,
    }
    expect(bodyOf([], { settings })['options']).toEqual({
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      num_predict: 9,
      stop: ['x'],
      seed: 1,
      presence_penalty: 2,
      frequency_penalty: 3,
    })
  })

  it('merges what the app adds, also into the options', () => {
    const body = { keep_alive: '1h', options: { num_ctx: 9, seed: 2 } }
    const settings = { temperature: 1, seed: 1 }
    expect(bodyOf([], { body, settings })).toMatchObject({
      keep_alive: '1h',
      options: { temperature: 1, num_ctx: 9, seed: 2 },
    })
  })

  it('is what goes over the wire', async () => {
    const sent: unknown[] = []
    const provider = createOllamaProvider({
      fetch: async (url, { body }) => {
        sent.push(url, JSON.parse(`${body}`))
        return new Response('{"message":{"content":"Yes"},"done":true}\n')
      },
    })
    const body = { options: { num_ctx: 9 } }
    await provider.complete?.(requestOf([], { body, settings: { seed: 1 } }))
    expect(sent).toEqual([
      'http://localhost:11434/api/chat',
      { model: 'm', messages: [], stream: false, options: { seed: 1, num_ctx: 9 } },
    ])
  })

  it.each([
    ['none', false],
    ['true', true],
    ['low', 'low'],
  ])('thinks as the effort %s says', (reasoningEffort, think) => {
    expect(bodyOf([], { settings: { reasoningEffort } })).toMatchObject({ think })
  })

  it.each([
    [{ type: 'json' }, 'json'],
    [{ type: 'json', schema: { type: 'object' } }, { type: 'object' }],
  ] as const)('asks for %o', (responseFormat, format) => {
    expect(bodyOf([], { settings: { responseFormat } })).toMatchObject({ format })
    expect(createOllamaProvider().structuredOutput).toBe(true)
  })

  it.each([
    ['auto', ['look', 'go']],
    ['required', ['look', 'go']],
    [{ name: 'go' }, ['go']],
    ['none', undefined],
  ] as const)('shows the tools that %o leaves', (toolChoice, names) => {
    const { tools } = bodyOf([], { tools: toolsOf('look', 'go'), toolChoice })
    expect((tools as { function: { name: string } }[])?.map((tool) => tool.function.name)).toEqual(
      names,
    )
  })

  it('has calls with objects, and what came of each, in order', () => {
    const { messages } = bodyOf([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', step: 0 },
          { type: 'text', text: 'I look.', step: 0 },
          call('a', { result: { sees: 1 } }),
          call('b', { state: 'error', error: 'dark' }),
          call('c', { state: 'pending' }),
          { type: 'reasoning', text: 'only', step: 1 },
        ],
      },
      { role: 'user', content: 'thanks' },
    ])
    const result = (tool_call_id: string, content: string) => ({
      role: 'tool',
      tool_name: 'look',
      tool_call_id,
      content,
    })
    expect(messages).toEqual([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: 'I look.',
        thinking: 'hm',
        tool_calls: ['a', 'b', 'c'].map((id) => ({
          id,
          function: { name: 'look', arguments: { at: 'sky' } },
        })),
      },
      result('a', '{"sees":1}'),
      result('b', 'Error: dark'),
      result('c', 'Error: no answer was given'),
      { role: 'user', content: 'thanks' },
    ])
  })

  it('has images as base64, and of other files the name', () => {
    const parts: PartInput[] = [
      { type: 'text', text: 'see' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,BBBB' },
      { type: 'file', mediaType: 'image/png', url: 'https://a.test/a.png' },
      { type: 'file', mediaType: 'application/pdf', data: 'CCCC', filename: 'a.pdf' },
      { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,DDDD' },
    ]
    const look = {
      name: 'look',
      toModelOutput: () => [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] as const,
    }
    const { messages } = bodyOf(
      [
        { role: 'user', parts },
        { role: 'assistant', parts: [call('a', { result: 1 })] },
      ],
      { tools: [look] },
    )
    expect(messages).toMatchObject([
      {
        content: 'see\n\nhttps://a.test/a.png\n\na.pdf\n\napplication/pdf',
        images: ['AAAA', 'BBBB'],
      },
      { role: 'assistant' },
      { role: 'tool', content: '', images: ['AAAA'] },
    ])
  })
})

const line = (fields: object) => `${JSON.stringify({ model: 'm', done: false, ...fields })}\n`
const message = (fields: object) => line({ message: { role: 'assistant', ...fields } })
const wireCall = (name: string, args?: unknown, id?: string) => ({
  id,
  function: { name, arguments: args },
})
const done = (fields: object = {}) =>
  line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', ...fields })

const read = (pieces: string[], options: { isWhole?: boolean; status?: number } = {}) =>
  readAnswer(createOllamaProvider, pieces, {
    ...options,
    request: requestOf([], { tools: toolsOf('look') }),
  })

describe('an answer of Ollama', () => {
  it('is thinking, text and usage', async () => {
    const answer = await read([
      message({ content: '', thinking: 'h' }),
      message({ content: '', thinking: 'm' }),
      message({ content: 'Ye' }),
      message({ content: 's' }),
      done({ prompt_eval_count: 9, eval_count: 5 }),
    ])
    expect(answer.message).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Yes' },
      ],
      steps: [
        {
          finishReason: 'stop',
          rawFinishReason: 'stop',
          usage: { inputTokens: 9, outputTokens: 5 },
        },
      ],
    })
  })

  it.each([
    ['in one line', [message({ tool_calls: [wireCall('look', { a: 1 }), wireCall('look', {})] })]],
    [
      'in two lines, with the same id',
      [
        message({ tool_calls: [wireCall('look', { a: 1 }, 'x')] }),
        message({ tool_calls: [wireCall('look', {}, 'x')] }),
      ],
    ],
    ['as text', [message({ tool_calls: [wireCall('look', '{"a":1}'), wireCall('look')] })]],
    [
      'in the content',
      [
        message({ content: '<tool_call>{"name":"look","arguments":{"a":1}}</tool_call>' }),
        message({ content: '<tool_call>{"name":"look","arguments":{}}</tool_call>' }),
      ],
    ],
  ])('has two calls %s', async (_, lines) => {
    const answer = await read([...lines, done()])
    const calls = callsOf(answer.message)
    expect(calls).toMatchObject([
      { toolName: 'look', args: { a: 1 }, state: 'pending' },
      { toolName: 'look', args: {}, state: 'pending' },
    ])
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2)
  })

  it('says that it ends with calls, which the server calls a stop', async () => {
    const answer = await read([message({ tool_calls: [wireCall('look', {})] }), done()])
    expect(answer.message.steps).toEqual([{ finishReason: 'tool-calls', rawFinishReason: 'stop' }])
  })

  it.each([
    ['the length', [done({ done_reason: 'length' })], 'length'],
    ['a cut', [], 'truncated'],
  ])('never runs a call after %s', async (_, lines, finishReason) => {
    const answer = await read([message({ tool_calls: [wireCall('look', {})] }), ...lines])
    expect(callsOf(answer.message)).toMatchObject([{ state: 'error', errorCode: 'cut' }])
    expect(answer.chunks.some(({ type }) => type === 'tool-call-end')).toBe(false)
    expect(answer.message.steps).toMatchObject([{ finishReason }])
  })

  it('has arguments that are no object as an error', async () => {
    const answer = await read([message({ tool_calls: [wireCall('look', [1])] }), done()])
    expect(callsOf(answer.message)).toMatchObject([{ state: 'error', errorCode: 'invalid-args' }])
  })

  it.each([
    ['without a reason, as older servers end', done({ done_reason: undefined }), 'stop'],
    ['with another reason', done({ done_reason: 'load' }), 'stop'],
  ])('ends %s', async (_, last, finishReason) => {
    const answer = await read([message({ content: 'Yes' }), last])
    expect(answer.message.steps).toMatchObject([{ finishReason }])
  })

  it('shows what came before an error in the stream', async () => {
    const answer = await read([message({ content: 'Ye' }), '{"error":"runner terminated"}\n'])
    expect(answer.error).toMatchObject({ code: 'provider', message: 'runner terminated' })
    expect(answer.message.parts).toMatchObject([{ text: 'Ye' }])
  })

  it('is an error that comes first', async () => {
    const answer = await read(['{"error":"no such file"}\n'])
    expect(answer.error).toMatchObject({ code: 'provider', message: 'no such file' })
  })

  it('is an HTTP error with what the server said', async () => {
    const said = '"m" does not support thinking'
    const answer = await read([JSON.stringify({ error: said })], { status: 400 })
    expect(answer.error).toMatchObject({ code: 'http', message: expect.stringContaining(said) })
  })

  it('is read without its last newline, and past what nobody knows yet', async () => {
    const answer = await read([
      message({ content: null, thinking: 7, tool_calls: null, dream: 'x' }),
      line({ dream: {} }),
      message({ content: 'Yes' }),
      done().trim(),
    ])
    expect(answer.error).toBeUndefined()
    expect(answer.message.parts).toMatchObject([{ text: 'Yes' }])
    expect(answer.message.steps).toMatchObject([{ finishReason: 'stop' }])
  })

  it('may be whole', async () => {
    const tool_calls = [wireCall('look', { a: 1 }, 'x')]
    const answer = await read(
      [line({ message: { thinking: 'hm', content: 'I look.', tool_calls }, done: true })],
      { isWhole: true },
    )
    expect(answer.message.parts).toMatchObject([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'x', args: { a: 1 }, state: 'pending' },
    ])
  })

  it('is asked for once more where it is empty', async () => {
    const asked: boolean[] = []
    const provider = createOllamaProvider({
      fetch: async (_, { body }) => {
        const { stream } = JSON.parse(`${body}`)
        asked.push(stream)
        return new Response(stream ? done() : message({ content: 'Yes' }) + done())
      },
    })
    const chunks = []
    for await (const chunk of provider.stream(requestOf([], { tools: toolsOf('look') }))) {
      chunks.push(chunk)
    }
    expect(asked).toEqual([true, false])
    expect(chunks).toMatchObject([{ text: 'Yes' }, { finishReason: 'stop' }])
  })
})
