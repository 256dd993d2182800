// long: a socket's other end, and what it may do
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMessage, runChat, type LLMError, type Message } from '../core'
import { createWebSocketProvider, type WebSocketLike, type WebSocketOptions } from './webSocket'

/** A socket whose other end is this test. */
class FakeSocket implements WebSocketLike {
  readonly #listeners: Record<string, (event: { type: string; data?: unknown }) => void> = {}
  readonly sent: string[] = []
  isClosed = false
  readonly answer: (socket: FakeSocket, text: string) => void
  constructor(answer: (socket: FakeSocket, text: string) => void, opens: boolean) {
    this.answer = answer
    queueMicrotask(() => (opens ? this.#tell('open') : this.drop()))
  }
  addEventListener(
    type: string,
    listener: (event: { type: string; data?: unknown }) => void,
  ): void {
    this.#listeners[type] = listener
  }
  #tell(type: string, event: object = {}): void {
    this.#listeners[type]?.({ type, ...event })
  }
  send(data: string): void {
    this.sent.push(data)
    this.answer(this, (JSON.parse(data) as { text: string }).text)
  }
  close(): void {
    this.isClosed = true
  }
  say(...events: unknown[]): void {
    for (const event of events) {
      const data = typeof event === 'string' ? event : JSON.stringify(event)
      this.#tell('message', { data })
    }
  }
  drop(): void {
    this.#tell('close')
  }
}

function connectTo(answer: (socket: FakeSocket, text: string) => void, opens = true) {
  const sockets: FakeSocket[] = []
  const options: WebSocketOptions = {
    url: 'ws://user:pass@host/ws?token=secret',
    connect() {
      const socket = new FakeSocket(answer, opens)
      sockets.push(socket)
      return socket
    },
  }
  const provider = createWebSocketProvider(options)
  const messages: Message[] = []
  async function ask(signal?: AbortSignal): Promise<LLMError | undefined> {
    let failure: LLMError | undefined
    const onError = (error: LLMError) => (failure = error)
    const run = runChat({ provider, messages, request: { model: '' }, signal, onError })
    for await (const chunk of run) void chunk
    return failure
  }
  function say(content: string, signal?: AbortSignal): Promise<LLMError | undefined> {
    messages.push(createMessage('user', { content }))
    return ask(signal)
  }
  /** As `regenerate` does. */
  function again(): Promise<LLMError | undefined> {
    messages.pop()
    return ask()
  }
  return { sockets, provider, messages, say, again }
}

const end = { type: 'assistant_end' }
const delta = (text: string) => ({ type: 'assistant_delta', text })

it('text, calls and results become a message', async () => {
  const { messages, say, sockets } = connectTo((socket) =>
    socket.say(
      { type: 'tool_call', name: 'get_weather', arguments: { city: 'Paris' }, id: 'a' },
      { type: 'tool_call', name: 'get_time', arguments: {}, id: 'b' },
      { type: 'tool_result', id: 'a', name: 'get_weather', result: { temp: 18 } },
      { type: 'tool_result', id: 'b', name: 'get_time', error: 'no clock' },
      delta('It is '),
      delta('18.'),
      end,
    ),
  )
  expect(await say('weather?')).toBeUndefined()
  expect(sockets[0]?.sent).toEqual(['{"type":"user_text","text":"weather?"}'])
  expect(messages[1]).toMatchObject({
    steps: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
    parts: [
      { toolCallId: 'a', toolName: 'get_weather', args: { city: 'Paris' }, state: 'result' },
      { toolCallId: 'b', state: 'error', error: 'no clock' },
      { type: 'text', text: 'It is 18.', state: 'done', step: 1 },
    ],
  })
})

it('the guide’s own events are enough: without ids and results a call has run all the same', async () => {
  const { messages, say } = connectTo((socket) =>
    socket.say(
      { type: 'tool_call', name: 'get_weather', arguments: { city: 'Rome' } },
      delta('Mild.'),
      end,
    ),
  )
  await say('weather?')
  expect(messages[1]?.parts).toMatchObject([
    { toolName: 'get_weather', state: 'result', result: null, providerExecuted: true },
    { text: 'Mild.' },
  ])
})

it('one connection serves the whole chat, and a lost one is opened anew', async () => {
  const { sockets, say } = connectTo((socket) => socket.say(delta('x'), end))
  await say('one')
  await say('two')
  expect(sockets.map(({ sent }) => sent.length)).toEqual([2])
  sockets[0]?.drop()
  await say('three')
  expect(sockets).toHaveLength(2)
})

it('stop closes the connection, and the next message opens another', async () => {
  const { sockets, say, messages } = connectTo((socket, text) =>
    text === 'long' ? socket.say(delta('begin')) : socket.say(delta('new'), end),
  )
  const stop = new AbortController()
  const stopped = say('long', stop.signal)
  await expect.poll(() => messages.length).toBe(2)
  stop.abort()
  await stopped
  expect(messages[1]).toMatchObject({
    parts: [{ text: 'begin' }],
    steps: [{ finishReason: 'stopped' }],
  })
  await expect.poll(() => sockets[0]?.isClosed).toBe(true)
  await say('next')
  expect(messages.at(-1)).toMatchObject({ parts: [{ text: 'new' }] })
})

describe('what the server remembers is of this chat', () => {
  it('a chat that was cleared begins a new conversation', async () => {
    const { sockets, say, messages } = connectTo((socket) => socket.say(delta('x'), end))
    await say('one')
    messages.splice(0)
    await say('two')
    expect(sockets.map(({ isClosed, sent }) => [isClosed, sent.length])).toEqual([
      [true, 1],
      [false, 1],
    ])
  })

  it('so does the first message asked anew; a later one is said once more', async () => {
    const { sockets, say, again } = connectTo((socket) => socket.say(delta('x'), end))
    await say('one')
    await again()
    expect(sockets.map(({ sent }) => sent.length)).toEqual([1, 1])
    await say('two')
    await again()
    expect(sockets.map(({ sent }) => sent.length)).toEqual([1, 3])
  })

  it('a transcript from before the connection goes on over it', async () => {
    const { sockets, say, messages } = connectTo((socket) => socket.say(delta('x'), end))
    messages.push(createMessage('user', { content: 'old' }), createMessage('assistant'))
    await say('one')
    await say('two')
    expect(sockets.map(({ sent }) => sent.length)).toEqual([2])
  })
})

it('a message sent in the tick of a stop opens another connection', async () => {
  const { sockets, say, messages } = connectTo((socket, content) =>
    content === 'long' ? socket.say(delta('begin')) : socket.say(delta('new'), end),
  )
  const stop = new AbortController()
  const stopped = say('long', stop.signal)
  await expect.poll(() => messages.length).toBe(2)
  stop.abort()
  expect(await say('next')).toBeUndefined()
  await stopped
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(messages.at(-1)).toMatchObject({ parts: [{ text: 'new' }] })
})

it('two messages at once: the second is told that the socket is busy, and the first is answered', async () => {
  const { sockets, provider, say } = connectTo((socket) =>
    setTimeout(() => socket.say(delta('x'), end)),
  )
  const first = say('one')
  const other = [createMessage('user', { content: 'other' })]
  const errors: LLMError[] = []
  const onError = (error: LLMError) => errors.push(error)
  for await (const chunk of runChat({ provider, messages: other, request: { model: '' }, onError }))
    void chunk
  expect(errors).toMatchObject([{ code: 'misuse' }])
  expect(await first).toBeUndefined()
  expect(sockets.map(({ isClosed, sent }) => [isClosed, sent.length])).toEqual([[false, 1]])
})

it('the address alone is enough where there is a WebSocket', async () => {
  const opened: string[] = []
  class Socket extends FakeSocket {
    constructor(url: string) {
      opened.push(url)
      super((socket) => socket.say(delta('x'), end), true)
    }
  }
  vi.stubGlobal('WebSocket', Socket)
  onTestFinished(() => void vi.unstubAllGlobals())
  const provider = createWebSocketProvider('ws://host/ws')
  const messages = [createMessage('user', { content: 'hi' })]
  for await (const chunk of runChat({ provider, messages, request: { model: '' } })) void chunk
  expect(opened).toEqual(['ws://host/ws'])
  expect(messages[1]?.parts).toMatchObject([{ text: 'x' }])
})

describe('what goes wrong', () => {
  it('a server that is not there: network, without the secrets of the address', async () => {
    const { say } = connectTo(() => {}, false)
    const error = await say('hi')
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringContaining('ws://host/ws '),
    })
    expect(error?.message).not.toMatch(/secret|pass/)
  })

  it('an error event before the end', async () => {
    const { say, messages } = connectTo((socket) =>
      socket.say(delta('so far'), { type: 'error', message: 'the model is down' }, end),
    )
    expect(await say('hi')).toMatchObject({ code: 'provider', message: 'the model is down' })
    expect(messages[1]?.parts).toMatchObject([{ text: 'so far' }])
  })

  it('a message that the server did not take ends the turn', async () => {
    const { say } = connectTo((socket) =>
      socket.say({ type: 'error', message: 'too many wait', refused: true }),
    )
    expect(await say('hi')).toMatchObject({ message: 'too many wait' })
  })

  it('a connection that closes in the middle: truncated, the text stays', async () => {
    const { say, messages } = connectTo((socket) => {
      socket.say(delta('so far'))
      socket.drop()
    })
    expect(await say('hi')).toMatchObject({ code: 'truncated' })
    expect(messages[1]?.parts).toMatchObject([{ text: 'so far' }])
  })

  it('frames that are no events of the protocol are left alone', async () => {
    const { say, messages } = connectTo((socket) =>
      socket.say('no json', '1', 'null', { type: 'toString' }, { type: 'pong' }, delta('ok'), end),
    )
    expect(await say('hi')).toBeUndefined()
    expect(messages[1]?.parts).toMatchObject([{ text: 'ok' }])
  })

  it('a message without text is not sent', async () => {
    const { say, sockets } = connectTo(() => {})
    expect(await say('  ')).toMatchObject({ code: 'misuse' })
    expect(sockets).toHaveLength(0)
  })

  it('a socket that never opens ends in time', async () => {
    const silent: WebSocketLike = {
      send() {},
      close() {},
      addEventListener() {},
    }
    const provider = createWebSocketProvider({
      url: 'ws://h',
      connectMs: 10,
      connect: () => silent,
    })
    const messages = [createMessage('user', { content: 'hi' })]
    const errors: LLMError[] = []
    const run = runChat({
      provider,
      messages,
      request: { model: '' },
      onError: (error) => errors.push(error),
    })
    for await (const chunk of run) void chunk
    expect(errors).toMatchObject([{ code: 'timeout' }])
  })
})
