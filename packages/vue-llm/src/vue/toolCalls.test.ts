import { describe, expect, it, vi } from 'vitest'
import {
  createApp,
  defineAsyncComponent,
  defineComponent,
  h,
  nextTick,
  reactive,
  type Component,
  type Slots,
  type VNodeChild,
} from 'vue'
import { createMessage, isLLMError, type Message, type PartInput } from '../core'
import { createScriptedProvider } from '../testing'
import { defineToolComponent } from './defineToolComponent'
import { MessageParts } from './MessageParts'
import { provideChat } from './provideChat'
import type { ToolCallProps, UseToolCallReturn } from './toolCallProps'
import { useChat, type UseChatReturn } from './useChat'
import { useToolCall } from './useToolCall'

const call = (more: object = {}): PartInput => ({
  type: 'tool-call',
  toolCallId: 'c',
  toolName: 'book',
  args: { table: 2 },
  state: 'pending',
  ...more,
})
const answerOf = (...parts: PartInput[]) => reactive(createMessage('assistant', { parts }))

interface Drawing {
  message?: Message
  components?: Record<string, Component>
  slots?: Record<string, (props: never) => VNodeChild>
  chat?: UseChatReturn
  provided?: UseChatReturn
}

/** Mounts a message the way an app does; errors of event handlers go to `thrown`. */
function draw({ message = answerOf(call()), components, slots = {}, chat, provided }: Drawing) {
  const root = document.createElement('div')
  const thrown: unknown[] = []
  const app = createApp({
    setup() {
      if (provided) provideChat(provided)
      const props = { message, ...(components && { components }), ...(chat && { chat }) }
      return () => h(MessageParts, props as never, slots as unknown as Slots)
    },
  })
  app.config.errorHandler = (error) => thrown.push(error)
  app.mount(root)
  return { root, thrown, message }
}

/** A chat whose answer so far is one call. */
function chatWith(part: PartInput, more: object = {}) {
  const provider = createScriptedProvider(['thank you'])
  const initialMessages = [
    { role: 'user' as const, content: 'a table' },
    { role: 'assistant' as const, parts: [part] },
  ]
  const chat = useChat({ provider, model: 'm', initialMessages, ...more })
  const [, message] = chat.messages.value
  if (!message) throw new Error('there is a message')
  const part0 = () => message.parts[0]
  return { chat, provider, message, part: part0 }
}

/** Hands out what a component gets by `useToolCall`. */
function spy() {
  const got: UseToolCallReturn[] = []
  const Inner = defineComponent(() => {
    got.push(useToolCall())
    return () => null
  })
  return { got, Card: () => h('section', h(Inner)) }
}

describe('a component of `components`', () => {
  it('gets those of the props that it declares, and nothing as an attribute', () => {
    const Card = defineComponent({
      props: ['args', 'state', 'result', 'addResult'],
      setup: (props) => () =>
        h(
          'b',
          `${JSON.stringify(props.args)} ${props.state} ${props.result} ${typeof props.addResult}`,
        ),
    })
    const { root } = draw({ components: { book: Card } })
    expect(root.innerHTML).toBe('<b>{"table":2} pending undefined function</b>')
  })

  it('may be a function, with declared props or with all of them', () => {
    const seen: unknown[] = []
    const Bare = (props: ToolCallProps) => {
      seen.push(Object.keys(props).toSorted())
      return h('i', props.part.toolCallId)
    }
    const Picky = Object.assign((props: { state?: string }) => h('i', props.state), {
      props: ['state'],
    })
    expect(draw({ components: { book: Bare } }).root.innerHTML).toBe('<i>c</i>')
    expect(seen[0]).toEqual(
      'addError addResult approve args decline error message part progress result state'.split(' '),
    )
    expect(draw({ components: { book: Picky } }).root.innerHTML).toBe('<i>pending</i>')
  })

  it('may be async: it has its props when it comes, and follows the call', async () => {
    const Card = defineComponent({
      props: ['state'],
      setup: (props: { state: string }) => () => h('b', props.state),
    })
    const Later = defineAsyncComponent(async () => Card)
    const { root, message } = draw({ components: { book: Later } })
    await vi.waitFor(() => expect(root.innerHTML).toBe('<b>pending</b>'))
    const [part] = message.parts
    if (part?.type === 'tool-call') part.state = 'running'
    await nextTick()
    expect(root.innerHTML).toBe('<b>running</b>')
  })

  it('that is async sees what changed before it came', async () => {
    let come: (component: Component) => void = () => {}
    const Later = defineAsyncComponent(() => new Promise<Component>((resolve) => (come = resolve)))
    const { root, message } = draw({ components: { book: Later } })
    const [part] = message.parts
    if (part?.type === 'tool-call') part.state = 'running'
    await nextTick()
    come(
      defineComponent({
        props: { state: String },
        setup: (props) => () => h('b', props.state),
      }),
    )
    await vi.waitFor(() => expect(root.innerHTML).toBe('<b>running</b>'))
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'is never one that only the prototype has: %s',
    (toolName) => {
      const { root } = draw({ message: answerOf(call({ toolName })), components: {} })
      expect(root.textContent).toBe(`${toolName}: pending`)
    },
  )
})

describe('what draws a call', () => {
  const word = (text: string) => () => h('i', text)
  const tool = defineToolComponent({ name: 'book', component: word('tool') })
  const chat = () => useChat({ provider: createScriptedProvider([]), model: 'm', tools: [tool] })
  const all = {
    slots: { 'tool-book': word('slot'), tool: word('fallback') },
    components: { book: word('component') },
  }
  it.each<[string, string, Drawing]>([
    ['its own slot', 'slot', { ...all, chat: chat() }],
    ['then its component', 'component', { ...all, slots: { tool: word('no') }, chat: chat() }],
    ['then its tool', 'tool', { slots: { tool: word('no') }, chat: chat() }],
    ['its tool, of a chat that is provided', 'tool', { provided: chat() }],
    [
      'its tool, of a reactive chat',
      'tool',
      { chat: reactive(chat()) as unknown as UseChatReturn },
    ],
    ['then the slot for any tool', 'fallback', { slots: { tool: word('fallback') } }],
    ['then plain text', 'book: pending', {}],
  ])('is %s', (_, shown, drawing) => {
    expect(draw(drawing).root.textContent).toBe(shown)
  })

  it('changes where another component is given, and not where the same is given again', async () => {
    const renders: string[] = []
    const card = (text: string) =>
      defineComponent(() => () => {
        renders.push(text)
        return h('i', text)
      })
    const [one, two] = [card('one'), card('two')]
    const state = reactive({ is: 'one', other: 0 })
    const message = answerOf(call())
    const root = document.createElement('div')
    createApp(() => {
      const book = state.is === 'one' ? one : two
      return [h(MessageParts, { message, components: { book } } as never), state.other]
    }).mount(root)
    state.other++
    await nextTick()
    expect(renders).toEqual(['one'])
    state.is = 'two'
    await nextTick()
    expect(renders).toEqual(['one', 'two'])
  })
})

describe('the functions of a call', () => {
  it('give a result by a slot’s props, and the chat goes on', async () => {
    const { chat, message, part, provider } = chatWith(call())
    const props: ToolCallProps[] = []
    draw({ message, chat, slots: { 'tool-book': (got: ToolCallProps) => void props.push(got) } })
    expect(await props[0]?.addResult({ booked: true })).toBe(true)
    await vi.waitFor(() => expect(chat.status.value).toBe('ready'))
    expect(part()).toMatchObject({ state: 'result', result: { booked: true } })
    expect(provider.requests).toHaveLength(1)
    expect(message.parts.at(-1)).toMatchObject({ text: 'thank you' })
    expect(await props[0]?.addResult('late')).toBe(false)
  })

  it('give an error by `useToolCall`, at any depth', async () => {
    const { got, Card } = spy()
    const { chat, message, part } = chatWith(call())
    draw({ message, provided: chat, components: { book: Card } })
    expect(got[0]?.state.value).toBe('pending')
    expect(got[0]?.args.value).toEqual({ table: 2 })
    expect(got[0]?.message.value).toBe(message)
    await got[0]?.addError('no table is free')
    expect(part()).toMatchObject({ state: 'error', error: 'no table is free' })
    expect(got[0]?.error.value).toBe('no table is free')
  })

  it.each<[string, (call: UseToolCallReturn) => unknown, object]>([
    ['approve', ({ approve }) => approve(), { state: 'result', args: { table: 2 }, result: 2 }],
    [
      'approve with edited arguments',
      ({ approve }) => approve({ table: 7 }),
      { state: 'result', args: { table: 7 }, result: 7 },
    ],
    [
      'approve with arguments that a form holds reactively',
      ({ approve }) => approve(reactive({ table: 7 })),
      { result: 7 },
    ],
    ['approve as a handler of clicks', ({ approve }) => approve(new Event('click')), { result: 2 }],
    [
      'decline with a reason',
      ({ decline }) => decline('too late'),
      { state: 'error', error: 'too late', errorCode: 'declined' },
    ],
    [
      'decline as a handler of clicks',
      ({ decline }) => decline(new Event('click')),
      { state: 'error', error: 'declined by the user' },
    ],
  ])('%s', async (_, act, outcome) => {
    const { got, Card } = spy()
    const { chat, message, part } = chatWith(call({ approval: { state: 'requested' } }), {
      tools: [
        {
          name: 'book',
          needsApproval: true,
          execute: ({ table }: { table: number }) => table,
        },
      ],
    })
    draw({ message, chat, components: { book: Card } })
    if (got[0]) await act(got[0])
    await vi.waitFor(() => expect(part()).toMatchObject(outcome))
    await vi.waitFor(() => expect(chat.status.value).toBe('ready'))
  })

  it('say what is missing where there is no chat', async () => {
    const { got, Card } = spy()
    draw({ components: { book: Card } })
    await expect(got[0]?.addResult(1)).rejects.toSatisfy((error) => isLLMError(error, 'misuse'))
    await expect(got[0]?.approve()).rejects.toThrow(
      "'book' can't be answered: MessageParts needs :chat, or provideChat above it",
    )
  })

  it('answer the chat that is given rather than one that is provided', async () => {
    const { got, Card } = spy()
    const { chat, message, part } = chatWith(call())
    draw({ message, chat, provided: chatWith(call()).chat, components: { book: Card } })
    expect(await got[0]?.addResult(1)).toBe(true)
    expect(part()).toMatchObject({ state: 'result' })
  })

  it('are missed by `useToolCall` where no call is drawn', () => {
    const Card = defineComponent(() => {
      useToolCall()
      return () => null
    })
    const app = createApp(Card)
    const thrown: unknown[] = []
    app.config.errorHandler = (error) => thrown.push(error)
    app.config.warnHandler = () => {}
    app.mount(document.createElement('div'))
    expect(isLLMError(thrown[0], 'misuse')).toBe(true)
  })
})

describe('the focus', () => {
  const Form = defineComponent({
    props: ['state', 'addResult'],
    setup: (props) => () =>
      props.state === 'pending'
        ? h('form', [h('button', { onClick: () => props.addResult(1) }, 'ok')])
        : h('p', 'done'),
  })
  const Card = defineComponent({
    props: ['state', 'addResult'],
    setup: (props) => () => h('section', [h(Form, props)]),
  })

  it.each<[string, Drawing]>([
    ['component', { components: { book: Card } }],
    ['slot', { slots: { tool: (props: ToolCallProps) => h(Card, props as never) } }],
  ])('stays in a %s whose pressed button goes away', async (_, drawing) => {
    const { chat, message } = chatWith(call())
    const { root } = draw({ ...drawing, message, chat })
    document.body.append(root)
    root.querySelector('button')?.focus()
    expect(document.activeElement?.textContent).toBe('ok')
    root.querySelector('button')?.click()
    await vi.waitFor(() => expect(root.textContent).toContain('done'))
    await nextTick()
    expect(document.activeElement).toBe(root.querySelector('section'))
    root.remove()
  })

  it('is left alone where it is elsewhere', async () => {
    const { chat, message } = chatWith(call())
    const { root } = draw({ components: { book: Card }, message, chat })
    const field = document.createElement('input')
    document.body.append(root, field)
    field.focus()
    root.querySelector('button')?.click()
    await vi.waitFor(() => expect(root.textContent).toContain('done'))
    expect(document.activeElement).toBe(field)
    field.remove()
    root.remove()
  })
})
