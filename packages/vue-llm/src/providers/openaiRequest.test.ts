import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseMessages, type ChatRequest, type MessageInput, type PartInput } from '../core'
import { createOpenAIProvider, type OpenAIOwnOptions } from './openai'
import { toOpenAIBody } from './openaiRequest'

interface Sent {
  role: string
  content: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

const steps = Array.from({ length: 4 }, () => ({ finishReason: 'other' as const }))

function bodyOf(
  inputs: MessageInput[],
  more: Partial<ChatRequest> = {},
  options: OpenAIOwnOptions = {},
): Record<string, unknown> {
  const request: ChatRequest = {
    model: 'm',
    messages: normaliseMessages(inputs.map((input) => ({ steps, ...input }))),
    tools: [],
    signal: new AbortController().signal,
    ...more,
  }
  return JSON.parse(JSON.stringify(toOpenAIBody(request, options, true)))
}

const messagesOf = (inputs: MessageInput[], more?: Partial<ChatRequest>) =>
  bodyOf(inputs, more)['messages'] as Sent[]

const call = (toolCallId: string, outcome: object, step = 0): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  args: { at: 'sky' },
  state: 'result',
  step,
  ...outcome,
})

describe('the body of a Chat Completions request', () => {
  it('holds the model, a stream with usage, and nothing that was not asked for', () => {
    expect(bodyOf([{ role: 'user', content: 'hi' }])).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('puts the system prompt first', () => {
    expect(messagesOf([{ role: 'user', content: 'hi' }], { system: 'be kind' })).toEqual([
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'hi' },
    ])
  })

  it('calls the system prompt developer where the server wants that', () => {
    const { messages } = bodyOf([], { system: 'be kind' }, { systemRole: 'developer' })
    expect(messages).toEqual([{ role: 'developer', content: 'be kind' }])
  })

  it.each([[true], [false], [undefined]])(
    'sends tools and schemas as strict: %s',
    (strictTools) => {
      const schema = { type: 'object' }
      const more = {
        tools: [{ name: 'look' }],
        settings: { responseFormat: { type: 'json', schema } },
      }
      expect(bodyOf([], more as Partial<ChatRequest>, { strictTools })).toMatchObject({
        tools: [
          { function: strictTools === undefined ? { name: 'look' } : { strict: strictTools } },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'answer',
            schema,
            ...(strictTools !== undefined && { strict: strictTools }),
          },
        },
      })
    },
  )

  it('asks for any JSON without a schema, and for none where the server knows no such field', () => {
    const more = { settings: { responseFormat: { type: 'json' as const } } }
    expect(bodyOf([], more)).toMatchObject({ response_format: { type: 'json_object' } })
    expect(bodyOf([], more, { structuredOutput: false })).not.toHaveProperty('response_format')
    expect(createOpenAIProvider().structuredOutput).toBe(true)
    expect(createOpenAIProvider({ structuredOutput: false }).structuredOutput).toBeUndefined()
  })

  it('names every setting in the words of the API', () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 40,
      maxTokens: 9,
      stop: ['x'],
      seed: 1,
      presencePenalty: 2,
      frequencyPenalty: 3,
      reasoningEffort: 'low',
    }
    expect(bodyOf([], { settings })).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      max_tokens: 9,
      stop: ['x'],
      seed: 1,
      presence_penalty: 2,
      frequency_penalty: 3,
      reasoning_effort: 'low',
    })
  })

  it('offers tools, with choice and parallel calls', () => {
    const parameters = { type: 'object', properties: { at: { type: 'string' } } }
    const body = bodyOf([], {
      tools: [{ name: 'look', description: 'Looks', parameters }],
      toolChoice: { name: 'look' },
      settings: { parallelToolCalls: false },
    })
    expect(body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      parallel_tool_calls: false,
    })
  })

  it('11, guide §1: lets the model choose, and says so, with every request that has tools', () => {
    const tools = [{ name: 'look' }]
    expect(bodyOf([], { tools })).toMatchObject({ tool_choice: 'auto' })
    expect(bodyOf([], { tools, toolChoice: 'none' })).toMatchObject({ tool_choice: 'none' })
  })

  it('says nothing of tool choice without tools', () => {
    const body = bodyOf([], { toolChoice: 'required', settings: { parallelToolCalls: true } })
    expect(Object.keys(body)).toEqual(['model', 'messages', 'stream', 'stream_options'])
  })
})

describe('messages of a Chat Completions request', () => {
  it('put each result directly after its calls, in call order, round by round', () => {
    const parts = [
      { type: 'text' as const, text: 'I look.' },
      call('a', { result: { blue: true } }),
      call('b', { result: 'blue' }),
      call('c', { state: 'error', error: 'clouds' }, 1),
      { type: 'text' as const, text: 'Blue.', step: 2 },
    ]
    const args = '{"at":"sky"}'
    expect(messagesOf([{ role: 'assistant', parts }])).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: args } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: args } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"blue":true}' },
      { role: 'tool', tool_call_id: 'b', content: 'blue' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: args } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'Error: clouds' },
      { role: 'assistant', content: 'Blue.' },
    ])
  })

  it('say that no answer was given to a call that is still open', () => {
    const sent = messagesOf([{ role: 'assistant', parts: [call('a', { state: 'pending' })] }])
    expect(sent[1]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'Error: no answer was given',
    })
  })

  it('join texts of one role with a blank line', () => {
    const inputs: MessageInput[] = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]
    expect(messagesOf(inputs)).toEqual([{ role: 'user', content: 'a\n\nb' }])
  })

  it('never send reasoning back', () => {
    const parts = [
      { type: 'reasoning' as const, text: 'hm' },
      { type: 'text' as const, text: 'yes' },
    ]
    expect(messagesOf([{ role: 'assistant', parts }])).toEqual([
      { role: 'assistant', content: 'yes' },
    ])
  })

  it.each([
    [
      { mediaType: 'image/png', data: 'AA' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    ],
    [
      { mediaType: 'image/png', url: 'https://x.test/a.png' },
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
    ],
    [
      { mediaType: 'audio/mpeg', data: 'AA' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
    ],
    [
      { mediaType: 'audio/wav', data: 'AA' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
    ],
    [
      { mediaType: 'application/pdf', data: 'AA', filename: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
    ],
  ])('send a file %j as a content part', (file, part) => {
    const parts: PartInput[] = [
      { type: 'text', text: 'see' },
      { type: 'file', ...file },
    ]
    expect(messagesOf([{ role: 'user', parts }])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, part] },
    ])
  })

  it('send files of a result with the next user message, after all tool messages', () => {
    const tool = {
      name: 'look',
      toModelOutput: () => [
        { type: 'text' as const, text: 'a photo' },
        { type: 'file' as const, mediaType: 'image/png', data: 'AA' },
      ],
    }
    const inputs: MessageInput[] = [
      { role: 'assistant', parts: [call('a', { result: 1 }), call('b', { result: 2 })] },
      { role: 'user', content: 'so?' },
    ]
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }
    expect(messagesOf(inputs, { tools: [tool] }).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'a photo' },
      { role: 'tool', tool_call_id: 'b', content: 'a photo' },
      { role: 'user', content: [image, image, { type: 'text', text: 'so?' }] },
    ])
  })

  it('never leave a tool message empty where a result is files alone', async () => {
    const file = { type: 'file' as const, mediaType: 'image/png', data: 'AA' }
    const tools = [{ name: 'look', toModelOutput: () => [file] }]
    const sent = messagesOf([{ role: 'assistant', parts: [call('a', {})] }], { tools })
    expect(sent.map(({ role, content }) => [role, typeof content])).toEqual([
      ['assistant', 'object'],
      ['tool', 'string'],
      ['user', 'object'],
    ])
    expect(sent[1]?.content).not.toBe('')
  })

  it('hold a tool message for every call and no other, whatever the transcript', () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string(), step: fc.nat(3) }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.string(), step: fc.nat(3) }),
      fc
        .record({
          state: fc.constantFrom('streaming', 'pending', 'running', 'result', 'error'),
          providerExecuted: fc.boolean(),
          step: fc.nat(3),
          result: fc.jsonValue(),
        })
        .map((outcome) => call(`c${Math.random()}`, outcome)),
    )
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      parts: fc.array(part, { maxLength: 6 }),
    })
    const problems = (inputs: MessageInput[]): string[] => {
      const found: string[] = []
      const open: string[] = []
      let before = ''
      for (const { role, content, tool_calls = [], tool_call_id } of messagesOf(inputs)) {
        if (role === 'tool') {
          if (open.shift() !== tool_call_id) found.push('a result without its call')
        } else if (open.length) found.push('a call without its result')
        if (role === 'user' && before === 'user') found.push('neighbours')
        if (content === null && !tool_calls.length) found.push('nothing in it')
        open.push(...tool_calls.map(({ id }) => id))
        before = role
      }
      return open.length ? [...found, 'a call without its result at the end'] : found
    }
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), (inputs) => {
        expect(problems(inputs)).toEqual([])
      }),
    )
  })

  it('are built fast from 1,000 messages', () => {
    const inputs = Array.from({ length: 1000 }, (_, index): MessageInput =>
      index % 2
        ? { role: 'assistant', parts: [call(`c${index}`, { result: { index } })] }
        : { role: 'user', content: 'x'.repeat(200) },
    )
    const messages = normaliseMessages(inputs)
    const request = { model: 'm', messages, tools: [], signal: new AbortController().signal }
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      toOpenAIBody(request, {}, true)
      return performance.now() - start
    })
    // 5 ms by design; the bound leaves room for a busy machine.
    expect(Math.min(...times)).toBeLessThan(20)
  })
})
