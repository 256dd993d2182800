import { describe, expect, it } from 'vitest'
import { callsOf, type Part } from '../core'
import { readAnswer, requestOf, toolsOf } from '../../test/readAnswer'
import { createOpenAIResponsesProvider } from './openaiResponses'

const event = (type: string, fields: object = {}) => {
  const data = JSON.stringify({ type: `response.${type}`, ...fields })
  return `event: response.${type}\ndata: ${data}\n\n`
}
const added = (output_index: number, item: object) =>
  event('output_item.added', { output_index, item })
const done = (output_index: number, item: object) =>
  event('output_item.done', { output_index, item })
const delta = (what: string, output_index: number, text: string, more: object = {}) =>
  event(`${what}.delta`, { output_index, content_index: 0, delta: text, ...more })
const end = (status: string, fields: object = {}) =>
  event(status, { response: { status, ...fields } })
const completed = end('completed')

const say = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
const callItem = (call_id: string, args: string, more: object = {}) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name: 'look',
  arguments: args,
  status: 'completed',
  ...more,
})

const read = (pieces: string[], isWhole = false) =>
  readAnswer(createOpenAIResponsesProvider, pieces, {
    isWhole,
    request: requestOf([], { tools: toolsOf('look') }),
  })
const complete = (response: object) =>
  read(
    [JSON.stringify({ object: 'response', status: 'completed', error: null, ...response })],
    true,
  )

/** The parts without what every one of them has. */
const plain = (parts: Part[]) => parts.map((part) => ({ ...part, step: undefined }))

describe('text', () => {
  it('comes in deltas, whose whole at the end adds nothing', async () => {
    const { message } = await read([
      added(0, say('', { content: [] })),
      delta('output_text', 0, 'Hel'),
      delta('output_text', 0, 'lo'),
      event('output_text.done', { output_index: 0, text: 'Hello' }),
      done(0, say('Hello')),
      end('completed', { output: [say('Hello')] }),
    ])
    expect(plain(message.parts)).toEqual([{ type: 'text', text: 'Hello', state: 'done', id: '0' }])
    expect(message.steps).toEqual([{ finishReason: 'stop', rawFinishReason: 'completed' }])
  })

  it.each([
    ['without deltas', [done(0, say('Hello')), completed]],
    [
      'whose last delta is lost',
      [delta('output_text', 0, 'Hel'), done(0, say('Hello')), completed],
    ],
    ['only in the end', [end('completed', { output: [say('Hello')] })]],
    [
      'with the type in the name of the event',
      [
        `event: response.output_text.delta\ndata: {"output_index":0,"delta":"Hello"}\n\n`,
        completed,
      ],
    ],
    [
      'without any index',
      [
        event('output_text.delta', { item_id: 'a', delta: 'Hel' }),
        event('output_text.delta', { item_id: 'a', delta: 'lo' }),
        completed,
      ],
    ],
    [
      'with an id that changes',
      [
        added(0, say('', { id: 'a', content: [] })),
        delta('output_text', 0, 'Hel', { item_id: 'b' }),
        delta('output_text', 0, 'lo', { item_id: 'c' }),
        done(0, say('Hello', { id: 'd' })),
        completed,
      ],
    ],
  ])('is whole %s', async (_, pieces) => {
    const { message } = await read(pieces)
    expect(message.parts).toMatchObject([{ text: 'Hello' }])
  })

  it('of two messages is two parts, each with its phase', async () => {
    const { message } = await read([
      added(0, say('', { content: [], phase: 'commentary' })),
      delta('output_text', 0, 'I look'),
      delta('output_text', 0, '.'),
      done(0, say('I look.', { phase: 'commentary' })),
      done(1, say('It is.', { id: 'msg_2', phase: 'final_answer' })),
      completed,
    ])
    expect(message.parts).toMatchObject([
      { text: 'I look.', providerMetadata: { 'openai-responses': { phase: 'commentary' } } },
      { text: 'It is.', providerMetadata: { 'openai-responses': { phase: 'final_answer' } } },
    ])
  })

  it('has its sources once, after it', async () => {
    const annotations = [
      { type: 'url_citation', url: 'https://a.test', title: 'A' },
      { type: 'url_citation', url: 'https://a.test', title: 'A' },
      { type: 'file_citation', file_id: 'f' },
      null,
    ]
    const content = [{ type: 'output_text', text: 'Yes', annotations }]
    const { message } = await read([
      delta('output_text', 0, 'Yes'),
      done(0, say('', { content })),
      completed,
    ])
    expect(plain(message.parts)).toEqual([
      { type: 'text', text: 'Yes', state: 'done', id: '0' },
      { type: 'source', url: 'https://a.test', title: 'A' },
    ])
  })

  it('comes whole where it did not come in pieces', async () => {
    const { message } = await read([
      done(0, say('I look.')),
      added(1, callItem('a', '')),
      event('function_call_arguments.done', { output_index: 1, arguments: '{"at":"sky"}' }),
      added(2, { ...callItem('b', ''), name: '' }),
      delta('function_call_arguments', 2, '{"at":'),
      delta('function_call_arguments', 2, '"sea"}'),
      done(2, callItem('b', '{"at":"sea"}')),
      completed,
    ])
    expect(plain(message.parts)).toMatchObject([
      { text: 'I look.' },
      { toolCallId: 'a', args: { at: 'sky' } },
      { toolCallId: 'b', args: { at: 'sea' } },
    ])
  })

  it('has sources that only an event of their own tells', async () => {
    const annotation = { type: 'url_citation', url: 'https://a.test', title: 'A' }
    const { message } = await read([
      delta('output_text', 0, 'Yes'),
      event('output_text.annotation.added', { output_index: 0, annotation: null }),
      event('output_text.annotation.added', { output_index: 0, annotation }),
      done(0, say('Yes')),
      completed,
    ])
    expect(plain(message.parts)).toMatchObject([
      { type: 'text', text: 'Yes' },
      { type: 'source', url: 'https://a.test', title: 'A' },
    ])
  })

  it.each([
    ['streamed', [delta('refusal', 0, 'I '), delta('refusal', 0, 'can not'), completed]],
    [
      'whole',
      [done(0, say('', { content: [{ type: 'refusal', refusal: 'I can not' }] })), completed],
    ],
  ])('may be a refusal, %s', async (_, pieces) => {
    const { message } = await read(pieces)
    expect(message.parts).toMatchObject([{ text: 'I can not' }])
    expect(message.steps).toEqual([
      { finishReason: 'content-filter', rawFinishReason: 'completed' },
    ])
  })
})

describe('reasoning', () => {
  const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x', summary: [] }

  it('is kept with what goes back, also where nothing of it is shown', async () => {
    const { message } = await read([
      added(0, { ...item, encrypted_content: 'early' }),
      done(0, { ...item, status: 'completed' }),
      done(1, say('Yes')),
      completed,
    ])
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: '', providerMetadata: { 'openai-responses': item } },
      { type: 'text' },
    ])
    expect(message.parts[0]?.providerMetadata?.['openai-responses']).toEqual(item)
  })

  it('has a part for each summary, the last of which is kept with what goes back', async () => {
    const summary = [
      { type: 'summary_text', text: 'one' },
      { type: 'summary_text', text: 'two' },
    ]
    const piece = (summary_index: number, text: string) =>
      event('reasoning_summary_text.delta', { output_index: 0, summary_index, delta: text })
    const { message } = await read([
      added(0, item),
      piece(0, 'o'),
      piece(0, 'ne'),
      piece(1, 'two'),
      done(0, { ...item, summary }),
      completed,
    ])
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: 'one' },
      {
        type: 'reasoning',
        text: 'two',
        providerMetadata: { 'openai-responses': { ...item, summary } },
      },
    ])
    expect(message.parts[0]).not.toHaveProperty('providerMetadata')
  })

  it('may be plain text', async () => {
    const content = [{ type: 'reasoning_text', text: 'hmm' }]
    const { message } = await read([
      delta('reasoning_text', 0, 'hm'),
      delta('reasoning_text', 0, 'm'),
      done(0, { type: 'reasoning', id: 'rs_1', summary: [], content }),
      completed,
    ])
    expect(message.parts).toMatchObject([{ type: 'reasoning', text: 'hmm' }])
  })
})

describe('calls', () => {
  it('come in pieces, two at once', async () => {
    const { message, chunks } = await read([
      added(0, callItem('a', '', { status: 'in_progress' })),
      added(1, callItem('b', '', { status: 'in_progress' })),
      delta('function_call_arguments', 0, '{"at":'),
      delta('function_call_arguments', 1, '{}'),
      delta('function_call_arguments', 0, '"sky"}'),
      done(0, callItem('a', '{"at":"sky"}')),
      done(1, callItem('b', '{}')),
      completed,
    ])
    expect(callsOf(message)).toMatchObject([
      { toolCallId: 'a', toolName: 'look', args: { at: 'sky' }, state: 'pending' },
      { toolCallId: 'b', toolName: 'look', args: {}, state: 'pending' },
    ])
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'tool-calls' })
  })

  it.each([
    [
      'with one index for all',
      [
        added(0, callItem('a', '')),
        delta('function_call_arguments', 0, '{"at":"a"}', { item_id: 'fc_a' }),
        done(0, callItem('a', '{"at":"a"}')),
        added(0, callItem('b', '')),
        delta('function_call_arguments', 0, '{"at":"b"}', { item_id: 'fc_b' }),
        done(0, callItem('b', '{"at":"b"}')),
      ],
    ],
    [
      'without deltas',
      [done(0, callItem('a', '{"at":"a"}')), done(1, callItem('b', '{"at":"b"}'))],
    ],
    [
      'without deltas and with one index',
      [done(0, callItem('a', '{"at":"a"}')), done(0, callItem('b', '{"at":"b"}'))],
    ],
    [
      'without their end',
      [
        added(0, callItem('a', '')),
        delta('function_call_arguments', 0, '{"at":"a"}'),
        added(1, callItem('b', '')),
        delta('function_call_arguments', 1, '{"at":"b"}'),
      ],
    ],
    [
      'with the same end twice',
      [
        done(0, callItem('a', '{"at":"a"}')),
        done(0, callItem('a', '{"at":"a"}')),
        done(1, callItem('b', '{"at":"b"}')),
      ],
    ],
    [
      'only in the end',
      [end('completed', { output: [callItem('a', '{"at":"a"}'), callItem('b', '{"at":"b"}')] })],
    ],
  ])('are read %s', async (_, pieces) => {
    const { message } = await read([...pieces, completed])
    expect(callsOf(message)).toMatchObject([
      { toolCallId: 'a', args: { at: 'a' }, state: 'pending' },
      { toolCallId: 'b', args: { at: 'b' }, state: 'pending' },
    ])
  })

  it.each([
    [
      'the length',
      [end('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })],
      'length',
    ],
    [
      'a filter',
      [end('incomplete', { incomplete_details: { reason: 'content_filter' } })],
      'content-filter',
    ],
    ['an unknown reason', [end('incomplete')], 'length'],
    ['a cut', [], 'truncated'],
    ['a failure', [end('failed', { error: { code: 'server_error', message: 'oh' } })], 'error'],
  ])('never run after %s', async (_, pieces, finishReason) => {
    const { message, chunks } = await read([
      done(0, callItem('a', '{"at":"a"}')),
      added(1, callItem('b', '')),
      delta('function_call_arguments', 1, '{"at'),
      ...pieces,
    ])
    expect(chunks.some(({ type }) => type === 'tool-call-end')).toBe(false)
    expect(callsOf(message).some(({ state }) => state === 'pending')).toBe(false)
    expect(chunks.at(-1)).toMatchObject(
      finishReason === 'error' ? { type: 'error' } : { finishReason },
    )
  })

  it('get an id that no earlier call has', async () => {
    const { message } = await read([
      done(0, callItem('a', '{}')),
      done(1, callItem('a', '{}', { id: 'fc_2' })),
      completed,
    ])
    const ids = callsOf(message).map(({ toolCallId }) => toolCallId)
    expect(ids[0]).toBe('a')
    expect(ids[1]).toMatch(/^call_/)
  })
})

describe('tools that the server has built in', () => {
  it.each([
    [
      'a search',
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      },
      'web_search',
      { type: 'search', query: 'x' },
      null,
    ],
    [
      'code',
      { type: 'code_interpreter_call', id: 'ci_1', code: '1+1', outputs: [{ logs: '2' }] },
      'code_interpreter',
      { code: '1+1' },
      [{ logs: '2' }],
    ],
    [
      'a search in files',
      { type: 'file_search_call', id: 'fs_1', queries: ['x'], results: null },
      'file_search',
      { queries: ['x'] },
      null,
    ],
    [
      'an MCP call',
      {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'roll',
        server_label: 's',
        arguments: '{"n":6}',
        output: '4',
      },
      'roll',
      { n: 6 },
      '4',
    ],
    ['one nobody knows yet', { type: 'dream_call', id: 'd_1' }, 'dream', {}, null],
  ])('show %s, which is kept to go back', async (_, item, toolName, args, result) => {
    const { message } = await read([added(0, item), done(0, item), done(1, say('Yes')), completed])
    expect(callsOf(message)).toMatchObject([
      { toolCallId: item.id, toolName, args, result, state: 'result', providerExecuted: true },
    ])
    expect(callsOf(message)[0]?.providerMetadata).toEqual({ 'openai-responses': item })
    expect(message.steps).toMatchObject([{ finishReason: 'stop' }])
  })

  it.each([
    ['text', { error: 'no such tool' }, 'no such tool'],
    ['an object', { error: { code: 1 } }, '{"code":1}'],
    ['a status', { status: 'failed' }, '"failed"'],
  ])('may fail with %s', async (_, fields, error) => {
    const item = { type: 'mcp_call', id: 'mcp_1', name: 'roll', arguments: '{}', ...fields }
    const { message } = await read([done(0, item), completed])
    expect(callsOf(message)).toMatchObject([{ state: 'error', error }])
  })

  it('may ask a person first', async () => {
    const item = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'roll', arguments: '{"n":6}' }
    const { message } = await read([done(0, item), completed])
    expect(callsOf(message)).toMatchObject([
      { toolName: 'roll', args: { n: 6 }, state: 'pending', approval: { state: 'requested' } },
    ])
  })

  it('make an image a file', async () => {
    const item = { type: 'image_generation_call', id: 'ig_1', output_format: 'webp' }
    const { message } = await read([
      added(0, item),
      done(0, { ...item, result: 'AAAA' }),
      completed,
    ])
    expect(plain(message.parts)).toEqual([
      {
        type: 'file',
        mediaType: 'image/webp',
        data: 'AAAA',
        providerMetadata: { 'openai-responses': { id: 'ig_1' } },
      },
    ])
  })
})

describe('how an answer ends', () => {
  const usage = {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
  }

  it('tells the usage', async () => {
    const { message } = await read([end('completed', { usage })])
    expect(message.steps[0]?.usage).toEqual({
      inputTokens: 9,
      cachedInputTokens: 4,
      outputTokens: 5,
      reasoningTokens: 3,
    })
  })

  it('may be empty, which is an answer', async () => {
    const { message, error } = await read([
      event('created', { response: { status: 'in_progress' } }),
      completed,
    ])
    expect(error).toBeUndefined()
    expect(message).toMatchObject({ parts: [], steps: [{ finishReason: 'stop' }] })
  })

  it('reports an error once, and the usage of what failed', async () => {
    const { error, message, chunks } = await read([
      delta('output_text', 0, 'Hel'),
      end('failed', { error: { code: 'server_error', message: 'oh no' }, usage }),
      `data: {"type":"error","message":"again"}\n\n`,
    ])
    expect(error).toMatchObject({ code: 'provider', message: 'oh no' })
    expect(chunks.filter(({ type }) => type === 'error')).toHaveLength(1)
    expect(message.steps).toMatchObject([{ finishReason: 'error', usage: { inputTokens: 9 } }])
  })

  it.each([
    ['an error event', `data: {"type":"error","code":"x","message":"oh no"}\n\n`, /^oh no$/],
    ['a nested one', `data: {"type":"error","error":{"message":"oh no"}}\n\n`, /^oh no$/],
    ['a failure without words', end('failed', { error: null }), /response failed/],
    ['a cancelled one', end('cancelled'), /response cancelled/],
  ])('rejects where nothing came before %s', async (_, piece, said) => {
    const { error } = await read([piece])
    expect(error).toMatchObject({ code: 'provider', message: expect.stringMatching(said) })
  })

  it('reads nothing after it', async () => {
    const { message } = await read([
      delta('output_text', 0, 'a'),
      completed,
      delta('output_text', 0, 'b'),
    ])
    expect(message.parts).toMatchObject([{ text: 'a' }])
  })

  it('ignores events and items that nobody knows yet', async () => {
    const { message, error } = await read([
      event('dreaming', { output_index: 7 }),
      event('dream.delta', { delta: 'zzz' }),
      `event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\n`,
      added(0, { type: 'dream', id: 'd' }),
      event('output_item.added', { output_index: 1, item: null }),
      done(0, { type: 'dream', id: 'd' }),
      delta('output_text', 1, 'Yes'),
      completed,
    ])
    expect(error).toBeUndefined()
    expect(message.parts).toMatchObject([{ text: 'Yes' }])
  })

  it('is an HTTP error with what the server said', async () => {
    const { error } = await readAnswer(
      createOpenAIResponsesProvider,
      [JSON.stringify({ error: { message: 'no such model', code: 'x' } })],
      { status: 404 },
    )
    expect(error).toMatchObject({ code: 'http', message: expect.stringContaining('no such model') })
  })
})

describe('a whole response', () => {
  it('is read like a streamed one', async () => {
    const { message } = await complete({
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
        say('I look.'),
        callItem('a', '{"at":"sky"}'),
      ],
      usage: { input_tokens: 1, output_tokens: 2 },
    })
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'a', args: { at: 'sky' }, state: 'pending' },
    ])
    expect(message.steps).toMatchObject([{ finishReason: 'tool-calls', usage: { inputTokens: 1 } }])
  })

  it.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'completed' }, 'stop'],
  ])('ends as %o tells', async (fields, finishReason) => {
    const { message } = await complete({ output: [say('Yes')], ...fields })
    expect(message.steps).toMatchObject([{ finishReason }])
  })

  it('may have failed', async () => {
    const { error } = await complete({ status: 'failed', output: [], error: { message: 'oh no' } })
    expect(error).toMatchObject({ code: 'provider', message: 'oh no' })
  })
})
