import { collectGarbage, heapInUse } from '#test/collectGarbage'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp, effectScope, ref, watchEffect, type EffectScope } from 'vue'
import type { Chunk, Provider } from '../core'
import { finish, toolCall } from '../testing'
import { useChat, type UseChatReturn } from './useChat'

// Without devtools Vue keeps what it would tell them, and apps with it, for three seconds.
beforeAll(() => void vi.stubGlobal('__VUE_DEVTOOLS_GLOBAL_HOOK__', { emit() {} }))
afterAll(() => void vi.unstubAllGlobals())

/** What hangs, and could still go on. */
const resolvers: (() => void)[] = []
const hang = () => new Promise<void>((resolve) => resolvers.push(resolve))

const pause = () => new Promise((resolve) => setTimeout(resolve, 40))
const text = (value: string): Chunk => ({ type: 'text-delta', text: value })

/** A provider that keeps nothing of what it is asked: a scripted one keeps its requests, for tests to look at. */
const playing = (...items: (Chunk | typeof hang)[]): Provider => ({
  name: 'p',
  async *stream() {
    for (const item of items) {
      if (typeof item === 'function') await item()
      else yield item
    }
  },
})

/** What lives as long as an app does; no chat may be held by it. */
const app = {
  model: ref('m'),
  system: ref('Be brief.'),
  tools: ref([
    { name: 'wait', execute: () => new Promise(() => {}) },
    { name: 'hold', execute: hang },
    { name: 'ask' },
  ]),
  signals: new AbortController().signal,
}

/** The states in which a chat may be left. */
const states: [string, Provider, ((chat: UseChatReturn) => void)?][] = [
  ['its answer has ended', playing(text('abc'))],
  ['its answer has failed', playing({ type: 'error', code: 'provider', message: 'no' })],
  ['its answer still comes', playing(text('a'), text('b'), hang, text('c'))],
  ['its request hangs', playing(hang)],
  ['its tool runs for ever', playing(toolCall('wait'), finish())],
  ['its tool could still end', playing(toolCall('hold'), finish())],
  ['its tool was stopped', playing(toolCall('hold'), finish()), ({ stop }) => stop()],
  ['a call waits for a person', playing(toolCall('ask'), finish())],
  [
    'a message waits its turn',
    playing(text('a'), hang),
    ({ sendMessage }) => void sendMessage('more'),
  ],
  ['it was stopped', playing(text('a'), hang), ({ stop }) => stop()],
]

/** Opens a chat, leaves it in a state and ends its scope; only weak references come out. */
async function leave(provider: Provider, act?: (chat: UseChatReturn) => void) {
  const scope = effectScope()
  const chat = scope.run(() => {
    const { messages, status, ...more } = useChat({ provider, ...app })
    // As a component reads it.
    watchEffect(() => void messages.value.map(({ parts }) => [...parts, status.value]))
    return { messages, status, ...more }
  })
  if (!chat) throw new Error('the scope did not run')
  void chat.sendMessage('go')
  await pause()
  act?.(chat)
  const { value } = chat.messages
  const held = [chat, chat.messages, value, ...value, ...value.flatMap(({ parts }) => parts)]
  scope.stop()
  return held.map((one) => new WeakRef<object>(one))
}

const left = (refs: readonly WeakRef<object>[]) => refs.filter((one) => one.deref()).length

describe('a chat whose component is gone', { timeout: 30_000 }, () => {
  it.each(states)('is freed where %s', async (_, provider, act) => {
    const refs = await leave(provider, act)
    expect(refs.length).toBeGreaterThanOrEqual(5)
    await collectGarbage()
    expect(left(refs)).toBe(0)
  })

  it('is freed with the page that drew it', async () => {
    const mount = async () => {
      const refs: WeakRef<object>[] = []
      const page = createApp({
        setup() {
          const chat = useChat({ provider: playing(text('abc')), ...app })
          refs.push(new WeakRef(chat), new WeakRef(chat.messages))
          void chat.sendMessage('go')
          return () => chat.messages.value.map(({ parts }) => JSON.stringify(parts))
        },
      })
      const root = document.createElement('div')
      page.mount(root)
      await pause()
      expect(root.textContent).toContain('abc')
      refs.push(new WeakRef(page))
      page.unmount()
      return refs
    }
    const refs = await mount()
    await collectGarbage()
    expect(left(refs)).toBe(0)
  })

  it('is not freed before: what is looked at can be seen', async () => {
    let scope: EffectScope | undefined = effectScope()
    const chat = scope.run(() => useChat({ provider: playing(text('a')), ...app }))
    const refs = [new WeakRef(chat?.messages ?? {})]
    await collectGarbage()
    expect(left(refs)).toBe(1)
    expect(chat?.messages.value).toEqual([])
    scope.stop()
    scope = undefined
  })
})

describe('the heap', { timeout: 60_000 }, () => {
  const deltas = 500
  const wordBytes = 18
  const textBytes = deltas * wordBytes
  // Made anew each time, as a wire does it.
  const provider: Provider = {
    name: 'p',
    async *stream() {
      for (let index = 0; index < deltas; index++) yield text(`fifteen letters${100 + index}`)
    },
  }

  /** Bytes that stay of each turn. */
  async function growth(turn: () => Promise<void>, turns = 30): Promise<number> {
    for (let count = 0; count < 15; count++) await turn()
    const before = await heapInUse()
    for (let count = 0; count < turns; count++) await turn()
    return ((await heapInUse()) - before) / turns
  }

  it('grows by the text of each turn, and little more', async () => {
    const chat = useChat({ provider, ...app })
    const bytes = await growth(async () => {
      await chat.sendMessage('go')
      const part = chat.messages.value.at(-1)?.parts[0]
      // Who draws it makes one string of its pieces.
      expect(part?.type === 'text' && /~/.test(part.text)).toBe(false)
    })
    expect(bytes).toBeGreaterThan(0.5 * textBytes)
    expect(bytes).toBeLessThan(textBytes + 5000)
  })

  // A kept answer would be 9,000 bytes of each turn, its deltas 30,000.
  it.each<[string, () => () => Promise<void>]>([
    [
      'that is cleared after each answer',
      () => {
        const chat = useChat({ provider, ...app })
        return async () => {
          await chat.sendMessage('go')
          chat.clear()
        }
      },
    ],
    [
      'that is asked anew',
      () => useChat({ provider, ...app, initialMessages: [{ role: 'user' }] }).regenerate,
    ],
    [
      'that ends while its answer comes',
      () => async () => {
        const scope = effectScope()
        const chat = scope.run(() => useChat({ provider, ...app }))
        const sent = chat?.sendMessage('go')
        await new Promise((resolve) => setTimeout(resolve))
        scope.stop()
        await sent
      },
    ],
  ])('does not grow by a chat %s', async (_, open) => {
    expect(await growth(open())).toBeLessThan(0.3 * textBytes)
  })
})
