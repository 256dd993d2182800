import { describe, expect, it } from 'vitest'
import { normaliseMessages, type AnyTool, type Chunk, type MessageInput } from '../core'
import { createChatCompletions } from './openai'

const done = 'data: [DONE]\n\n'
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
const choice = (fields: object) => event({ choices: [{ index: 0, ...fields }] })
const delta = (fields: object) => choice({ delta: fields })
const finish = (reason: string) => choice({ delta: {}, finish_reason: reason })
const piece = (fields: object) => delta({ tool_calls: [fields] })
const fn = (name?: string, args?: unknown) => ({ function: { name, arguments: args } })

interface Given {
  tools?: string[]
  messages?: MessageInput[]
  contentType?: string
}

async function read(events: string[], given: Given = {}): Promise<Chunk[]> {
  const { tools = [], messages = [], contentType = 'text/event-stream' } = given
  let next = 0
  // Each event comes alone, so that nothing is joined by chance.
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const bytes = events[next++]
      if (bytes === undefined) stream.close()
      else stream.enqueue(new TextEncoder().encode(bytes))
    },
  })
  const headers = { 'content-type': contentType }
  const provider = createChatCompletions({ fetch: async () => new Response(body, { headers }) })
  const request = {
    model: 'm',
    messages: normaliseMessages(messages),
    tools: tools.map((name): AnyTool => ({ name })),
    signal: new AbortController().signal,
  }
  const chunks: Chunk[] = []
  for await (const chunk of provider.stream(request)) chunks.push(chunk)
  return chunks
}

/** Calls as `name(args)`, with `…` where they were not ended. */
function callsIn(chunks: Chunk[]): string[] {
  const calls = new Map<string, { name: string; args: string; ended: boolean }>()
  for (const chunk of chunks) {
    if (chunk.type === 'tool-call-start') {
      calls.set(chunk.toolCallId, { name: chunk.toolName, args: '', ended: false })
    } else if (chunk.type === 'tool-call-delta') {
      calls.get(chunk.toolCallId)!.args += chunk.argsText
    } else if (chunk.type === 'tool-call-end') {
      const call = calls.get(chunk.toolCallId)!
      call.ended = true
      call.name = chunk.toolName ?? call.name
    }
  }
  return [...calls.values()].map(({ name, args, ended }) => `${name}(${args})${ended ? '' : '…'}`)
}

const textIn = (chunks: Chunk[], type: 'text-delta' | 'reasoning-delta') =>
  chunks.map((chunk) => (chunk.type === type ? chunk.text : '')).join('')
const idsIn = (chunks: Chunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'tool-call-start' ? chunk.toolCallId : []))

describe('text and reasoning', () => {
  it('come as deltas, then a step-end', async () => {
    expect(
      await read([delta({ content: 'Hi' }), delta({ content: ' you' }), finish('stop'), done]),
    ).toEqual([
      { type: 'text-delta', text: 'Hi' },
      { type: 'text-delta', text: ' you' },
      { type: 'step-end', finishReason: 'stop', rawFinishReason: 'stop' },
    ])
  })

  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm' }],
    ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }],
    ['both fields', { reasoning: 'hm', reasoning_content: 'hm' }],
    ['field and details', { reasoning: 'hm', reasoning_details: [{ text: 'hm' }] }],
    [
      'a thinking block',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ],
    ['a thinking block of plain text', { content: [{ type: 'thinking', thinking: 'hm' }] }],
  ])('read reasoning from %s once', async (_, fields) => {
    const chunks = await read([delta(fields), finish('stop'), done])
    expect(textIn(chunks, 'reasoning-delta')).toBe('hm')
    expect(textIn(chunks, 'text-delta')).toBe('')
  })

  it('read text from a list of content', async () => {
    const chunks = await read([
      delta({ content: [{ type: 'text', text: 'a' }, null] }),
      finish('stop'),
    ])
    expect(textIn(chunks, 'text-delta')).toBe('a')
  })

  it('pass over empty choices, absent, null and foreign deltas, and other choices', async () => {
    const chunks = await read([
      event({ choices: [] }),
      event({ choices: [null] }),
      event({ object: 'ping' }),
      choice({}),
      choice({ delta: null }),
      choice({ index: 1, delta: { content: 'other' }, finish_reason: 'length' }),
      delta({ content: 7 }),
      delta({ content: 'a' }),
      finish('stop'),
      done,
    ])
    expect(textIn(chunks, 'text-delta')).toBe('a')
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop' })
  })

  it('show a refusal as text, with content-filter', async () => {
    const chunks = await read([delta({ refusal: 'No.' }), finish('stop'), done])
    expect(chunks).toEqual([
      { type: 'text-delta', text: 'No.' },
      { type: 'step-end', finishReason: 'content-filter', rawFinishReason: 'stop' },
    ])
  })

  it('close a refusal that was not streamed with content-filter, also without a reason', async () => {
    const chunks = await read([choice({ message: { refusal: 'No.' } })])
    expect(chunks.at(-1)).toEqual({ type: 'step-end', finishReason: 'content-filter' })
  })
})

describe('finish reason and usage', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['constructor', 'other'],
  ])('%s is %s', async (raw, finishReason) => {
    const chunks = await read([delta({ content: 'a' }), finish(raw), done])
    expect(chunks.at(-1)).toEqual({ type: 'step-end', finishReason, rawFinishReason: raw })
  })

  it.each([
    ['at the top', event({ type: 'x', error: { message: 'busy' } })],
    ['in the choice', choice({ error: { message: 'busy' }, finish_reason: 'error' })],
  ])('an error %s is one', async (_, failing) => {
    const chunks = await read([delta({ content: 'a' }), failing, done])
    expect(chunks[1]).toEqual({ type: 'error', code: 'provider', message: 'busy' })
  })

  it('error without an error object is an error', async () => {
    const chunks = await read([delta({ content: 'a' }), finish('error'), done])
    expect(chunks.slice(1)).toMatchObject([
      { type: 'error', code: 'provider' },
      {
        type: 'step-end',
        finishReason: 'error',
        rawFinishReason: 'error',
        error: { code: 'provider' },
      },
    ])
  })

  const usage = {
    prompt_tokens: 9,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  }
  it.each([
    ['an event of its own', [event({ choices: [], usage })]],
    ['the choice', [choice({ delta: {}, usage })]],
    ['x_groq', [event({ choices: [], x_groq: { usage } })]],
    ['two events, the last wins', [event({ usage: { prompt_tokens: 1 } }), event({ usage })]],
    ['an event before zeros', [event({ usage }), event({ usage: { prompt_tokens: 0 } })]],
  ])('usage is read from %s', async (_, events) => {
    const chunks = await read([delta({ content: 'a' }), finish('stop'), ...events, done])
    expect(chunks.at(-1)).toMatchObject({
      usage: { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
    })
  })
})

describe('tool calls', () => {
  it('start as soon as the name is a tool, and end with the round', async () => {
    const chunks = await read(
      [
        piece({ index: 0, id: 'a', ...fn('look', '') }),
        piece({ index: 0, ...fn(undefined, '{"x"') }),
        piece({ index: 0, ...fn(undefined, ':1}') }),
        finish('tool_calls'),
        done,
      ],
      { tools: ['look'] },
    )
    expect(chunks).toEqual([
      { type: 'tool-call-start', toolCallId: 'a', toolName: 'look' },
      { type: 'tool-call-delta', toolCallId: 'a', argsText: '{"x"' },
      { type: 'tool-call-delta', toolCallId: 'a', argsText: ':1}' },
      { type: 'tool-call-end', toolCallId: 'a' },
      { type: 'step-end', finishReason: 'tool-calls', rawFinishReason: 'tool_calls' },
    ])
  })

  // Each row is what some server sends; the calls are what a person would read into it.
  const cases: [string, object[], string[]][] = [
    [
      'interleaved by index',
      [
        { index: 0, id: 'a', ...fn('look', '{') },
        { index: 1, id: 'b', ...fn('find', '{"y"') },
        { index: 0, ...fn(undefined, '}') },
        { index: 1, ...fn(undefined, ':2}') },
      ],
      ['look({})', 'find({"y":2})'],
    ],
    [
      'no index, new ids',
      [
        { id: 'a', ...fn('look', '{"x":1}') },
        { id: 'b', ...fn('look', '{"x":2}') },
      ],
      ['look({"x":1})', 'look({"x":2})'],
    ],
    [
      'no index, pieces with the same id or none',
      [
        { id: 'a', ...fn('look', '{') },
        { id: 'a', ...fn(undefined, '"x"') },
        { id: '', ...fn('', ':1}') },
      ],
      ['look({"x":1})'],
    ],
    [
      'neither index nor id, whole calls',
      [fn('look', '{"x":1}'), fn('look', '{"x":2}'), fn('find', {})],
      ['look({"x":1})', 'look({"x":2})', 'find({})'],
    ],
    ['neither index nor id nor arguments', [fn('look', ''), fn('find', '')], ['look()', 'find()']],
    [
      'one index for all calls',
      [
        { index: 0, id: 'a', ...fn('look', '{"x":1}') },
        { index: 0, id: 'b', ...fn('find', '{"y":') },
        { index: 0, ...fn(undefined, '2}') },
      ],
      ['look({"x":1})', 'find({"y":2})'],
    ],
    [
      'one index and no id for all calls',
      [
        { index: 0, id: '', ...fn('look', '{"x":1}') },
        { index: 0, id: '', ...fn('look', '{"x":2}') },
        { index: 0, id: '', ...fn('find', '{}') },
      ],
      ['look({"x":1})', 'look({"x":2})', 'find({})'],
    ],
    [
      'the name again with every piece, and an empty last one',
      [
        { index: 0, ...fn('look', '{"x":1}') },
        { index: 0, ...fn('look', '') },
        { index: 0, ...fn('look', '\n') },
      ],
      ['look({"x":1}\n)'],
    ],
    [
      'a new id with every piece',
      [
        { index: 0, id: 'a', ...fn('look', '{') },
        { index: 0, id: 'b', ...fn(undefined, '}') },
      ],
      ['look({})'],
    ],
    [
      'empty id and name in later pieces',
      [
        { index: 0, id: 'a', ...fn('look', '{') },
        { index: 0, id: '', ...fn('', '}') },
      ],
      ['look({})'],
    ],
    [
      'the name again with every piece',
      [
        { index: 0, id: 'a', ...fn('look', '{') },
        { index: 0, id: 'a', ...fn('look', '}') },
      ],
      ['look({})'],
    ],
    [
      'a name in pieces, arguments before it',
      [
        { index: 0, id: 'a', ...fn(undefined, '{"x"') },
        { index: 0, ...fn('lo', '') },
        { index: 0, ...fn('ok', ':1}') },
      ],
      ['look({"x":1})'],
    ],
    [
      'a name that begins like another tool',
      [
        { index: 0, id: 'a', ...fn('look', '') },
        { index: 0, ...fn('_up', '') },
        { index: 0, ...fn(undefined, '{}') },
      ],
      ['look_up({})'],
    ],
    ['a tool nobody offered', [{ index: 0, id: 'a', ...fn('nope', '') }], ['nope()']],
    ['arguments as an object', [{ index: 0, id: 'a', ...fn('look', { x: 1 }) }], ['look({"x":1})']],
    ['arguments that are null', [{ index: 0, id: 'a', ...fn('look', null) }], ['look()']],
    ['arguments without a name', [{ index: 0, id: 'a', ...fn(undefined, '{}') }], ['unknown({})']],
    ['a piece without anything', [{ index: 0, id: 'a', function: null }], []],
  ]
  it.each(cases)('%s', async (_, pieces, calls) => {
    const events = [...pieces.map(piece), finish('tool_calls'), done]
    const chunks = await read(events, { tools: ['look', 'look_up', 'find'] })
    expect(callsIn(chunks)).toEqual(calls)
  })

  it.each([
    ['stop', 'look({})'],
    ['whatever', 'look({})'],
    ['length', 'look({})…'],
    ['content_filter', 'look({})…'],
    ['error', 'look({})…'],
  ])('with the reason %s read as %s', async (reason, call) => {
    const chunks = await read([
      piece({ index: 0, id: 'a', ...fn('look', '{}') }),
      finish(reason),
      done,
    ])
    expect(callsIn(chunks)).toEqual([call])
  })

  it('stay open where the stream is cut, or fails', async () => {
    const start = piece({ index: 0, id: 'a', ...fn('look', '{}') })
    expect(callsIn(await read([start]))).toEqual(['look({})…'])
    expect(callsIn(await read([start, event({ error: { message: 'no' } })]))).toEqual(['look({})…'])
  })

  it('end where [DONE] comes without a reason', async () => {
    const chunks = await read([piece({ index: 0, id: 'a', ...fn('look', '{}') }), done])
    expect(callsIn(chunks)).toEqual(['look({})'])
    expect(chunks.at(-1)).toEqual({ type: 'step-end', finishReason: 'stop' })
  })

  it('show a call of which only the start was read before the cut', async () => {
    expect(callsIn(await read([piece({ index: 0, id: 'a', ...fn('loo', '') })]))).toEqual([
      'loo()…',
    ])
  })

  it('get ids that are unique in the transcript, each with its own arguments', async () => {
    const earlier: MessageInput = {
      role: 'assistant',
      parts: [
        { type: 'tool-call', toolCallId: 'call_0', toolName: 'look', args: {}, state: 'result' },
      ],
    }
    const chunks = await read(
      [
        piece({ index: 0, id: 'call_0', ...fn('look', '{"x":') }),
        piece({ index: 1, id: 'call_1', ...fn('look', '{"x":') }),
        piece({ index: 2, id: 'call_1', ...fn('look', '{"x":') }),
        piece({ index: 3, ...fn('look', '{"x":') }),
        ...[0, 1, 2, 3].map((index) => piece({ index, ...fn(undefined, `${index}}`) })),
        finish('tool_calls'),
      ],
      { messages: [earlier] },
    )
    const ids = idsIn(chunks)
    expect(ids[1]).toBe('call_1')
    expect(new Set([...ids, 'call_0', '']).size).toBe(6)
    expect(callsIn(chunks)).toEqual([0, 1, 2, 3].map((x) => `look({"x":${x}})`))
  })

  it('take an id that comes after the first piece', async () => {
    const chunks = await read([
      piece({ index: 0, ...fn(undefined, '{') }),
      piece({ index: 0, id: 'a', ...fn('look', '}') }),
      finish('tool_calls'),
    ])
    expect(idsIn(chunks)).toEqual(['a'])
    expect(callsIn(chunks)).toEqual(['look({})'])
  })

  it('read the legacy function_call', async () => {
    const chunks = await read([
      delta({ function_call: { name: 'look', arguments: '{' } }),
      delta({ function_call: { arguments: '}' } }),
      finish('function_call'),
    ])
    expect(callsIn(chunks)).toEqual(['look({})'])
  })
})

describe('an answer that was not streamed', () => {
  const message = {
    content: 'Hi',
    reasoning_content: 'hm',
    tool_calls: [
      { id: 'a', type: 'function', ...fn('look', '{}') },
      { id: 'a', type: 'function', ...fn('look', '') },
      { type: 'function', ...fn('look', '') },
    ],
  }
  const body = {
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1 },
  }

  it.each([
    ['application/json', JSON.stringify(body)],
    ['application/json', JSON.stringify(body, null, 2)],
    ['text/event-stream', JSON.stringify(body)],
    ['text/event-stream', event(body)],
  ])('is read the same as %s: %.20j', async (contentType, text) => {
    const chunks = await read([text.slice(0, 30), text.slice(30)], { contentType })
    expect(textIn(chunks, 'text-delta')).toBe('Hi')
    expect(textIn(chunks, 'reasoning-delta')).toBe('hm')
    expect(callsIn(chunks)).toEqual(['look({})', 'look()', 'look()'])
    expect(chunks.at(-1)).toEqual({
      type: 'step-end',
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_calls',
      usage: { inputTokens: 1, outputTokens: 0 },
    })
  })

  it('is whole also without a reason', async () => {
    const chunks = await read([JSON.stringify({ choices: [{ message: { content: 'Hi' } }] })])
    expect(chunks.at(-1)).toEqual({ type: 'step-end', finishReason: 'stop' })
  })

  it('is not shown again after its deltas', async () => {
    const chunks = await read([
      delta({ content: 'Hi' }),
      choice({ message: { content: 'Hi' } }),
      finish('stop'),
    ])
    expect(textIn(chunks, 'text-delta')).toBe('Hi')
  })
})
