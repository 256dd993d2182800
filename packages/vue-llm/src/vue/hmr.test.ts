import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp, defineComponent, h, nextTick, ref, type Component } from 'vue'
import { createScriptedProvider, hang, toolCall } from '../testing'
import { useChat, type UseChatReturn } from './useChat'

interface HmrRuntime {
  createRecord(id: string, component: Component): boolean
  reload(id: string, component: Component): void
  rerender(id: string, render?: () => unknown): void
}
const globals: Record<string, unknown> = { ...globalThis }
const runtime = globals['__VUE_HMR_RUNTIME__'] as HmrRuntime

let count = 0

/** An app with a chat in a child component, both known to the HMR runtime as a bundler's plugin makes them. */
function mountApp(id?: string) {
  const chats: UseChatReturn[] = []
  const key = ref(0)
  const ids = { parent: `parent${++count}`, child: `child${count}` }
  const childOf = (label: string) => ({
    name: 'Child',
    __hmrId: ids.child,
    setup() {
      const provider = createScriptedProvider(['answer', ['half', toolCall('ask', {}, 'c'), hang]])
      const chat = useChat({ provider, model: 'm', id, tools: [{ name: 'ask' }] })
      chats.push(chat)
      return () => h('p', `${label} ${chat.messages.value.length}`)
    },
  })
  const child = defineComponent(childOf('old'))
  const parentOf = () => ({
    name: 'Parent',
    __hmrId: ids.parent,
    setup: () => () => h(child, { key: key.value }),
  })
  const parent = defineComponent(parentOf())
  runtime.createRecord(ids.child, child)
  runtime.createRecord(ids.parent, parent)
  const root = document.createElement('div')
  const app = createApp(parent)
  app.mount(root)
  onTestFinished(() => app.unmount())
  const reload = {
    child: () => runtime.reload(ids.child, childOf('new')),
    parent: () => runtime.reload(ids.parent, parentOf()),
  }
  return { chats, root, key, reload }
}

describe('hot module replacement', () => {
  it.each(['child', 'parent'] as const)('of the %s keeps a chat with an id', async (which) => {
    const { chats, root, reload } = mountApp('fixed')
    await chats[0]?.sendMessage('1')
    reload[which]()
    await nextTick()
    expect(chats).toHaveLength(2)
    expect(root.textContent).toBe(which === 'child' ? 'new 2' : 'old 2')
    expect(chats[1]?.messages.value).toEqual(chats[0]?.messages.value)
    await chats[1]?.sendMessage('2')
    expect(root.textContent).toContain('4')
  })

  it('ends an answer that runs; what came of it stays, a call for a person as well', async () => {
    const { chats, reload } = mountApp('fixed')
    await chats[0]?.sendMessage('1')
    void chats[0]?.sendMessage('2')
    await vi.waitFor(() => expect(chats[0]?.messages.value[3]?.parts).toHaveLength(2))
    reload.child()
    await nextTick()
    const last = chats[1]?.messages.value[3]
    expect(last?.parts).toMatchObject([{ text: 'half', state: 'done' }, { toolName: 'ask' }])
    expect(last?.steps).toHaveLength(1)
    expect(chats[1]?.status.value).toBe('ready')
  })

  it('starts a chat without an id anew', async () => {
    const { chats, root, reload } = mountApp()
    await chats[0]?.sendMessage('1')
    reload.child()
    await nextTick()
    expect(root.textContent).toBe('new 0')
  })

  it('does not make any other remount keep a chat', async () => {
    const { chats, root, key, reload } = mountApp('fixed')
    await chats[0]?.sendMessage('1')
    key.value++
    await nextTick()
    expect(root.textContent).toBe('old 0')
    await chats[1]?.sendMessage('1')
    reload.child()
    await nextTick()
    expect(root.textContent).toBe('new 2')
    key.value++
    await nextTick()
    expect(root.textContent).toBe('new 0')
  })
})
