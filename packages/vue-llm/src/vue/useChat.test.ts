import { describe, expect, it, vi } from 'vitest'
import {
  computed,
  createApp,
  defineComponent,
  effectScope,
  h,
  isRef,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  shallowRef,
  watch,
  type Component,
} from 'vue'
import { isLLMError, LLMError, type Chunk, type Provider } from '../core'
import { createScriptedProvider, finish, hang, toolCall, type Script } from '../testing'
import { useChat, type FinishEvent, type UseChatOptions } from './useChat'

/** A chat whose provider plays the rounds given. */
function chatOf(script: Script, options: Partial<UseChatOptions> = {}) {
  const provider = createScriptedProvider(script)
  return { provider, ...useChat({ provider, model: 'm', ...options }) }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve))
const textOf = (chat: Pick<ReturnType<typeof useChat>, 'messages'>) =>
  chat.messages.value.map(({ parts }) =>
    parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('|'),
  )

/** Mounts a component into a page of its own. */
function mount(component: Component) {
  const root = document.createElement('div')
  const app = createApp(component)
  app.mount(root)
  return { root, app }
}

describe('data options', () => {
  const values = {
    model: ['m1', 'm2'],
    system: ['s1', 's2'],
    settings: [{ temperature: 0 }, { temperature: 1 }],
    headers: [{ a: '1' }, { a: '2' }],
    body: [{ b: 1 }, { b: 2 }],
    tools: [[{ name: 't1' }], [{ name: 't2' }]],
    toolChoice: ['none', { name: 't2' }],
  } as const
  const names = Object.keys(values) as (keyof typeof values)[]

  it.each(names)('%s may be a value, a ref or a getter, read at each request', async (name) => {
    const [first, second] = values[name]
    const current = shallowRef<unknown>(first)
    for (const option of [current, () => current.value, computed(() => current.value)]) {
      current.value = first
      const chat = chatOf(['a', 'b'], { [name]: option })
      await chat.sendMessage('1')
      current.value = second
      await chat.sendMessage('2')
      expect(chat.provider.requests.map((request) => request[name])).toEqual([first, second])
    }
    const chat = chatOf(['a'], { [name]: first })
    await chat.sendMessage('1')
    expect(chat.provider.requests[0]?.[name]).toEqual(first)
  })

  it('that are not given, or undefined, are not in the request', async () => {
    const chat = chatOf(['a'], { system: undefined, settings: () => undefined, headers: ref() })
    await chat.sendMessage('1')
    const request = chat.provider.requests[0] ?? {}
    expect(Object.keys(request).sort()).toEqual([
      'chatId',
      'messageId',
      'messages',
      'model',
      'signal',
      'tools',
    ])
  })

  it('change within a turn: the follow-up after a tool has the new ones', async () => {
    const model = ref('m1')
    const tools = [{ name: 't', execute: () => (model.value = 'm2') }]
    const chat = chatOf([[toolCall('t'), finish()], 'b'], { model, tools })
    await chat.sendMessage('1')
    expect(chat.provider.requests.map((request) => request.model)).toEqual(['m1', 'm2'])
  })

  it('never touch the messages when they change', async () => {
    const system = ref('a')
    const initialMessages = shallowRef([{ role: 'user' as const, content: 'x' }])
    const chat = chatOf(['a'], { system, initialMessages })
    const before = chat.messages.value
    system.value = 'b'
    initialMessages.value = []
    await nextTick()
    expect(chat.messages.value).toBe(before)
    expect(textOf(chat)).toEqual(['x'])
  })

  it('provider may change, in a deep ref as well, and is never made reactive', async () => {
    class Own implements Provider {
      name = 'own'
      #secret = 'private'
      async *stream(): AsyncGenerator<Chunk> {
        yield { type: 'text-delta', text: this.#secret }
      }
    }
    const provider = ref<Provider>(createScriptedProvider(['first']))
    const chat = useChat({ provider, model: 'm' })
    await chat.sendMessage('1')
    provider.value = new Own()
    await chat.sendMessage('2')
    expect(textOf(chat)).toEqual(['1', 'first', '2', 'private'])
    expect(chat.error.value).toBeUndefined()
  })

  it('tools in a deep ref run as they are', async () => {
    class Tools {
      #secret = 7
      name = 't'
      execute() {
        return this.#secret
      }
    }
    const chat = chatOf([[toolCall('t'), finish()], 'b'], { tools: ref([new Tools()]) as never })
    await chat.sendMessage('1')
    expect(chat.messages.value[1]?.parts[0]).toMatchObject({ state: 'result', result: 7 })
  })

  it('maxToolRoundtrips and autoSendToolResults are read when they are needed', async () => {
    const maxToolRoundtrips = ref(5)
    const autoSendToolResults = ref(true)
    const call = [toolCall('t'), finish()]
    const chat = chatOf(() => call, {
      maxToolRoundtrips,
      autoSendToolResults,
      tools: [{ name: 't', execute: () => (maxToolRoundtrips.value = 1) }],
    })
    await chat.sendMessage('1')
    expect(chat.provider.requests).toHaveLength(2)
    const asking = chatOf([call, 'b'], { autoSendToolResults, tools: [{ name: 't' }] })
    await asking.sendMessage('1')
    autoSendToolResults.value = false
    await asking.addToolResult({ toolCallId: 'call_1', result: 1 })
    await pause()
    expect(asking.provider.requests).toHaveLength(1)
  })

  it('generateId makes the ids of both messages', async () => {
    let count = 0
    const chat = chatOf(['a'], { generateId: () => `id${++count}` })
    await chat.sendMessage('1')
    expect(chat.messages.value.map(({ id }) => id)).toEqual(['id1', 'id2'])
  })

  it.each([undefined, '/api/chat', {}])(
    '%j for a provider: the error names what is missing',
    async (given) => {
      const chat = chatOf([], { provider: given as unknown as Provider })
      await chat.sendMessage('Hi')
      expect(chat.error.value).toMatchObject({
        code: 'misuse',
        message: 'useChat needs a provider',
      })
      expect(textOf(chat)).toEqual(['Hi'])
    },
  )
})

describe('id', () => {
  it('is made at the first send, and kept', async () => {
    const chat = chatOf(['a', 'b'])
    expect(chat.id.value).toBeUndefined()
    await chat.sendMessage('1')
    const made = chat.id.value
    expect(made).toMatch(/^chat_/)
    await chat.sendMessage('2')
    expect(chat.provider.requests.map(({ chatId }) => chatId)).toEqual([made, made])
  })

  it.each([
    ['a ref', (id: { value: string }) => id],
    ['a getter', (id: { value: string }) => () => id.value],
    ['a computed', (id: { value: string }) => computed(() => id.value)],
  ] as const)(
    'as %s, when it changes, shows the initial messages of the new id',
    async (_, wrap) => {
      const id = ref('one')
      const initialMessages = () =>
        id.value === 'two' ? [{ role: 'user' as const, content: 'of two' }] : undefined
      const chat = chatOf([['late', hang]], {
        id: wrap(id) as never,
        initialMessages,
        throttleMs: 0,
      })
      const sent = chat.sendMessage('1')
      await vi.waitFor(() => expect(chat.status.value).toBe('streaming'))
      const old = chat.messages.value
      chat.sendMessage('queued')
      id.value = 'two'
      expect(chat.id.value).toBe('two')
      expect(textOf(chat)).toEqual(['of two'])
      expect([chat.status.value, chat.queued.value]).toEqual(['ready', []])
      await sent
      expect(old.map(({ steps }) => steps)).toEqual([[], [{ finishReason: 'stopped' }]])
      expect(textOf(chat)).toEqual(['of two'])
      id.value = 'three'
      expect(textOf(chat)).toEqual([])
    },
  )

  it('is sent with each request', async () => {
    const chat = chatOf(['a'], { id: 'fixed' })
    await chat.sendMessage('1')
    expect([chat.id.value, chat.provider.requests[0]?.chatId]).toEqual(['fixed', 'fixed'])
  })
})

describe('callbacks', () => {
  it('onFinish gets the answer, the transcript, the reason and the tokens', async () => {
    const events: FinishEvent[] = []
    const usage = { inputTokens: 3, outputTokens: 4 }
    const chat = chatOf(
      [
        [toolCall('t'), finish('tool-calls', usage)],
        ['b', finish('stop', { ...usage, reasoningTokens: 1 })],
      ],
      { tools: [{ name: 't', execute: () => 1 }], onFinish: (event) => events.push(event) },
    )
    await chat.sendMessage('1')
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      message: { role: 'assistant', parts: [{ type: 'tool-call' }, { text: 'b' }] },
      finishReason: 'stop',
      usage: { inputTokens: 6, outputTokens: 8, reasoningTokens: 1 },
      isAbort: false,
      isError: false,
    })
    expect(events[0]?.messages).toBe(chat.messages.value)
  })

  it('onFinish tells an abort from an error, and has no message where a request failed', async () => {
    const seen: unknown[] = []
    const options: Partial<UseChatOptions> = {
      onFinish: ({ message, isAbort, isError }) => seen.push([!!message, isAbort, isError]),
      onError: (error) => seen.push(error.code),
    }
    const stopped = chatOf([['a', hang]], options)
    const sent = stopped.sendMessage('1')
    await vi.waitFor(() => expect(stopped.status.value).toBe('streaming'))
    stopped.stop()
    await sent
    await chatOf([[new LLMError('network', 'down')]], options).sendMessage('1')
    await chatOf([['a', new LLMError('network', 'down')]], options).sendMessage('1')
    expect(seen).toEqual([
      [true, true, false],
      'network',
      [false, false, true],
      'network',
      [true, false, true],
    ])
  })

  it('onChunk gets every chunk after it was applied', async () => {
    const seen: string[] = []
    const chat = chatOf([['a', 'b', finish()]], {
      onChunk: (chunk) => seen.push(`${chunk.type} ${textOf(chat)[1]}`),
      throttleMs: 0,
    })
    await chat.sendMessage('1')
    expect(seen).toEqual(['text-delta a', 'text-delta ab', 'step-end ab'])
  })

  it.each(['onFinish', 'onError', 'onChunk'] as const)(
    '%s that throws is reported and does not hold the chat',
    async (name) => {
      const rejections: unknown[] = []
      const listeners = process.listeners('unhandledRejection')
      process.removeAllListeners('unhandledRejection')
      process.on('unhandledRejection', (error) => rejections.push(error))
      const script: Script = name === 'onError' ? [[new Error('down')], 'b'] : ['a', 'b']
      const chat = chatOf(script, {
        [name]: () => {
          throw new Error('mine')
        },
      })
      await chat.sendMessage('1')
      await chat.sendMessage('2')
      await pause()
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
      expect(textOf(chat).at(-1)).toBe('b')
      expect(chat.status.value).toBe('ready')
      expect(rejections[0]).toMatchObject({ message: 'mine' })
    },
  )

  it('may send again from onFinish', async () => {
    let left = 2
    const chat = chatOf(() => 'a', {
      onFinish: () => void (left-- > 0 && chat.sendMessage('again')),
    })
    await chat.sendMessage('1')
    await vi.waitFor(() => expect(textOf(chat)).toEqual(['1', 'a', 'again', 'a', 'again', 'a']))
  })
})

describe('what useChat returns', () => {
  it('input and handleSubmit send what was typed, and only that', async () => {
    const chat = chatOf(['a'])
    const preventDefault = vi.fn<() => void>()
    await chat.handleSubmit({ preventDefault })
    chat.input.value = '  '
    await chat.handleSubmit()
    expect(chat.provider.requests).toHaveLength(0)
    chat.input.value = 'hello'
    const sent = chat.handleSubmit({ preventDefault })
    expect([chat.input.value, chat.status.value]).toEqual(['', 'submitted'])
    await sent
    expect(textOf(chat)).toEqual(['hello', 'a'])
    expect(preventDefault).toHaveBeenCalledTimes(2)
  })

  it('status goes submitted, streaming, ready', async () => {
    const chat = chatOf([[pause, 'a', pause, finish()]])
    const seen = [chat.status.value]
    watch(chat.status, (status) => seen.push(status), { flush: 'sync' })
    const sent = chat.sendMessage('1')
    expect(chat.status.value).toBe('submitted')
    await sent
    expect(seen).toEqual(['ready', 'submitted', 'streaming', 'ready'])
  })

  it('error and clearError', async () => {
    const chat = chatOf([[new LLMError('http', 'no', { status: 500 })], 'a'])
    await chat.sendMessage('1')
    expect(chat.status.value).toBe('error')
    expect(isLLMError(chat.error.value, 'http')).toBe(true)
    chat.clearError()
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    await chat.sendMessage()
    expect(textOf(chat)).toEqual(['1', 'a'])
  })

  it('clearError does not disturb an answer that runs', async () => {
    const chat = chatOf([['a', hang]])
    void chat.sendMessage('1')
    await vi.waitFor(() => expect(chat.status.value).toBe('streaming'))
    chat.clearError()
    expect(chat.status.value).toBe('streaming')
    chat.stop()
  })

  it('pendingToolCalls hold the calls that wait for a person, in order', async () => {
    const chat = chatOf(
      [
        [toolCall('ask', {}, 'a'), toolCall('run', {}, 'b'), toolCall('allow', {}, 'c'), finish()],
        'x',
      ],
      {
        tools: [
          { name: 'ask' },
          { name: 'run', execute: () => 1 },
          { name: 'allow', execute: () => 2, needsApproval: true },
        ],
      },
    )
    await chat.sendMessage('1')
    const ids = () => chat.pendingToolCalls.value.map(({ toolCallId }) => toolCallId)
    expect(ids()).toEqual(['a', 'c'])
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    expect(ids()).toEqual(['c'])
    await chat.answerApproval({ toolCallId: 'c', approved: true })
    await vi.waitFor(() => expect(chat.status.value).toBe('ready'))
    expect(ids()).toEqual([])
    expect(textOf(chat).at(-1)).toBe('tool-call|tool-call|tool-call|x')
  })

  it('queued shows what waits, and empties as it is sent', async () => {
    const chat = chatOf(['a', 'b', 'c'])
    const all = Promise.all(['1', '2', '3'].map((text) => chat.sendMessage(text)))
    expect(chat.queued.value).toEqual([{ content: '2' }, { content: '3' }])
    await all
    expect(chat.queued.value).toEqual([])
    expect(textOf(chat)).toEqual(['1', 'a', '2', 'b', '3', 'c'])
  })

  it('usage adds up over the whole chat', async () => {
    const chat = chatOf([
      ['a', finish('stop', { inputTokens: 1, outputTokens: 2 })],
      'b',
      ['c', finish('stop', { inputTokens: 4, outputTokens: 8, cachedInputTokens: 3 })],
    ])
    expect(chat.usage.value).toEqual({ inputTokens: 0, outputTokens: 0 })
    for (const text of ['1', '2', '3']) await chat.sendMessage(text)
    expect(chat.usage.value).toEqual({ inputTokens: 5, outputTokens: 10, cachedInputTokens: 3 })
  })

  it('setMessages, clear and regenerate', async () => {
    const chat = chatOf(['a', 'b'])
    chat.setMessages([{ role: 'user', content: 'x' }])
    await chat.sendMessage()
    expect(textOf(chat)).toEqual(['x', 'a'])
    await chat.regenerate()
    expect(textOf(chat)).toEqual(['x', 'b'])
    chat.clear()
    expect([textOf(chat), chat.status.value]).toEqual([[], 'ready'])
    await chat.regenerate()
    await chat.sendMessage()
    await chat.sendMessage('')
    expect(chat.provider.requests).toHaveLength(2)
  })

  it('a message may have parts and metadata', async () => {
    const chat = chatOf(['a'])
    const file = { type: 'file' as const, mediaType: 'image/png', data: 'AAAA' }
    await chat.sendMessage({ id: 'mine', content: 'look', parts: [file], metadata: { from: 'me' } })
    expect(chat.messages.value[0]).toMatchObject({
      id: 'mine',
      role: 'user',
      parts: [file, { type: 'text', text: 'look' }],
      metadata: { from: 'me' },
    })
  })

  it('stop flushes what has come before it closes', async () => {
    const chat = chatOf([['a', 'b', 'c', hang]], { throttleMs: 10_000 })
    const sent = chat.sendMessage('1')
    await vi.waitFor(() => expect(chat.status.value).toBe('streaming'))
    await pause()
    expect(textOf(chat)).toEqual(['1', 'a'])
    chat.stop()
    expect(textOf(chat)).toEqual(['1', 'abc'])
    expect(chat.messages.value[1]?.steps).toEqual([{ finishReason: 'stopped' }])
    await sent
  })

  it('is flat and works inside reactive()', async () => {
    const provider = createScriptedProvider(['a'])
    const chat = reactive(useChat({ provider, model: 'm' }))
    chat.input = 'hi'
    await chat.handleSubmit()
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(chat.usage.inputTokens).toBe(0)
    chat.messages = []
    expect(chat.messages).toEqual([])
    const plain = useChat({ provider, model: 'm' })
    const refs = Object.entries(plain).filter(([, value]) => isRef(value))
    expect(refs.map(([name]) => name)).toEqual([
      'messages',
      'status',
      'error',
      'input',
      'pendingToolCalls',
      'queued',
      'tools',
      'usage',
      'id',
    ])
  })
})

describe('the scope', () => {
  it('is not needed, and nothing is warned', async () => {
    const chat = chatOf(['a'], { id: () => 'x' })
    await chat.sendMessage('1')
    expect(textOf(chat)).toEqual(['1', 'a'])
  })

  it('ends the chat: the request is aborted, nothing is requested later', async () => {
    const scope = effectScope()
    const id = ref('a')
    const chat = scope.run(() => chatOf([['a', hang], 'b'], { id }))
    if (!chat) throw new Error('no chat')
    const sent = chat.sendMessage('1')
    await vi.waitFor(() => expect(chat.status.value).toBe('streaming'))
    scope.stop()
    await sent
    expect(chat.provider.requests[0]?.signal.aborted).toBe(true)
    expect(chat.status.value).toBe('ready')
    await chat.sendMessage('2')
    await chat.regenerate()
    expect(chat.provider.requests).toHaveLength(1)
    const shown = textOf(chat)
    id.value = 'b'
    expect(textOf(chat)).toEqual(shown)
  })

  it('of a component aborts on unmount', async () => {
    let chat: ReturnType<typeof chatOf> | undefined
    const { app } = mount({
      setup() {
        chat = chatOf([['a', hang]])
        return () => h('p', chat?.status.value)
      },
    })
    if (!chat) throw new Error('no chat')
    void chat.sendMessage('1')
    await vi.waitFor(() => expect(chat?.status.value).toBe('streaming'))
    app.unmount()
    expect(chat.provider.requests[0]?.signal.aborted).toBe(true)
  })

  it('of a component under KeepAlive goes on while it is deactivated', async () => {
    let chat: ReturnType<typeof chatOf> | undefined
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const Chat = defineComponent({
      setup() {
        chat = chatOf([['a', () => waiting, 'b', finish()]])
        return () => h('p', chat && textOf(chat).join())
      },
    })
    const shown = ref(true)
    const { root, app } = mount(() => h(KeepAlive, () => (shown.value ? h(Chat) : null)))
    const sent = chat?.sendMessage('1')
    await vi.waitFor(() => expect(chat?.status.value).toBe('streaming'))
    shown.value = false
    await nextTick()
    expect(root.textContent).toBe('')
    goOn()
    await sent
    expect(chat?.status.value).toBe('ready')
    shown.value = true
    await nextTick()
    expect(root.textContent).toBe('1,ab')
    app.unmount()
  })
})
