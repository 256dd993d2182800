import { describe, expect, it } from 'vitest'
import {
  createApp,
  createSSRApp,
  defineAsyncComponent,
  defineComponent,
  h,
  nextTick,
  reactive,
} from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createMessage, type MessageInput, type PartInput } from '../core'
import { createScriptedProvider } from '../testing'
import { ChatAnnouncer } from './ChatAnnouncer'
import { defineToolComponent } from './defineToolComponent'
import { MessageParts } from './MessageParts'
import { provideChat } from './provideChat'
import type { ToolCallProps } from './toolCallProps'
import { useAutoScroll } from './useAutoScroll'
import { useChat, type UseChatReturn } from './useChat'
import { useToolCall } from './useToolCall'

const call = (toolName: string, more: object = {}): PartInput => ({
  type: 'tool-call',
  toolCallId: toolName,
  toolName,
  args: { city: 'Oslo' },
  state: 'result',
  result: { temp: 7 },
  ...more,
})

const Card = defineComponent({
  props: ['args', 'state', 'result', 'addResult'],
  setup: (props) => () =>
    h('article', [
      `${props.args.city} ${props.state} ${props.result?.temp}`,
      props.state === 'pending' && h('button', { onClick: () => props.addResult(1) }, 'ok'),
    ]),
})
const Nested = defineComponent(() => {
  const { args } = useToolCall()
  return () => h('i', `${args.value['city']}`)
})
const Shown = defineComponent({
  props: { city: { type: String, required: true } },
  setup: (props) => () => h('b', props.city),
})

/** What a model, a tool or a server might send to be run in the page. */
const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
const evilUrl = 'javascript:alert(1)'

describe('a conversation with cards', () => {
  it('is rendered on a server, hydrates without a warning, and goes on', async () => {
    const chats: UseChatReturn[] = []
    const initialMessages: MessageInput[] = [
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'look: ' },
          call('mapped'),
          call('async'),
          call('slot', { state: 'error', error: 'no', result: undefined }),
          call('nested'),
          call('shown'),
          call('waiting', { state: 'pending', result: undefined }),
        ],
      },
    ]
    const Chat = defineComponent(() => {
      const chat = useChat({
        provider: createScriptedProvider(['thanks']),
        model: 'm',
        initialMessages,
        tools: [
          defineToolComponent({ name: 'shown', component: Shown as never }),
          { name: 'waiting' },
        ],
      })
      chats.push(chat)
      provideChat(chat)
      const { isAtBottom } = useAutoScroll(() => null)
      const components = {
        mapped: Card,
        waiting: Card,
        async: defineAsyncComponent(async () => Card),
        nested: () => h('section', h(Nested)),
      }
      const slots = { 'tool-slot': (props: ToolCallProps) => h('u', props.error) }
      return () =>
        h('main', { title: `${isAtBottom.value}` }, [
          chat.messages.value.map((message) =>
            h(MessageParts, { key: message.id, message, components } as never, slots as never),
          ),
          h(ChatAnnouncer),
        ])
    })
    const root = document.createElement('div')
    root.innerHTML = await renderToString(createSSRApp(Chat))
    const html = root.innerHTML
    expect(root.textContent).toBe(
      'weather?look: Oslo result 7Oslo result 7noOsloOsloOslo pending undefinedok',
    )
    const card = root.querySelector('article')
    const app = createSSRApp(Chat)
    app.mount(root)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(root.innerHTML).toBe(html)
    expect(root.querySelector('article')).toBe(card)
    root.querySelector('button')?.click()
    await expect.poll(() => root.textContent).toContain('thanks')
    expect(chats[0]?.messages.value[1]?.parts).toHaveLength(7)
    app.unmount()
  })
})

describe('what is drawn runs nothing', () => {
  const parts: PartInput[] = [
    { type: 'text', text: evil },
    { type: 'reasoning', text: evil },
    call(evil),
    call('card', { args: { city: evil, [evil]: evil, innerHTML: evil } }),
    call('shown', { args: { city: evil, innerHTML: evil, onClick: evil, ref: 'a', key: 'b' } }),
    call('failed', { state: 'error', error: evil, result: undefined }),
    { type: 'file', mediaType: evil, url: evilUrl, filename: evil },
    { type: 'source', url: evilUrl, title: evil },
    { type: 'data', name: evil, data: { html: evil, url: evilUrl } },
  ]
  const Throws = defineComponent(() => () => {
    throw new Error(evil)
  })

  it.each(['in the browser', 'on a server'])('%s', async (where) => {
    const message = reactive(createMessage('assistant', { parts }))
    const tools = [defineToolComponent({ name: 'shown', component: Shown as never })]
    const chat = useChat({ provider: createScriptedProvider([]), model: 'm', tools })
    const create = where === 'on a server' ? createSSRApp : createApp
    const app = create(() => [
      h(MessageParts, { message, chat, components: { card: Card } } as never),
      h(MessageParts, { message, chat, components: { [evil]: Throws, card: Throws } } as never),
    ])
    app.config.errorHandler = () => {}
    const root = document.createElement('div')
    if (where === 'on a server') root.innerHTML = await renderToString(app)
    else {
      app.mount(root)
      await nextTick()
      await nextTick()
    }
    expect(root.textContent).toContain('onerror=alert(1)')
    expect(root.textContent.includes("can't be shown")).toBe(where === 'in the browser')
    expect(root.querySelectorAll('img, script, a, iframe, [href], [src]')).toHaveLength(0)
    const names = [...root.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())
    expect(new Set(names)).toEqual(
      new Set([
        'data-part',
        'style',
        'data-state',
        ...(where === 'on a server' ? [] : ['data-failed']),
      ]),
    )
  })
})
