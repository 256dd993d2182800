import { textOf } from '#test/textOf'
import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { createOpenAIProvider, MessageParts, useChat, type Message } from 'vue-llm'
import { createScriptedProvider } from 'vue-llm/testing'
import { until } from '../packages/vue-llm/test/chatOn'
import {
  callEvents,
  finishEvent,
  startStrictServer,
  type AnswerItem,
} from '../packages/vue-llm/test/strictServer'

/** Every text that an element had, noted by the browser's own observer. */
function textsSeen(element: Element): string[] {
  const seen: string[] = []
  const note = () => {
    const text = element.textContent
    if (text !== seen.at(-1)) seen.push(text)
  }
  new MutationObserver(note).observe(element, {
    subtree: true,
    childList: true,
    characterData: true,
  })
  return seen
}

/** A page with a chat that has been sent "go"; what its answer shows is noted. */
async function chatPage(round: (sees: (text: string) => AnswerItem) => AnswerItem[]) {
  let seen: string[] = []
  const sees = (text: string) => () => until(() => seen.includes(text))
  const { baseURL } = await startStrictServer([round(sees), ['.']])
  const initialMessages = Object.freeze([{ id: '1', role: 'user' as const, content: 'hi' }])
  let send = () => Promise.resolve()
  const Page = defineComponent(() => {
    const { messages, sendMessage } = useChat({
      provider: createOpenAIProvider({ baseURL }),
      model: 'm',
      initialMessages,
      throttleMs: 0,
      tools: [{ name: 't', execute: () => 'ok' }],
    })
    send = () => sendMessage('go')
    const draw = (message: Message) =>
      h(
        MessageParts,
        { message },
        {
          text: ({ part }: { part: { text: string } }) => part.text,
          tool: ({ part }: { part: { state: string; args: object } }) =>
            `[${part.state} ${JSON.stringify(part.args)}]`,
        },
      )
    return () => h('div', messages.value.slice(2).map(draw))
  })
  const page = mount(Page)
  seen = textsSeen(page.element)
  await send()
  await until(() => page.text().endsWith('.'))
  page.unmount()
  return seen
}

describe('state case D1 in a page', () => {
  it('shows "a", "ab" and "abc" as they come', async () => {
    const seen = await chatPage((sees) => ['a', sees('a'), 'b', sees('ab'), 'c', sees('abc'), '.'])
    expect(seen.slice(0, 3)).toEqual(['a', 'ab', 'abc'])
  })

  it('shows each state of a call, and its arguments as they come', async () => {
    const seen = await chatPage((sees) => {
      const [start = {}, first = {}, second = {}, third = {}] = callEvents('call_1', 't', [
        '{"a":"x',
        'y',
        '"}',
      ])
      return [
        start,
        sees('[streaming {}]'),
        first,
        sees('[streaming {"a":"x"}]'),
        second,
        sees('[streaming {"a":"xy"}]'),
        third,
        finishEvent('tool_calls'),
      ]
    })
    expect(seen).toEqual([
      '[streaming {}]',
      '[streaming {"a":"x"}]',
      '[streaming {"a":"xy"}]',
      '[pending {"a":"xy"}]',
      '[running {"a":"xy"}]',
      '[result {"a":"xy"}]',
      '[result {"a":"xy"}].',
    ])
  })
})

describe('state case D3 in a page', () => {
  it('stop() between two frames keeps all that was read', async () => {
    const shown: unknown[] = []
    const { messages, status, stop, sendMessage } = useChat({
      provider: createScriptedProvider([
        [
          'a',
          'b',
          'c',
          () => {
            shown.push(textOf(messages.value[1]?.parts[0]))
            stop()
            shown.push(textOf(messages.value[1]?.parts[0]), status.value)
          },
          'late',
        ],
      ]),
      model: 'm',
    })
    await sendMessage('go')
    // Only the first piece is written before the frame.
    expect(shown).toEqual(['streaming: a', 'done: abc', 'ready'])
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(textOf(messages.value[1]?.parts[0])).toBe('done: abc')
  })
})
