import { describe, expect, it } from 'vitest'
import { createApp, h, nextTick, reactive, ref, shallowRef, type Slots, type VNodeChild } from 'vue'
import { applyChunk, createMessage, type Chunk, type Message, type PartInput } from '../core'
import { MessageParts } from './MessageParts'

const call = (toolName: string, toolCallId = toolName): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  args: { a: 1 },
  state: 'pending',
})

const everything: PartInput[] = [
  { type: 'reasoning', text: 'hm' },
  { type: 'text', text: 'hello\n  <b>' },
  call('known'),
  call('constructor'),
  { type: 'file', mediaType: 'image/png', url: 'a.png' },
  { type: 'source', url: 'https://example.org' },
  { type: 'data', name: 'chart', data: [1] },
  { type: 'data', name: 'other', data: [2] },
]

type AnySlots = Record<string, (props: never) => VNodeChild>

/** Mounts the parts of a message; counts the updates of each part by its place. */
function mount(message: Message, slots: AnySlots | (() => AnySlots) = {}) {
  const root = document.createElement('div')
  const updates: number[] = []
  const app = createApp(() =>
    h(
      MessageParts,
      { message },
      (typeof slots === 'function' ? slots() : slots) as unknown as Slots,
    ),
  )
  app.mixin({
    updated() {
      if (this.$options.name !== 'MessagePart') return
      const index = message.parts.indexOf(this.$props.part)
      updates[index] = (updates[index] ?? 0) + 1
    },
  })
  app.mount(root)
  return { root, updates, app }
}

const write = async (message: Message, ...chunks: Chunk[]) => {
  for (const chunk of chunks) applyChunk(message, chunk)
  await nextTick()
}

const textSlot = ({ part }: { part: { text: string } }) => h('p', part.text)

describe('MessageParts', () => {
  it('without slots shows text as it is, tool calls by name and state, and nothing else', () => {
    const message = reactive(createMessage('assistant', { parts: everything }))
    const { root } = mount(message)
    expect([...root.children].map((element) => element.textContent)).toEqual([
      'hello\n  <b>',
      'known: pending',
      'constructor: pending',
    ])
    expect(root.querySelector('[data-part=text]')?.getAttribute('style')).toContain('pre-wrap')
    expect(root.querySelector('[data-part=tool-call]')?.getAttribute('data-state')).toBe('pending')
  })

  it('without slots draws no empty block for blank text', () => {
    const parts: PartInput[] = [call('a'), { type: 'text', text: '\n' }, call('b')]
    const { root } = mount(createMessage('assistant', { parts }))
    expect([...root.children].map((element) => element.textContent)).toEqual([
      'a: pending',
      'b: pending',
    ])
  })

  it('draws each part by the closest slot, in order, with the part and its message', () => {
    const message = reactive(createMessage('assistant', { id: 'm', parts: everything }))
    const names = [
      'reasoning',
      'text',
      'tool-known',
      'tool',
      'file',
      'source',
      'data-chart',
      'data',
    ]
    const slots = Object.fromEntries(
      names.map((name) => [
        name,
        ({ part, message: owner }: { part: { type: string }; message: Message }) =>
          h('i', `${name}:${part.type}:${owner.id}`),
      ]),
    )
    const { root } = mount(message, slots as AnySlots)
    expect([...root.children].map((element) => element.textContent)).toEqual([
      'reasoning:reasoning:m',
      'text:text:m',
      'tool-known:tool-call:m',
      'tool:tool-call:m',
      'file:file:m',
      'source:source:m',
      'data-chart:data:m',
      'data:data:m',
    ])
  })

  it('updates a part that grows, and no other', async () => {
    const message = reactive(createMessage('assistant'))
    const { root, updates } = mount(message, { text: textSlot as never })
    await write(
      message,
      { type: 'text-delta', text: 'a' },
      { type: 'step-end', finishReason: 'stop' },
    )
    await write(message, { type: 'text-delta', text: 'b' })
    await write(message, { type: 'text-delta', text: 'c' })
    await write(message, { type: 'text-delta', text: 'd' })
    expect(root.textContent).toBe('abcd')
    expect([updates[0], updates[1]]).toEqual([undefined, 2])
  })

  it('follows a call through its life', async () => {
    const message = reactive(createMessage('assistant'))
    const { root } = mount(message)
    const seen: unknown[] = []
    const toolCallId = 'c'
    for (const chunk of [
      { type: 'tool-call-start', toolCallId, toolName: 't' },
      { type: 'tool-call-end', toolCallId },
      { type: 'tool-start', toolCallId },
      { type: 'tool-error', toolCallId, error: 'out of order' },
    ] satisfies Chunk[]) {
      await write(message, chunk)
      seen.push(root.textContent)
    }
    expect(seen).toEqual(['t: streaming', 't: pending', 't: running', 't: out of order'])
  })

  it('keeps the component of a call when a call before it is cancelled', async () => {
    const message = reactive(createMessage('assistant'))
    const Child = {
      props: ['id'],
      setup: (props: { id: string }) => {
        const first = props.id
        return () => h('i', `${props.id}, at first ${first}`)
      },
    }
    const { root } = mount(message, {
      tool: (({ part }: { part: { toolCallId: string } }) =>
        h(Child, { id: part.toolCallId })) as never,
    })
    await write(
      message,
      { type: 'tool-call-start', toolCallId: 'a', toolName: 't' },
      { type: 'tool-call-start', toolCallId: 'b', toolName: 't' },
    )
    await write(message, { type: 'tool-call-cancel', toolCallId: 'a' })
    expect(root.textContent).toBe('b, at first b')
  })

  it('draws again when a slot changes, comes or goes', async () => {
    const message = reactive(createMessage('assistant', { parts: [{ type: 'text', text: 'a' }] }))
    const slots = shallowRef<AnySlots>({ text: () => 'first' })
    const { root } = mount(message, () => slots.value)
    const seen = [root.textContent]
    for (const next of [{ text: () => 'second' }, {}, { text: () => 'third' }] as AnySlots[]) {
      slots.value = next
      await nextTick()
      seen.push(root.textContent)
    }
    expect(seen).toEqual(['first', 'second', 'a', 'third'])
  })

  it('follows what a slot reads beside the part, also a slot that is always the same', async () => {
    const message = reactive(createMessage('assistant', { parts: [{ type: 'text', text: 'a' }] }))
    const upper = ref(false)
    const { root } = mount(message, {
      text: (({ part }: { part: { text: string } }) =>
        upper.value ? part.text.toUpperCase() : part.text) as never,
    })
    upper.value = true
    await nextTick()
    expect(root.textContent).toBe('A')
  })

  it('draws another message when it gets one', async () => {
    const [one, two] = ['one', 'two'].map((content) => reactive(createMessage('user', { content })))
    const message = shallowRef(one)
    const root = document.createElement('div')
    createApp(() => message.value && h(MessageParts, { message: message.value })).mount(root)
    message.value = two
    await nextTick()
    expect(root.textContent).toBe('two')
  })
})
