import { describe, expect, it, vi } from 'vitest'
import { createApp, defineAsyncComponent, defineComponent, h, ref } from 'vue'
import type { Component } from 'vue'
import { createScriptedProvider, finish, streamedToolCall, toolCall } from '../testing'
import { defineToolComponent } from './defineToolComponent'
import { MessageParts } from './MessageParts'
import { useChat, type UseChatReturn } from './useChat'

const parameters = {
  type: 'object',
  properties: { seat: { type: 'string' } },
  required: ['seat'],
} as const

const Shown = defineComponent({
  props: { seat: { type: String, required: true } },
  setup: (props) => () => h('b', props.seat),
})
const Asking = defineComponent({
  props: { seat: { type: String, required: true } },
  emits: { result: (seat: string) => seat !== '' },
  setup:
    (props, { emit }) =>
    () =>
      h('button', { onClick: () => emit('result', `took ${props.seat}`) }, props.seat),
})

/** A mounted chat whose model calls the tool of a component. */
function start(component: Component, more: object = {}, call = toolCall('seat', { seat: '4A' })) {
  const provider = createScriptedProvider([[call, finish('tool-calls')], 'well'])
  const tool = defineToolComponent({ name: 'seat', parameters, component, ...more } as never)
  const root = document.createElement('div')
  let chat: UseChatReturn | undefined
  const app = createApp({
    setup() {
      const { messages, ...rest } = useChat({ provider, model: 'm', tools: ref([tool]) })
      chat = { messages, ...rest }
      return () => messages.value.map((message) => h(MessageParts, { message, chat } as never))
    },
  })
  app.mount(root)
  const sent = chat?.sendMessage('go')
  return { root, provider, chat, sent, part: () => chat?.messages.value[1]?.parts[0] }
}

describe('defineToolComponent', () => {
  it('draws the component for a call, tells the model that it is shown, and goes on', async () => {
    const { root, part, sent, provider } = start(Shown)
    await sent
    expect(root.innerHTML).toContain('<b>4A</b>')
    expect(root.textContent).toContain('well')
    expect(part()).toMatchObject({ state: 'result', result: { shown: true } })
    expect(provider.requests).toHaveLength(2)
  })

  it.each<[string, Component, object]>([
    ['declares that it emits `result`', Asking, {}],
    ['says so in a list', { ...Asking, emits: ['result'] } as Component, {}],
    ['is async, and is said to wait', defineAsyncComponent(async () => Asking), { waits: true }],
  ])('leaves the call open for a component that %s', async (_, component, more) => {
    const { root, part, sent, chat, provider } = start(component, more)
    await sent
    expect(chat?.pendingToolCalls.value).toHaveLength(1)
    await vi.waitFor(() => expect(root.querySelector('button')?.textContent).toBe('4A'))
    root.querySelector('button')?.click()
    await vi.waitFor(() => expect(root.textContent).toContain('well'))
    expect(part()).toMatchObject({ state: 'result', result: 'took 4A', answeredBy: 'person' })
    expect(provider.requests).toHaveLength(2)
    // It stays, and a second word changes nothing.
    root.querySelector('button')?.click()
    expect(part()).toMatchObject({ result: 'took 4A' })
  })

  it('does not wait where it is told not to', async () => {
    const { sent, part } = start(Asking, { waits: false })
    await sent
    expect(part()).toMatchObject({ state: 'result', result: { shown: true } })
  })

  it('draws whole arguments only: required props are there from the first render', async () => {
    // A missing prop would be a warning, and fail this test.
    const { root, sent } = start(Shown, {}, streamedToolCall('seat', { seat: '4A' }) as never)
    await sent
    expect(root.innerHTML).toContain('<b>4A</b>')
  })

  it('passes only arguments that are declared: a model cannot write attributes', async () => {
    const args = { seat: '4A', innerHTML: '<img src=x>', onClick: 'alert(1)', key: 1, style: 'a' }
    const { root, sent } = start(Shown, {}, toolCall('seat', args))
    await sent
    expect(root.innerHTML).toContain('<b>4A</b>')
  })

  it.each([
    ['extends', { extends: Shown }],
    ['mixins', { mixins: [Shown] }],
  ])('knows the props that `%s` brings', async (_, base) => {
    const { root, sent } = start({ ...base, setup: Shown.setup } as Component)
    await sent
    expect(root.innerHTML).toContain('<b>4A</b>')
  })

  it('is not drawn for a call that failed', async () => {
    const { root, sent } = start(Shown, { needsApproval: true })
    await sent
    expect(root.innerHTML).toContain('<b>4A</b>')
    const { root: other, chat, sent: asked } = start(Shown, { needsApproval: true })
    await asked
    const { toolCallId = '' } = chat?.pendingToolCalls.value[0] ?? {}
    await chat?.answerApproval({ toolCallId, approved: false, reason: 'no' })
    await vi.waitFor(() => expect(other.textContent).toContain('seat: no'))
  })
})
