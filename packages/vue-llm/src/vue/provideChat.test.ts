import { describe, expect, it } from 'vitest'
import { createApp, defineComponent, h, isRef, reactive, readonly, type Component } from 'vue'
import { isLLMError } from '../core'
import { createScriptedProvider } from '../testing'
import { injectChat, provideChat } from './provideChat'
import { useChat, type UseChatReturn } from './useChat'

const newChat = () => useChat({ provider: createScriptedProvider(['a']), model: 'm' })

/** What a component two levels below the given setup injects. */
function injectBelow(setup: () => unknown, inject = injectChat): UseChatReturn | undefined {
  let injected: UseChatReturn | undefined
  const Leaf = defineComponent(() => {
    injected = inject()
    return () => null
  })
  const Middle: Component = () => h(Leaf)
  const app = createApp({
    setup() {
      setup()
      return () => h(Middle)
    },
  })
  app.mount(document.createElement('div'))
  return injected
}

describe('provideChat', () => {
  it('returns what it was given, and makes it known to every component below', async () => {
    let chat: UseChatReturn | undefined
    const injected = injectBelow(() => (chat = provideChat(newChat())))
    expect(injected).toBe(chat)
    await injected?.sendMessage('1')
    expect(chat?.messages.value).toHaveLength(2)
  })

  it.each([
    ['reactive', (chat: UseChatReturn) => reactive(chat)],
    ['a reactive copy', (chat: UseChatReturn) => reactive({ ...chat })],
    ['readonly', (chat: UseChatReturn) => readonly(reactive(chat))],
  ])('takes a chat made %s; what is injected has refs, as its type says', async (_, wrap) => {
    const chat = newChat()
    const injected = injectBelow(() => {
      const given = wrap(chat)
      expect(provideChat(given)).toBe(given)
    })
    expect(isRef(injected?.messages)).toBe(true)
    await injected?.sendMessage('1')
    expect(injected?.status.value).toBe('ready')
    expect(injected?.messages.value).toBe(chat.messages.value)
  })

  it('says what to do where no component above has one', () => {
    let caught: unknown
    const inject = () => {
      try {
        return injectChat()
      } catch (error) {
        caught = error
        return newChat()
      }
    }
    injectBelow(() => {}, inject as typeof injectChat)
    expect(isLLMError(caught, 'misuse')).toBe(true)
    expect(caught).toHaveProperty('message', expect.stringContaining('provideChat(useChat(…))'))
  })
})
