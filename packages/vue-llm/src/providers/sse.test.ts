import { describe, expect, it } from 'vitest'
import {
  applyChunk,
  createMessage,
  isLLMError,
  type ChatRequest,
  type Chunk,
  type LLMError,
  type Message,
} from '../core'
import { sseResponse, type SSEEvent } from '../testing'
import { createProxyProvider, createSSEProvider, type SSEOptions } from './index'

const requestWith = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  ...more,
})

interface Setup {
  options?: Partial<SSEOptions>
  request?: Partial<ChatRequest>
  done?: boolean
  chunkSize?: number
}

/** The chunks that a stream of these events gives. */
async function read(events: readonly SSEEvent[], setup: Setup = {}): Promise<Chunk[]> {
  const { options, request, ...response } = setup
  const fetch = async () => sseResponse(events, response)
  const provider = createSSEProvider({ url: 'http://back.test/chat', fetch, ...options })
  const chunks: Chunk[] = []
  for await (const chunk of provider.stream(requestWith(request))) chunks.push(chunk)
  return chunks
}

async function failure(reading: Promise<Chunk[]>): Promise<LLMError> {
  const error: unknown = await reading.catch((thrown) => thrown)
  if (isLLMError(error)) return error
  throw new Error('the request did not fail', { cause: error })
}

function messageOf(chunks: readonly Chunk[]): Message {
  const message = createMessage('assistant')
  for (const chunk of chunks) applyChunk(message, chunk)
  return message
}

const user = createMessage('user', { content: 'Hi' })
const start = (toolCallId: string, toolName = 'look') =>
  ({ type: 'tool-call-start', toolCallId, toolName }) as const
const end = (toolCallId: string) => ({ type: 'tool-call-end', toolCallId }) as const
const result = (toolCallId: string, value: unknown = 1) =>
  ({ type: 'tool-result', toolCallId, result: value }) as const
const text = (words: string) => ({ type: 'text-delta', text: words }) as const
const stepEnd = (finishReason: string) => ({ type: 'step-end', finishReason }) as Chunk<'step-end'>
const withCall = (toolCallId: string): Message =>
  messageOf([start(toolCallId), end(toolCallId), stepEnd('tool-calls')])

describe('what is posted', () => {
  interface Sent {
    url: string
    headers: Headers
    body: Record<string, unknown>
  }
  async function sent(
    create: typeof createProxyProvider,
    options: Partial<SSEOptions> = {},
    request: Partial<ChatRequest> = {},
  ): Promise<Sent> {
    let seen: Sent | undefined
    const fetch = async (url: string, init: RequestInit) => {
      seen = { url, headers: new Headers(init.headers), body: JSON.parse(`${init.body}`) }
      return sseResponse([stepEnd('stop')])
    }
    const provider = create({ url: '/api/chat', fetch, ...options })
    for await (const _ of provider.stream(requestWith(request)));
    if (!seen) throw new Error('nothing was posted')
    return seen
  }
  const tools = [
    { name: 'look', description: 'Looks', parameters: { type: 'object' }, execute: () => 1 },
  ]
  const full: Partial<ChatRequest> = {
    messages: [user],
    tools,
    chatId: 'chat-1',
    messageId: 'msg-1',
    system: 'Be brief',
    settings: { temperature: 0 },
    toolChoice: 'auto',
    body: { tenant: 7 },
  }
  const all = {
    id: 'chat-1',
    messageId: 'msg-1',
    messages: [user],
    model: 'm',
    system: 'Be brief',
    settings: { temperature: 0 },
    toolChoice: 'auto',
    tenant: 7,
  }

  it('is the chat, its transcript as plain messages and what the app adds, but no tools', async () => {
    const { url, body } = await sent(createSSEProvider as typeof createProxyProvider, {}, full)
    expect(url).toBe('/api/chat')
    expect(body).toEqual(JSON.parse(JSON.stringify(all)))
  })

  it('holds the definitions of the tools where a proxy is asked', async () => {
    const { body } = await sent(createProxyProvider, {}, full)
    const definition = { name: 'look', description: 'Looks', parameters: { type: 'object' } }
    expect(body).toEqual(JSON.parse(JSON.stringify({ ...all, tools: [definition] })))
    expect((await sent(createProxyProvider)).body).toEqual({ messages: [], model: 'm' })
  })

  it('is what toRequest gives, exactly', async () => {
    const toRequest: SSEOptions['toRequest'] = ({ id, messages, tenant }, { model }) => ({
      chat: id,
      last: messages.at(-1)?.id,
      tenant: [tenant],
      model,
    })
    const { body } = await sent(createProxyProvider, { toRequest }, full)
    expect(body).toEqual({ chat: 'chat-1', last: user.id, tenant: [7], model: 'm' })
  })

  it('carries key and headers, those of a request over those of the options', async () => {
    const { headers } = await sent(
      createProxyProvider,
      { apiKey: async () => 'token-1', headers: () => ({ 'x-csrf': 'csrf-1', 'x-a': 'options' }) },
      { headers: { 'X-A': 'request' } },
    )
    expect([headers.get('authorization'), headers.get('x-csrf'), headers.get('x-a')]).toEqual([
      'Bearer token-1',
      'csrf-1',
      'request',
    ])
  })

  it('goes to the URL that a proxy is given alone', async () => {
    const provider = createProxyProvider('http://127.0.0.1:1/api/chat')
    expect(provider).toMatchObject({ name: 'proxy', remote: true })
    const error = await failure(
      (async () => {
        for await (const _ of provider.stream(requestWith()));
        return []
      })(),
    )
    expect([error.code, error.message]).toEqual([
      'network',
      expect.stringContaining('POST http://127.0.0.1:1/api/chat'),
    ])
  })
})

/** Every type of chunk with all its fields. */
const everyChunk: Chunk[] = [
  { type: 'message-start', runId: 'run-1', createdAt: 5, metadata: { a: 1 } },
  { type: 'reasoning-delta', text: 'Hm', id: 'r', providerMetadata: { x: { s: 1 } } },
  { type: 'text-delta', text: 'Hi', id: 't' },
  { type: 'tool-call-start', toolCallId: 'a', toolName: 'look', providerExecuted: true },
  { type: 'tool-call-delta', toolCallId: 'a', argsText: '{"b":' },
  { type: 'tool-call-end', toolCallId: 'a', toolName: 'look', args: { b: 2 } },
  { type: 'tool-call-start', toolCallId: 'c', toolName: 'gone' },
  { type: 'tool-call-cancel', toolCallId: 'c' },
  { type: 'tool-call-end', toolCallId: 'd', toolName: 'ask', args: {} },
  { type: 'step-end', finishReason: 'tool-calls', rawFinishReason: 'tool_calls' },
  { type: 'tool-start', toolCallId: 'a' },
  { type: 'tool-progress', toolCallId: 'a', progress: null },
  { type: 'tool-wait', toolCallId: 'a' },
  { type: 'tool-result', toolCallId: 'a', result: null },
  { type: 'tool-approval-request', toolCallId: 'd' },
  {
    type: 'tool-approval-response',
    toolCallId: 'd',
    approved: false,
    reason: 'no',
    args: { c: 3 },
  },
  { type: 'tool-error', toolCallId: 'd', error: 'no', errorCode: 'declined', answeredBy: 'person' },
  { type: 'file', mediaType: 'image/png', data: 'AAAA', filename: 'a.png' },
  { type: 'source', url: 'https://a.test', title: 'A' },
  { type: 'data', name: 'rows', id: 'r1', data: null },
  { type: 'metadata', metadata: { b: 2 } },
  { type: 'step-end', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } },
  { type: 'step-reset' },
  { type: 'error', code: 'quota', message: 'Enough for today' },
  { type: 'step-end', finishReason: 'error', error: { code: 'quota', message: 'Enough' } },
]

describe('the chunks of a back end', () => {
  it.each([undefined, 1, 7])('come through as they are, cut every %s bytes', async (chunkSize) => {
    expect(await read(everyChunk, chunkSize ? { chunkSize } : {})).toEqual(everyChunk)
  })

  it('may have ids, heartbeats between them and keys that nobody knows', async () => {
    const encoder = new TextEncoder()
    const events = [
      encoder.encode(': ping\n\nid: 1\ndata: {"type":"text-delta","text":"a","extra":[1]}\n\n'),
      encoder.encode(': ping\n\nid: 2\nevent: chunk\ndata: {"type":"step-end",\n'),
      encoder.encode('data: "finishReason":"stop"}\n\n'),
    ]
    expect(await read(events)).toEqual([{ ...text('a'), extra: [1] }, stepEnd('stop')])
  })

  it('may hold null for what is not there', async () => {
    const chunks = await read([
      { type: 'message-start', runId: null, createdAt: null, metadata: null },
      { type: 'text-delta', text: 'a', id: null, providerMetadata: null },
      { ...start('c'), providerExecuted: null },
      { ...end('c'), toolName: null, args: null },
      { ...stepEnd('tool-calls'), usage: null, error: null, rawFinishReason: null },
      result('c', null),
      { ...stepEnd('stop'), usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: null } },
    ])
    expect(chunks).toEqual([
      { type: 'message-start' },
      text('a'),
      start('c'),
      end('c'),
      stepEnd('tool-calls'),
      result('c', null),
      { ...stepEnd('stop'), usage: { inputTokens: 1, outputTokens: 2 } },
    ])
  })

  it('are ignored where their type is unknown or they are no chunks', async () => {
    const events = [{ type: 'constructor' }, { type: '__proto__' }, { type: 'later' }, { a: 1 }]
    const more = ['null', '5', '"text"', { type: 5 }]
    expect(await read([...events, text('a'), ...more])).toEqual([text('a')])
  })

  it.each<[object, string]>([
    [{ type: 'text-delta' }, "'text' of text-delta must be of type string"],
    [{ type: 'text-delta', text: 5 }, "'text' of text-delta must be of type string"],
    [{ type: 'text-delta', text: 'a', id: 5 }, "'id' of text-delta must be of type string"],
    [{ type: 'tool-call-start', toolCallId: 'a' }, "'toolName' of tool-call-start must be"],
    [{ type: 'tool-call-delta', toolCallId: 'a' }, "'argsText' of tool-call-delta must be"],
    [{ type: 'tool-call-end', toolName: 'a', args: {} }, "'toolCallId' of tool-call-end must be"],
    [{ type: 'tool-result', result: 1 }, "'toolCallId' of tool-result must be of type string"],
    [
      { type: 'tool-error', toolCallId: 'a', error: {} },
      "'error' of tool-error must be of type string",
    ],
    [
      { type: 'tool-approval-response', toolCallId: 'a', approved: 'yes' },
      "'approved' of tool-approval-response must be of type boolean",
    ],
    [
      { type: 'message-start', createdAt: '2026' },
      "'createdAt' of message-start must be of type number",
    ],
    [{ type: 'metadata', metadata: 'a' }, "'metadata' of metadata must be of type object"],
    [{ type: 'data', data: 1 }, "'name' of data must be of type string"],
    [{ type: 'step-end' }, "'finishReason' of step-end must be of type string"],
    [{ ...stepEnd('stop'), usage: { input: 1 } }, "'inputTokens' of usage must be of type number"],
  ])('%j is an invalid response that names the field', async (chunk, message) => {
    const chunks = await read([text('a'), chunk, text('never')])
    expect(chunks).toEqual([
      text('a'),
      { type: 'error', code: 'invalid-response', message: expect.stringContaining(message) },
    ])
  })
})

describe('the end of a stream', () => {
  const cut = { code: 'truncated', message: expect.stringContaining('(no [DONE])') }

  it('needs no step-end of ours after [DONE]', async () => {
    expect(await read([text('a'), stepEnd('stop')])).toEqual([text('a'), stepEnd('stop')])
    expect(await read([text('a')])).toEqual([text('a')])
    expect(await read([])).toEqual([])
  })

  it('is truncated without [DONE], even after a step-end', async () => {
    const truncated = { type: 'step-end', finishReason: 'truncated', error: cut }
    expect(await read([text('a')], { done: false })).toEqual([text('a'), truncated])
    const closed = await read([text('a'), stepEnd('stop')], { done: false })
    expect(closed).toEqual([text('a'), stepEnd('stop'), truncated])
  })

  it('is an error of the network where the connection broke', async () => {
    let sent = false
    const body = new ReadableStream({
      pull(controller) {
        if (sent) return controller.error(new Error('reset'))
        sent = true
        controller.enqueue(new TextEncoder().encode('data: {"type":"text-delta","text":"a"}\n\n'))
      },
    })
    expect(await read([], { options: { fetch: async () => new Response(body) } })).toEqual([
      text('a'),
      { type: 'error', code: 'network', message: expect.stringContaining('broke off (reset)') },
    ])
  })

  it('says what was answered in place of a stream', async () => {
    const answer = (body: string, status = 200) => ({
      options: { fetch: async () => new Response(body, { status }) },
    })
    const page = await failure(read([], answer('<html>Sign in</html>')))
    expect([page.code, page.message]).toEqual([
      'invalid-response',
      expect.stringContaining('answered with something else'),
    ])
    const refusal = JSON.stringify({ error: { code: 'forbidden', message: 'log in first' } })
    const refused = await failure(read([], answer(refusal, 403)))
    expect([refused.code, refused.status, refused.message]).toEqual([
      'http',
      403,
      expect.stringContaining('log in first'),
    ])
  })
})

describe('errors of a back end', () => {
  it('keep their code; what comes after them is read', async () => {
    const error = { type: 'error', code: 'quota', message: 'Enough' } as const
    const last = { ...stepEnd('error'), usage: { inputTokens: 1, outputTokens: 0 } }
    expect(await read([text('a'), error, last])).toEqual([text('a'), error, last])
  })

  it.each<[object, object]>([
    [
      { type: 'error', message: 'a' },
      { code: 'provider', message: 'a' },
    ],
    [
      { type: 'error', error: { message: 'a' } },
      { code: 'provider', message: 'a' },
    ],
    [
      { type: 'error', code: 'b' },
      { code: 'b', message: '{"type":"error","code":"b"}' },
    ],
    [{ error: 'a' }, { code: 'provider', message: 'a' }],
  ])('%j is read as %j', async (event, error) => {
    expect(await read([text('x'), event])).toEqual([text('x'), { type: 'error', ...error }])
  })

  it('may be a text in a step-end', async () => {
    const [, last] = await read([text('x'), { ...stepEnd('error'), error: 'a' }])
    expect(last).toEqual({ ...stepEnd('error'), error: { code: 'provider', message: 'a' } })
  })

  it('show no key', async () => {
    const options = { apiKey: 'secret-key', headers: { 'x-token': 'other-secret' } }
    const message = 'secret-key and other-secret are wrong'
    const chunks = await read(
      [
        text('a'),
        { type: 'error', code: 'x', message },
        { ...stepEnd('error'), error: { code: 'x', message } },
      ],
      { options },
    )
    expect(JSON.stringify(chunks)).not.toMatch(/secret/)
    expect(JSON.stringify(chunks)).toContain('*** and *** are wrong')
  })
})

describe('the rounds of a flat back end', () => {
  const inserted = stepEnd('tool-calls')
  const whole = { type: 'tool-call-end', toolCallId: 'b', toolName: 'look', args: {} } as const
  const call = [start('a'), end('a')]
  const failed = { type: 'tool-error', toolCallId: 'a', error: 'x' } as const
  const reasoning = { type: 'reasoning-delta', text: 'Hm' } as const

  it.each<[string, Chunk[], Chunk[]]>([
    ['text', [...call, result('a'), text('x')], [...call, result('a'), inserted, text('x')]],
    ['text after an error', [...call, failed, text('x')], [...call, failed, inserted, text('x')]],
    ['reasoning', [...call, result('a'), reasoning], [...call, result('a'), inserted, reasoning]],
    ['a call', [...call, result('a'), start('b')], [...call, result('a'), inserted, start('b')]],
    ['a whole call', [...call, result('a'), whole], [...call, result('a'), inserted, whole]],
  ])('%s after a result gets a step-end before it', async (_, chunks, expected) => {
    expect(await read(chunks)).toEqual(expected)
  })

  it.each<[string, Chunk[]]>([
    ['the back end closed the round itself', [...call, result('a'), inserted, text('x')]],
    ['the result came after its round', [...call, inserted, result('a'), text('x')]],
    ['no model content follows', [...call, result('a'), { type: 'data', name: 'n', data: 1 }]],
    [
      'the model ran the call inside its round',
      [{ ...start('a'), providerExecuted: true }, end('a'), result('a'), text('x')],
    ],
  ])('nothing is put in where %s', async (_, chunks) => {
    expect(await read(chunks)).toEqual(chunks)
  })

  it('nothing is put in after the result of a call of the transcript', async () => {
    const request = { messages: [user, withCall('a')] }
    const chunks = [{ type: 'tool-start', toolCallId: 'a' } as const, result('a'), text('x')]
    expect(await read(chunks, { request })).toEqual(chunks)
  })

  it('several tools one after another become several rounds', async () => {
    const second = [start('b'), end('b'), result('b', 2)]
    const { steps, parts } = messageOf(
      await read([...call, result('a'), ...second, text('x'), stepEnd('stop')]),
    )
    expect(steps.map(({ finishReason }) => finishReason)).toEqual([
      'tool-calls',
      'tool-calls',
      'stop',
    ])
    expect(parts.map(({ type, step }) => [type, step])).toEqual([
      ['tool-call', 0],
      ['tool-call', 1],
      ['text', 2],
    ])
  })
})

describe('call ids', () => {
  it('of the transcript are replaced for new calls, and later chunks go to the new ones', async () => {
    const request = { messages: [user, withCall('call_0')] }
    const delta = { type: 'tool-call-delta', toolCallId: 'call_0', argsText: '{"n":2}' }
    const chunks = await read(
      [start('call_0'), delta, end('call_0'), stepEnd('tool-calls'), result('call_0')],
      { request },
    )
    const ids = new Set(chunks.flatMap((chunk) => ('toolCallId' in chunk ? chunk.toolCallId : [])))
    expect(ids.size).toBe(1)
    expect(ids).not.toContain('call_0')
    expect(messageOf(chunks).parts).toMatchObject([{ args: { n: 2 }, state: 'result' }])
  })

  it('used twice in a stream are two calls, each with its own result', async () => {
    const whole = { type: 'tool-call-end', toolCallId: 'call_0', toolName: 'look' }
    const chunks = await read([
      { ...whole, args: { n: 1 } },
      result('call_0', 'one'),
      { ...whole, args: { n: 2 } },
      result('call_0', 'two'),
      start('call_0'),
      end('call_0'),
      result('call_0', 'three'),
    ])
    const { parts } = messageOf(chunks)
    expect(parts).toMatchObject([
      { toolCallId: 'call_0', args: { n: 1 }, result: 'one' },
      { args: { n: 2 }, result: 'two' },
      { args: {}, result: 'three' },
    ])
    expect(new Set(parts.map((part) => part.type === 'tool-call' && part.toolCallId)).size).toBe(3)
  })

  it('stay where an end names the tool again', async () => {
    const named = { ...end('a'), toolName: 'look_up' }
    expect(await read([start('a'), named])).toEqual([start('a'), named])
  })

  it('of the transcript stay without a new start', async () => {
    const request = { messages: [user, withCall('a')] }
    const chunks = [{ type: 'tool-start', toolCallId: 'a' } as const, result('a')]
    expect(await read(chunks, { request })).toEqual(chunks)
  })
})

it.each([
  ['createProxyProvider()', () => createProxyProvider(undefined as never), 'proxy'],
  ["createProxyProvider('')", () => createProxyProvider(''), 'proxy'],
  ['createSSEProvider({})', () => createSSEProvider({} as never), 'sse'],
])('%s tells that a url is missing, and asks nothing', async (_, create, name) => {
  const asked = create().stream(requestWith())[Symbol.asyncIterator]().next()
  await expect(asked).rejects.toMatchObject({ code: 'misuse', message: `${name} needs a url` })
})
