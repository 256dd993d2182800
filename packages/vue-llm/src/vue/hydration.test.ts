import { describe, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, nextTick } from 'vue'
import { renderToString } from 'vue/server-renderer'
import type { MessageInput } from '../core'
import { createScriptedProvider } from '../testing'
import { MessageParts } from './MessageParts'
import { useChat, type UseChatReturn } from './useChat'

describe('hydration (state case D17)', () => {
  it.each<[string, { id?: string; createdAt?: number }]>([
    ['without ids and dates', {}],
    ['with ids and dates', { id: 'mine', createdAt: 1 }],
  ])('of messages %s warns of nothing, and the chat goes on', async (_, given) => {
    const chats: UseChatReturn[] = []
    const initialMessages: MessageInput[] = [
      { ...given, role: 'user', content: 'hi' },
      {
        ...(given.id && { id: 'other' }),
        role: 'assistant',
        parts: [
          { type: 'text', text: 'look: ' },
          {
            type: 'tool-call',
            toolCallId: 'c',
            toolName: 't',
            args: {},
            state: 'result',
            result: 1,
          },
        ],
      },
    ]
    const Chat = defineComponent(() => {
      const chat = useChat({
        provider: createScriptedProvider(['more']),
        model: 'm',
        initialMessages,
      })
      chats.push(chat)
      return () =>
        h('main', { id: chat.id.value }, [
          chat.messages.value.map((message) =>
            h('section', { key: message.id, id: message.id, title: `${message.createdAt}` }, [
              h(MessageParts, { message }),
            ]),
          ),
          h('small', `${chat.status.value} ${chat.usage.value.inputTokens}`),
        ])
    })
    const fetch = vi.spyOn(globalThis, 'fetch')
    const root = document.createElement('div')
    root.innerHTML = await renderToString(createSSRApp(Chat))
    const section = root.querySelector('section')
    const html = root.innerHTML
    const app = createSSRApp(Chat)
    app.mount(root)
    expect(root.innerHTML).toBe(html)
    expect(root.querySelector('section')).toBe(section)
    await chats[1]?.sendMessage('go on')
    await nextTick()
    expect(root.querySelectorAll('section')).toHaveLength(4)
    expect(root.textContent).toContain('more')
    expect(chats[0]?.messages.value).toHaveLength(2)
    expect(fetch).not.toHaveBeenCalled()
    app.unmount()
  })
})
