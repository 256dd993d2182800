import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProxyProvider, useChat, type AnyTool, type UseChatOptions } from 'vue-llm'
import { toJSON, type Message, type MessageInput } from 'vue-llm/core'
import { createLLMHandler, toNodeHandler, type LLMHandlerOptions } from 'vue-llm/server'
import { createScriptedProvider, finish, text, toolCall, type Script } from 'vue-llm/testing'
import { allCalls, quiet, textsOf, until } from './chatOn'

/** A chat that asks a handler over a real socket, and what came to pass on both sides. */
async function mixed(
  script: Script,
  server: Partial<LLMHandlerOptions>,
  client: Partial<UseChatOptions>,
) {
  const model = createScriptedProvider(script)
  const saved: Message[][] = []
  const handler = createLLMHandler({
    provider: model,
    model: 'm',
    onFinish: ({ messages }) => void saved.push(toJSON(messages).messages),
    onError: () => {},
    ...server,
  })
  let posts = 0
  const node = toNodeHandler(handler)
  const http = createServer((request, response) => {
    posts++
    void node(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const provider = createProxyProvider(`http://127.0.0.1:${port}/api/chat`)
  const chat = useChat({ provider, ...client })
  onTestFinished(() => {
    chat.stop()
    http.closeAllConnections()
    http.close()
  })
  return { chat, model, saved, posts: () => posts }
}

/** What both sides must agree on. */
const shapeOf = (messages: readonly MessageInput[] | undefined) =>
  messages?.map(({ id, parts, steps }) => ({ id, parts, steps }))

function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { promise, open: () => open() }
}

const three = [
  toolCall('on_server', { of: 1 }, 'c1'),
  toolCall('on_client', { of: 2 }, 'c2'),
  toolCall('ask', { of: 3 }, 'c3'),
  finish('tool-calls'),
]
const orders = [
  ['server', 'client', 'person'],
  ['server', 'person', 'client'],
  ['client', 'server', 'person'],
  ['client', 'person', 'server'],
  ['person', 'server', 'client'],
  ['person', 'client', 'server'],
] as const

describe.each(['the client’s transcript', 'a stored chat'])(
  'a round of a server tool, a client tool and a person, with %s',
  (kind) => {
    it.each(orders)(
      'that finish as %s, %s, %s: one follow-up, and both sides agree',
      async (...order) => {
        const opened = gate()
        let runs = 0
        const onServer: AnyTool = {
          name: 'on_server',
          async execute() {
            runs++
            await opened.promise
            return 'from the server'
          },
        }
        const store: { messages: Message[] } = { messages: [] }
        const isStored = kind === 'a stored chat'
        // With a store the server itself may ask: the person allows a call that then runs there.
        const asks: AnyTool = { name: 'ask', needsApproval: true, execute: () => 'from a person' }
        const { chat, model, saved, posts } = await mixed(
          [three, 'All three.'],
          isStored
            ? {
                tools: [onServer, asks],
                loadMessages: () => store.messages,
                onFinish({ messages }) {
                  store.messages = toJSON(messages).messages
                  saved.push(store.messages)
                },
              }
            : { tools: [onServer] },
          { tools: [{ name: 'on_client' }, ...(isStored ? [] : [{ name: 'ask' }])] },
        )
        const sent = chat.sendMessage('go')
        await until(() => runs && chat.pendingToolCalls.value.length === 2)
        const act = {
          async server() {
            opened.open()
            await until(() => allCalls(chat)[0]?.state === 'result')
          },
          client: () => chat.addToolResult({ toolCallId: 'c2', result: 'from the client' }),
          person: () =>
            isStored
              ? chat.answerApproval({ toolCallId: 'c3', approved: true })
              : chat.addToolResult({ toolCallId: 'c3', result: 'from a person' }),
        }
        for (const who of order) {
          expect([posts(), model.requests.length]).toEqual([1, 1])
          await act[who]()
          await quiet(10)
        }
        await sent
        await until(() => textsOf(chat)[1] === 'All three.' && chat.status.value === 'ready')
        await quiet()
        expect([posts(), model.requests.length, runs]).toEqual([2, 2, 1])
        const results = ['from the server', 'from the client', 'from a person']
        expect(allCalls(chat).map(({ state, result }) => [state, result])).toEqual(
          results.map((result) => ['result', result]),
        )
        // The model read them in the order of its calls.
        const asked = model.requests[1]?.messages.at(-1)?.parts
        expect(asked?.map((part) => part.type === 'tool-call' && part.result)).toEqual(results)
        expect(shapeOf(chat.messages.value)).toEqual(shapeOf(saved.at(-1)))
        expect(chat.messages.value[1]?.steps.map(({ finishReason }) => finishReason)).toEqual([
          'tool-calls',
          'stop',
        ])
      },
    )
  },
)

describe('the limits of both sides', () => {
  const tools = { tools: [{ name: 'on_server', execute: () => 1 }] }
  const client = { tools: [{ name: 'on_client', execute: () => 2 }] }
  /** A model that never stops calling: the server's tool, the client's, or both. */
  const endless =
    (...names: string[]): Script =>
    (_request, index) =>
      names.map((name) => toolCall(name, {}, `${name}_${index}`))
  const endOf = (chat: { messages: { value: unknown } }) =>
    allCalls(chat).map(({ toolName, state, errorCode }) => `${toolName} ${errorCode ?? state}`)

  it('rounds of the server count there, and the client does not go on past what it closed', async () => {
    const run = await mixed(endless('on_server'), { ...tools, maxToolRoundtrips: 2 }, client)
    await run.chat.sendMessage('go')
    await quiet()
    expect([run.posts(), run.model.requests.length]).toEqual([1, 3])
    expect(endOf(run.chat)).toEqual(['on_server result', 'on_server result', 'on_server limit'])
    expect(run.chat.status.value).toBe('ready')
  })

  it('rounds of the client count on the client', async () => {
    const run = await mixed(
      endless('on_client'),
      { ...tools, maxToolRoundtrips: 0 },
      { ...client, maxToolRoundtrips: 3 },
    )
    await run.chat.sendMessage('go')
    await quiet()
    expect([run.posts(), run.model.requests.length]).toEqual([4, 4])
    expect(endOf(run.chat)).toEqual([
      'on_client result',
      'on_client result',
      'on_client result',
      'on_client limit',
    ])
  })

  it.each([
    ['the server’s', 1, 9, ['on_server limit', 'on_client limit']],
    ['the client’s', 9, 1, ['on_server result', 'on_client limit']],
  ])(
    'a round of both counts for both, and %s limit ends it for both',
    async (_whose, onServer, onClient, end) => {
      const run = await mixed(
        endless('on_server', 'on_client'),
        { ...tools, maxToolRoundtrips: onServer },
        { ...client, maxToolRoundtrips: onClient },
      )
      await run.chat.sendMessage('go')
      await quiet()
      expect([run.posts(), run.model.requests.length]).toEqual([2, 2])
      expect(endOf(run.chat)).toEqual(['on_server result', 'on_client result', ...end])
      expect([run.chat.status.value, run.chat.error.value]).toEqual(['ready', undefined])
    },
  )

  it('neither goes on past a call that the other closed as limit; a new message starts anew', async () => {
    const run = await mixed(
      (_request, index) =>
        index < 3 ? [toolCall('on_server', {}, `s${index}`)] : [text('Enough.'), finish()],
      { ...tools, maxToolRoundtrips: 1 },
      client,
    )
    await run.chat.sendMessage('go')
    await quiet()
    expect([run.posts(), endOf(run.chat).at(-1)]).toEqual([1, 'on_server limit'])
    await run.chat.sendMessage('and now?')
    expect([run.posts(), textsOf(run.chat).at(-1)]).toEqual([2, 'Enough.'])
    expect(shapeOf(run.chat.messages.value)).toEqual(shapeOf(run.saved.at(-1)))
  })
})

describe('a chat with a handler', () => {
  it('stops: the server’s tool is aborted, and the chat goes on later', async () => {
    let aborted = 0
    const slow: AnyTool = {
      name: 'on_server',
      execute: (_args: unknown, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => aborted++)),
    }
    const run = await mixed([[toolCall('on_server', {}, 'c1')], 'Fine.'], { tools: [slow] }, {})
    const sent = run.chat.sendMessage('go')
    await until(() => allCalls(run.chat)[0]?.state === 'running')
    run.chat.stop()
    await sent
    await until(() => aborted)
    expect(allCalls(run.chat)).toMatchObject([{ state: 'error', errorCode: 'stopped' }])
    await run.chat.sendMessage()
    expect(textsOf(run.chat)).toEqual(['go', 'Fine.'])
    expect(run.model.requests[1]?.messages[1]?.parts).toMatchObject([{ errorCode: 'stopped' }])
  })

  it('shows a masked error, and asks again', async () => {
    const run = await mixed([[text('a'), new Error('secret')], 'b'], {}, {})
    await run.chat.sendMessage('go')
    expect([run.chat.status.value, run.chat.error.value?.message]).toEqual([
      'error',
      'the server could not answer',
    ])
    await run.chat.sendMessage()
    expect([run.chat.status.value, textsOf(run.chat)]).toEqual(['ready', ['go', 'b']])
  })

  it('tells what was refused before the stream', async () => {
    const refuse = () =>
      Promise.reject(Response.json({ error: { message: 'log in' } }, { status: 401 }))
    const run = await mixed([], { authorize: refuse }, {})
    await run.chat.sendMessage('go')
    expect(run.chat.error.value).toMatchObject({ code: 'http', status: 401 })
    expect(run.chat.error.value?.message).toContain('log in')
  })

  it('regenerates and goes on after a failure with a stored chat, too', async () => {
    const store: { messages: Message[] } = { messages: [] }
    const run = await mixed(
      [
        [toolCall('on_client', {}, 'c1')],
        [text('half'), new Error('x')],
        'whole',
        [toolCall('on_client', {}, 'c2')],
        'anew',
      ],
      {
        loadMessages: () => store.messages,
        onFinish: ({ messages }) => void (store.messages = toJSON(messages).messages),
      },
      { tools: [{ name: 'on_client', execute: () => 2 }] },
    )
    await run.chat.sendMessage('go')
    expect(run.chat.status.value).toBe('error')
    await run.chat.sendMessage()
    expect(textsOf(run.chat)).toEqual(['go', 'whole'])
    expect(shapeOf(run.chat.messages.value)).toEqual(shapeOf(store.messages))
    await run.chat.regenerate()
    expect(textsOf(run.chat)).toEqual(['go', 'anew'])
    expect(shapeOf(run.chat.messages.value)).toEqual(shapeOf(store.messages))
  })
})
