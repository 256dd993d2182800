import { describe, expect, it, vi } from 'vitest'
import { computed, isReactive, nextTick, reactive, ref, toRaw, watch, watchEffect } from 'vue'
import {
  applyChunk,
  createMessage,
  type Chunk,
  type Message,
  type MessageInput,
  type Provider,
} from '../core'
import { createScriptedProvider, finish, hang, streamedToolCall, toolCall } from '../testing'
import { sealPayloads } from './payload'
import { useChat, type UseChatOptions, type UseChatReturn } from './useChat'

type Options = Partial<UseChatOptions>

const tick = () => nextTick()
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 10))

/** A chat whose provider plays the rounds given. */
function chatOf(script: Parameters<typeof createScriptedProvider>[0], options: Options = {}) {
  const provider = createScriptedProvider(script)
  return { provider, ...useChat({ provider, model: 'm', ...options }) }
}

/** Whatever is frozen, all the way down. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

const lastCall = ({ messages }: Pick<UseChatReturn, 'messages'>) => {
  const part = messages.value.at(-1)?.parts.findLast(({ type }) => type === 'tool-call')
  if (part?.type !== 'tool-call') throw new Error('no tool call')
  return part
}

const restored: MessageInput[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }], metadata: { a: { b: 1 } } },
  {
    id: '2',
    role: 'assistant',
    parts: [
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'ask',
        args: { deep: { list: [1] } },
        state: 'pending',
      },
      { type: 'data', name: 'd', data: { rows: [{ a: 1 }] } },
    ],
    steps: [{ finishReason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } }],
  },
]

describe('initialMessages', () => {
  const copy = () => structuredClone(restored)
  it.each<[string, (list: MessageInput[]) => UseChatOptions['initialMessages']]>([
    ['a plain array', (list) => list],
    ['a deeply frozen array', deepFreeze],
    ['a getter', (list) => () => list],
    ['a ref', (list) => ref(list)],
    ['a ref of a frozen array', (list) => ref(deepFreeze(list))],
    ['a computed', (list) => computed(() => deepFreeze(list))],
    ['a reactive array', (list) => reactive(list)],
    [
      'a computed part of a reactive array',
      (list) => {
        const store = reactive({ list })
        return computed(() =>
          store.list.filter(({ parts }) => parts?.length).map((one) => ({ ...one })),
        )
      },
    ],
  ])('%s is neither changed nor thrown upon, and its chat goes on', async (_, wrap) => {
    const list = copy()
    const initialMessages = wrap(list)
    const chat = chatOf(['abc', 'def'], { initialMessages })
    await chat.addToolResult({ toolCallId: 'c', result: 1 })
    await vi.waitFor(() => expect(chat.status.value).toBe('ready'))
    await chat.sendMessage('more')
    expect(list).toEqual(restored)
    expect(chat.messages.value.map(({ parts }) => parts.at(-1))).toMatchObject([
      { text: 'hi' },
      { text: 'abc', state: 'done' },
      { text: 'more' },
      { text: 'def' },
    ])
    expect(() => structuredClone(toRaw(chat.messages.value))).not.toThrow()
    expect(chat.messages.value[0]).not.toBe(list[0])
  })

  it('of a setMessages call and of an assignment are copied as well', async () => {
    const chat = chatOf(['abc', 'def'])
    const list = deepFreeze(copy())
    chat.setMessages(list)
    await chat.sendMessage('go')
    chat.messages.value = list as Message[]
    await chat.sendMessage('go')
    expect(list).toEqual(restored)
    expect(chat.messages.value).toHaveLength(4)
  })

  it('assigned while an answer runs end it', async () => {
    const chat = chatOf([['a', () => new Promise(() => {})]])
    const sent = chat.sendMessage('go')
    await vi.waitFor(() => expect(chat.status.value).toBe('streaming'))
    chat.messages.value = []
    await sent
    expect([chat.status.value, chat.messages.value]).toEqual(['ready', []])
  })
})

describe('a watcher with throttleMs: 0 (state case D1)', () => {
  it('sees a text grow by each chunk', async () => {
    const chat = chatOf([['a', tick, 'b', tick, 'c', tick, finish()]], { throttleMs: 0 })
    const part = computed(() => chat.messages.value[1]?.parts[0])
    const seen: unknown[] = []
    watch(
      () => part.value?.type === 'text' && part.value.text,
      (text) => seen.push(text),
    )
    await chat.sendMessage('go')
    await nextTick()
    expect(seen).toEqual(['a', 'ab', 'abc'])
  })

  it('sees each state of a call, and its arguments grow', async () => {
    const execute = async () => {
      await tick()
      return 7
    }
    const round = streamedToolCall('t', ['{"a":1,', '"b":2,', '"c":3}']).flatMap((chunk) => [
      chunk,
      tick,
    ])
    const chat = chatOf([[...round, tick, finish(), tick], 'done'], {
      throttleMs: 0,
      tools: [{ name: 't', execute }],
    })
    const states: unknown[] = []
    const args: unknown[] = []
    const part = computed(() => chat.messages.value[1]?.parts[0])
    watch(
      () => part.value?.type === 'tool-call' && part.value.state,
      (state) => states.push(state),
    )
    watch(
      () => part.value?.type === 'tool-call' && part.value.args,
      (value) => args.push(value),
    )
    await chat.sendMessage('go')
    await nextTick()
    expect(states).toEqual(['streaming', 'pending', 'running', 'result'])
    expect(args).toEqual([{}, { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }])
    expect(args.every((value) => Object.isFrozen(value) && !isReactive(value))).toBe(true)
  })
})

describe('payloads', () => {
  it('are plain values, whoever made them, and the store they came from stays as it was', async () => {
    const rows = Array.from({ length: 3 }, (_, id) => ({ id, tags: ['x'] }))
    const store = reactive({ rows, count: ref(3) })
    const results: Record<string, () => unknown> = {
      whole: () => store,
      list: () => store.rows,
      filtered: () => store.rows.filter(({ id }) => id),
      inside: () => ({ found: { rows: store.rows, first: store.rows[0] }, n: ref(1) }),
    }
    const names = Object.keys(results)
    const chat = chatOf(
      [[...names.map((name) => toolCall(name, { in: { a: 1 } })), finish()], 'done'],
      {
        tools: names.map((name) => ({
          name,
          execute: (_: never, { progress }: { progress: (value: unknown) => void }) => {
            progress(store)
            return results[name]?.()
          },
        })),
      },
    )
    await chat.sendMessage('go')
    const plain = [
      { rows, count: 3 },
      rows,
      rows.slice(1),
      { found: { rows, first: rows[0] }, n: 1 },
    ]
    for (const [index, part] of (chat.messages.value[1]?.parts ?? []).entries()) {
      if (part.type !== 'tool-call') continue
      expect(part.result).toEqual(plain[index])
      const values = [part.args, part.args['in'], part.result, part.progress]
      expect(values.map(isReactive)).toEqual([false, false, false, false])
      expect(isReactive(Object.values(part.result as object)[0])).toBe(false)
    }
    const copy = structuredClone(toRaw(chat.messages.value))
    expect(copy).toEqual(chat.messages.value)
    expect([isReactive(store), isReactive(store.rows), isReactive(store.rows[0])]).toEqual([
      true,
      true,
      true,
    ])
    const seen: number[] = []
    watch(
      () => store.rows.length,
      (length) => seen.push(length),
      { flush: 'sync' },
    )
    store.rows.push({ id: 3, tags: [] })
    expect(seen).toEqual([4])
    expect([rows, toRaw(store)].some(Object.isFrozen)).toBe(false)
    expect(copy[1]?.parts[1]).toHaveProperty('result.length', 3)
  })

  it('of a person, of messages sent and of messages restored are plain as well', async () => {
    const store = reactive({ answer: { ok: true }, parts: [{ type: 'text' as const, text: 'hi' }] })
    const chat = chatOf([[toolCall('ask', {}, 'c'), finish()], 'done', 'done'], {
      tools: [{ name: 'ask' }],
    })
    await chat.sendMessage({ parts: store.parts, metadata: { store, list: [store.answer] } })
    await chat.addToolResult({ toolCallId: 'c', result: { answers: [store.answer] } })
    await vi.waitFor(() => expect(chat.status.value).toBe('ready'))
    expect(() => structuredClone(toRaw(chat.messages.value))).not.toThrow()
    chat.setMessages(chat.messages.value.map((message) => ({ ...message })))
    expect(() => structuredClone(toRaw(chat.messages.value))).not.toThrow()
    expect(lastCall(chat).result).toEqual({ answers: [{ ok: true }] })
    expect(isReactive(store.parts[0])).toBe(true)
  })

  it.each<[string, Chunk, string]>([
    ['data', { type: 'data', name: 'n', data: { rows: [{ a: 1 }] } }, 'data'],
    ['a list', { type: 'data', name: 'n', data: [{ a: 1 }] }, 'data'],
    [
      'arguments',
      { type: 'tool-call-end', toolCallId: 'c', toolName: 't', args: { a: { b: 1 } } },
      'args',
    ],
  ])('%s are frozen copies that a deep watch does not walk through', (_, chunk, key) => {
    const before = structuredClone(chunk)
    const message = reactive(createMessage('assistant'))
    applyChunk(message, sealPayloads({ ...chunk }))
    const part = message.parts[0] as unknown as Record<string, object>
    const value = part[key]
    const given = (chunk as unknown as Record<string, object>)[key]
    expect(chunk).toEqual(before)
    expect(Object.isFrozen(given)).toBe(false)
    expect(value).toEqual(given)
    expect(value).not.toBe(given)
    expect(value).toHaveProperty('__v_skip', true)
    expect(given).not.toHaveProperty('__v_skip')
    expect([Object.isFrozen(value), isReactive(value)]).toEqual([true, false])
  })

  it('may hold themselves, and what can be sent of them goes through', async () => {
    const cycle: Record<string, unknown> = { list: [] }
    Object.assign(cycle, { self: cycle, list: [reactive({ cycle })] })
    const provider: Provider = {
      name: 'p',
      async *stream() {
        yield { type: 'text-delta', text: 'a' }
      },
    }
    const chat = useChat({ provider, model: 'm' })
    await chat.sendMessage({ content: 'x', metadata: cycle })
    expect(chat.messages.value).toMatchObject([
      { parts: [{ text: 'x' }] },
      { parts: [{ text: 'a' }] },
    ])
  })

  it('of restored messages are, too', () => {
    const parts = chatOf([], { initialMessages: restored }).messages.value[1]?.parts
    expect(parts?.[0]).toHaveProperty('args.__v_skip', true)
    expect(parts?.[1]).toHaveProperty('data.__v_skip', true)
    expect(restored[1]?.parts?.[0]).not.toHaveProperty('args.__v_skip')
  })

  it('that are neither lists nor plain objects pass as they are', () => {
    for (const data of ['text', 1, null, undefined, new Date(0), new Map([[1, {}]])]) {
      const message = createMessage('assistant')
      applyChunk(message, sealPayloads({ type: 'data' as const, name: 'n', data }))
      expect(message.parts[0]).toHaveProperty('data', data)
    }
  })
})

describe('a provider', () => {
  it('gets raw messages, whose reading costs nothing, and raw tools', async () => {
    const seen: unknown[] = []
    const provider: Provider = {
      name: 'p',
      async *stream({ messages, tools }) {
        const [message] = messages
        seen.push(messages, message, message?.parts, message?.parts[0], tools, tools[0])
        yield { type: 'text-delta', text: 'a' }
      },
    }
    const tools = reactive([{ name: 't' }])
    const chat = useChat({ provider, model: 'm', initialMessages: restored, tools })
    await chat.sendMessage('go')
    expect(seen.map(isReactive)).toEqual(Array.from({ length: 6 }, () => false))
    expect(isReactive(chat.messages.value[0])).toBe(true)
  })
})

describe('actions inside an effect', () => {
  it.each<[string, (chat: UseChatReturn) => Promise<unknown>]>([
    ['sendMessage', ({ sendMessage }) => sendMessage('question')],
    ['regenerate', ({ regenerate }) => regenerate()],
    ['addToolResult', ({ addToolResult }) => addToolResult({ toolCallId: 'c', result: 1 })],
    ['answerApproval', ({ answerApproval }) => answerApproval({ toolCallId: 'a', approved: true })],
  ])('%s does not make it run again when the transcript or an option changes', async (_, act) => {
    const trigger = ref(0)
    const model = ref('m')
    const calls = [toolCall('ask', {}, 'c'), toolCall('allow', {}, 'a'), finish()]
    const chat = chatOf((_request, index) => (index ? 'answer' : calls), {
      model,
      tools: [{ name: 'ask' }, { name: 'allow', needsApproval: true, execute: () => 1 }],
    })
    await chat.sendMessage('first')
    let runs = 0
    const stop = watchEffect(() => {
      void trigger.value
      // The second time the calls are gone.
      if (++runs < 10) act(chat).catch(() => {})
    })
    await pause()
    model.value = 'other'
    chat.setMessages([])
    await pause()
    expect(runs).toBe(1)
    trigger.value++
    await pause()
    stop()
    expect(runs).toBe(2)
  })

  it.each<[string, (chat: Pick<UseChatReturn, 'stop' | 'clear' | 'setMessages'>) => void]>([
    ['stop', (chat) => chat.stop()],
    ['clear', (chat) => chat.clear()],
    ['setMessages', (chat) => chat.setMessages([])],
  ])('%s of a running answer does not end the next one as well', async (_, act) => {
    const store = ref(0)
    const chat = chatOf([['a', hang], 'b'], { throttleMs: 0, onFinish: () => void store.value })
    const offline = ref(false)
    const stop = watchEffect(() => offline.value && act(chat), { flush: 'sync' })
    void chat.sendMessage('first')
    await pause()
    offline.value = true
    await chat.sendMessage('second')
    store.value++
    stop()
    expect(chat.messages.value.at(-1)).toMatchObject({ parts: [{ text: 'b' }] })
  })
})

describe('work', { timeout: 60_000 }, () => {
  /** Triggers of an effect that reads every field of the parts, while these chunks come one at a time. */
  async function triggersOf(chunks: Chunk[], throttleMs?: number): Promise<number> {
    let triggers = 0
    const provider = {
      name: 'p',
      async *stream() {
        yield* chunks
      },
    }
    const chat = useChat({ provider, model: 'm', throttleMs })
    const look = () => chat.messages.value[1]?.parts.map((part) => Object.values(part))
    const stop = watch(look, () => {}, { flush: 'sync', onTrigger: () => triggers++ })
    await chat.sendMessage('go')
    stop()
    return triggers
  }
  const text = (count: number) =>
    Array.from({ length: count }, (): Chunk => ({ type: 'text-delta', text: 'x' }))
  const args = (bytes: number): Chunk[] => {
    const json = JSON.stringify({
      rows: Array.from({ length: bytes / 20 }, (_, i) => `value ${1e5 + i}`),
    })
    const pieces = json.match(/.{1,16}/g) ?? []
    return [
      { type: 'tool-call-start', toolCallId: 'c', toolName: 't' },
      ...pieces.map((argsText): Chunk => ({ type: 'tool-call-delta', toolCallId: 'c', argsText })),
      { type: 'tool-call-end', toolCallId: 'c' },
    ]
  }

  it('grows by one trigger a delta, at 5,000 and at 20,000 deltas, with throttleMs: 0', async () => {
    const few = await triggersOf(text(5000), 0)
    const many = await triggersOf(text(20_000), 0)
    expect(many - few).toBe(15_000)
  })

  it('grows by at most two triggers a delta for 50 and for 500 KB of arguments', async () => {
    const few = await triggersOf(args(50_000), 0)
    const many = await triggersOf(args(500_000), 0)
    expect(few).toBeLessThan(2 * (50_000 / 16) * 1.2)
    expect(many / few).toBeLessThan(10.5)
  })

  it('does not depend on the number of deltas within a frame', async () => {
    const few = await triggersOf(text(5000))
    const many = await triggersOf(text(20_000))
    expect(many).toBeLessThan(few * 4.4)
    expect(many).toBeLessThan(200)
  })
})
