import { describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { createApp, defineComponent, h, reactive } from 'vue'
import { applyChunk, createMessage, type MessageInput } from '../core'
import { createScriptedProvider, toolCall } from '../testing'
import { MessageParts } from './MessageParts'
import { useChat } from './useChat'
import { useToolCall } from './useToolCall'

const executed: unknown[] = []

/** A form that a person fills in: arguments to edit, and two ways to answer. */
const BookingForm = defineComponent(() => {
  const { args, state, result, error, approve, decline } = useToolCall()
  const edited = reactive<{ guests?: number }>({})
  const guests = () => edited.guests ?? Number(args.value['guests'])
  return () =>
    h('section', [
      state.value === 'pending'
        ? h(
            'form',
            {
              onSubmit(event: Event) {
                event.preventDefault()
                void approve({ ...args.value, guests: guests() })
              },
            },
            [
              h('label', [
                'Guests ',
                h('input', {
                  value: guests(),
                  onInput: ({ target }: Event) =>
                    (edited.guests = Number((target as HTMLInputElement).value)),
                }),
              ]),
              h('button', 'Book'),
              h('button', { type: 'button', onClick: decline }, 'No'),
            ],
          )
        : h('p', `${state.value}: ${JSON.stringify(result.value ?? error.value)}`),
    ])
})

const Broken = defineComponent(() => {
  throw new Error('this card is broken')
})

/** The page: a chat whose model wants to book a table, and uses a tool that nobody knows. */
async function open() {
  executed.length = 0
  const provider = createScriptedProvider([
    [
      toolCall('book_table', { place: 'Mare', guests: 2 }),
      toolCall('unknown'),
      toolCall('broken', {}),
    ],
    'Thank you.',
  ])
  const execute = (args: unknown) => {
    executed.push(args)
    return 'booked'
  }
  const initialMessages: MessageInput[] = []
  const chat = useChat({
    provider,
    model: 'm',
    initialMessages,
    tools: [
      { name: 'book_table', needsApproval: true, execute },
      { name: 'broken', execute: () => 1 },
    ],
  })
  const components = { book_table: BookingForm, broken: Broken } as never
  const app = createApp(() => [
    h('input', { 'aria-label': 'Message' }),
    chat.messages.value.map((message) =>
      h(MessageParts, { key: message.id, message, chat, components }),
    ),
  ])
  const thrown: unknown[] = []
  app.config.errorHandler = (error) => thrown.push(error)
  // Vue's own word in development on a component whose setup threw.
  app.config.warnHandler = (text) => text.includes('missing template') || console.warn(text)
  const root = document.createElement('main')
  document.body.append(root)
  app.mount(root)
  root.querySelector('input')?.focus()
  await chat.sendMessage('a table')
  await vi.waitFor(() => expect(root.querySelector('form')).not.toBeNull())
  const end = () => {
    app.unmount()
    root.remove()
  }
  const done = () => vi.waitFor(() => expect(root.textContent).toContain('Thank you.'), 3000)
  return { root, chat, provider, thrown, done, end }
}

describe('a form of a tool call in Chromium', () => {
  it('is answered with the mouse; the edited arguments reach execute, and the model goes on', async () => {
    const { root, provider, thrown, done, end } = await open()
    const field = root.querySelector('form input') as HTMLInputElement
    await userEvent.click(field)
    await userEvent.fill(field, '5')
    await userEvent.click(root.querySelector('form button') as HTMLElement)
    await done()
    expect(executed).toEqual([{ place: 'Mare', guests: 5 }])
    expect(root.querySelector('section')?.textContent).toBe('result: "booked"')
    expect(provider.requests).toHaveLength(2)
    // What fails, and what nobody knows, has its place.
    expect(root.textContent).toContain("broken can't be shown")
    expect(root.textContent).toContain("unknown: unknown tool 'unknown'")
    // It was tried anew in each of its states.
    expect(thrown.map(String)).toEqual(Array(3).fill('Error: this card is broken'))
    end()
  })

  it('is answered with the keyboard alone, and the focus stays with it', async () => {
    const { root, done, end } = await open()
    // A card that comes takes no focus away.
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Message')
    await userEvent.keyboard('{Tab}')
    expect(document.activeElement).toBe(root.querySelector('form input'))
    await userEvent.keyboard('{End}{Backspace}4{Tab}')
    expect(document.activeElement?.textContent).toBe('Book')
    await userEvent.keyboard('{Enter}')
    await done()
    expect(executed).toEqual([{ place: 'Mare', guests: 4 }])
    expect(document.activeElement).toBe(root.querySelector('section'))
    end()
  })

  it('is declined with the keyboard: nothing runs, and the model reads why', async () => {
    const { root, provider, done, end } = await open()
    await userEvent.keyboard('{Tab}{Tab}{Tab}')
    expect(document.activeElement?.textContent).toBe('No')
    await userEvent.keyboard(' ')
    await done()
    expect(executed).toEqual([])
    expect(root.querySelector('section')?.textContent).toBe('error: "declined by the user"')
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('declined by the user')
    end()
  })

  it('keeps the focus also where its button is only disabled', async () => {
    const Card = defineComponent(() => {
      const { state } = useToolCall()
      return () => h('section', h('button', { disabled: state.value !== 'pending' }, 'ok'))
    })
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'ask', args: {} } as const
    const message = reactive(createMessage('assistant', { parts: [{ ...call, state: 'pending' }] }))
    const root = document.createElement('main')
    document.body.append(root)
    const app = createApp(() => h(MessageParts, { message, components: { ask: Card } as never }))
    app.mount(root)
    root.querySelector('button')?.focus()
    applyChunk(message, { type: 'tool-result', toolCallId: 'c', result: 1 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(document.activeElement).toBe(root.querySelector('section'))
    app.unmount()
    root.remove()
  })
})
