import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, createSSRApp, defineComponent, effectScope, h, nextTick, reactive } from 'vue'
import type { Ref } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createScriptedProvider, hang, toolCall, type ScriptRound } from '../testing'
import { ChatAnnouncer } from './ChatAnnouncer'
import { provideChat } from './provideChat'
import { useAnnouncer, type Announcement, type AnnouncerOptions } from './useAnnouncer'
import { useChat } from './useChat'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A chat with an announcer. */
function listen(rounds: ScriptRound[], more: object = {}, options: AnnouncerOptions = {}) {
  const provider = createScriptedProvider(rounds)
  const chat = useChat({ provider, model: 'm', throttleMs: 0, ...more })
  const scope = effectScope()
  const lines = scope.run(() => useAnnouncer(chat, options)) as Ref<readonly Announcement[]>
  return { chat, scope, heard: () => lines.value.map(({ text }) => text) }
}

describe('useAnnouncer', () => {
  it('tells whole sentences at its pace, and the rest at the end', async () => {
    const { chat, heard } = listen([
      ['One. Tw', 1000, 'o! Thr', 2000, 'ee, "yes?" Four', 3000, ' and five'],
    ])
    void chat.sendMessage('go')
    const seen: string[][] = []
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(2400)
      seen.push(heard())
    }
    const first = 'One. Two!'
    const second = 'Three, "yes?"'
    expect(seen).toEqual([
      [],
      [first],
      [first, second, 'Four and five'],
      [first, second, 'Four and five'],
    ])
  })

  it('says the words without the marks of Markdown', async () => {
    const { chat, heard } = listen(['## A *bold* `word` in | a table |'])
    void chat.sendMessage('go')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard()).toEqual(['A bold word in  a table'])
  })

  it('does not tell what was there before, nor what a person wrote', async () => {
    const initialMessages = [
      { role: 'user' as const, content: 'a' },
      {
        role: 'assistant' as const,
        parts: [
          { type: 'text' as const, text: 'old. ' },
          {
            type: 'tool-call' as const,
            toolCallId: 'c',
            toolName: 'ask',
            args: {},
            state: 'pending' as const,
          },
        ],
      },
    ]
    const { chat, heard } = listen(['new.'], { initialMessages })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard()).toEqual([])
    void chat.addToolResult({ toolCallId: 'c', result: 1 })
    await vi.advanceTimersByTimeAsync(0)
    expect(heard()).toEqual(['new.'])
  })

  it('tells at once of calls that run, fail or wait for a person, after the words before', async () => {
    const tools = [
      { name: 'slow', execute: () => new Promise((resolve) => setTimeout(resolve, 100)) },
      { name: 'bad', execute: () => Promise.reject(new Error('out of order')) },
      { name: 'sure', needsApproval: true, execute: () => 1 },
      { name: 'ask' },
    ]
    const { chat, heard } = listen(
      [
        ['Let me see', toolCall('slow'), toolCall('bad')],
        ['Well', toolCall('sure')],
        [toolCall('ask')],
      ],
      { tools },
    )
    void chat.sendMessage('go')
    await vi.advanceTimersByTimeAsync(90)
    expect(heard()).toEqual([
      'Let me see',
      'slow is running.',
      'bad is running.',
      'bad failed: out of order.',
    ])
    await vi.advanceTimersByTimeAsync(50)
    expect(heard().slice(4)).toEqual(['Well', 'sure needs your approval.'])
    const { toolCallId = '' } = chat.pendingToolCalls.value[0] ?? {}
    await chat.answerApproval({ toolCallId, approved: true })
    await vi.advanceTimersByTimeAsync(50)
    expect(heard().at(-1)).toBe('ask waits for your answer.')
  })

  it('takes the words of the page, and says nothing where they give none', async () => {
    const words = ({ state, toolName }: { state: string; toolName: string }) =>
      state === 'error' ? `${toolName} ging schief` : undefined
    const tools = [{ name: 'bad', execute: () => Promise.reject(new Error('no')) }]
    const { chat, heard } = listen([[toolCall('bad')], 'ok'], { tools }, { describe: words })
    void chat.sendMessage('go')
    await vi.advanceTimersByTimeAsync(10)
    expect(heard()).toEqual(['bad ging schief', 'ok'])
  })

  it('says that it was stopped, and leaves no timer behind', async () => {
    const { chat, heard, scope } = listen([['Some words', hang]])
    void chat.sendMessage('go')
    await vi.advanceTimersByTimeAsync(100)
    chat.stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(heard()).toEqual(['Some words', 'Stopped.'])
    void chat.sendMessage('again')
    scope.stop()
    chat.stop()
    await vi.advanceTimersByTimeAsync(200)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the last lines only', async () => {
    const { chat, heard } = listen(Array.from({ length: 40 }, (_, index) => `answer ${index}`))
    for (let i = 0; i < 40; i++) {
      void chat.sendMessage('go')
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(heard()).toHaveLength(30)
    expect(heard().at(-1)).toBe('answer 39')
  })
})

describe('ChatAnnouncer', () => {
  const App = defineComponent(() => {
    const chat = provideChat(
      reactive(useChat({ provider: createScriptedProvider(['<b>hi</b>']), model: 'm' })),
    )
    return () => [
      h('button', { onClick: () => void chat.sendMessage('go') }),
      h(ChatAnnouncer, { 'aria-label': 'Chat' }),
    ]
  })

  it('is a log that nobody sees, of the chat that is provided', async () => {
    const root = document.createElement('div')
    createApp(App).mount(root)
    const log = root.querySelector('[role=log]')
    expect(log?.getAttribute('aria-live')).toBe('polite')
    expect(log?.getAttribute('aria-label')).toBe('Chat')
    root.querySelector('button')?.click()
    await vi.advanceTimersByTimeAsync(200)
    await nextTick()
    expect(log?.innerHTML).toBe('<p>&lt;b&gt;hi&lt;/b&gt;</p>')
  })

  it('is rendered on a server, without a timer', async () => {
    const start = vi.spyOn(globalThis, 'setInterval')
    const html = await renderToString(createSSRApp(App))
    expect(html).toContain('role="log"')
    expect(start).not.toHaveBeenCalled()
  })
})
