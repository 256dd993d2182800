import { expectWarning } from '#test/expectWarning'
import { describe, expect, it, vi } from 'vitest'
import {
  createApp,
  createSSRApp,
  defineComponent,
  h,
  nextTick,
  onBeforeUpdate,
  onMounted,
  reactive,
  shallowRef,
  Suspense,
  triggerRef,
  watch,
  type Component,
  type Slots,
  type VNodeChild,
} from 'vue'
import { renderToString } from 'vue/server-renderer'
import { applyChunk, createMessage, type Chunk, type Message, type PartInput } from '../core'
import { MessageParts } from './MessageParts'

const call = (toolCallId: string, toolName = toolCallId): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  args: {},
  state: 'pending',
})

const broken = new Error('this card is broken')
const fail = (): never => {
  throw broken
}
const isRunning = ({ state }: { state?: string }) => state === 'running'
const card = (setup: (props: { state?: string }) => () => VNodeChild): Component =>
  defineComponent({ props: ['state'], setup } as never) as Component
const inner = card(() => fail)

interface Options {
  components?: Record<string, Component>
  slots?: Record<string, (props: never) => VNodeChild>
  handled?: boolean
}

function mount(message: Message, { components = {}, slots = {}, handled = true }: Options) {
  const root = document.createElement('div')
  const errors: unknown[] = []
  const app = createApp(() => [
    h(MessageParts, { message, components } as never, slots as unknown as Slots),
    h('footer', message.parts.length),
  ])
  if (handled) app.config.errorHandler = (error) => errors.push(error)
  app.mount(root)
  return { root, errors }
}

const write = async (message: Message, ...chunks: Chunk[]) => {
  for (const chunk of chunks) applyChunk(message, chunk)
  await nextTick()
  await nextTick()
}
const answerOf = (...parts: PartInput[]) => reactive(createMessage('assistant', { parts }))
const start = { type: 'tool-start', toolCallId: 'bad' } as const
const result = { type: 'tool-result', toolCallId: 'bad', result: 1 } as const

describe('a part that throws', () => {
  it.each<[string, Component]>([
    ['in setup', card(fail)],
    ['in its first render', card(() => fail)],
    ['in a component inside', card(() => () => h('section', h(inner)))],
    ['when it is mounted', card(() => (onMounted(fail), () => h('b', 'up')))],
  ])(
    '%s is shown as failed in its place; the others stand, and the chat goes on',
    async (where, bad) => {
      // Vue's own word in development, in whatever the component stands.
      if (where === 'in setup') expectWarning(/missing template or render function/)
      const message = answerOf({ type: 'text', text: 'before' }, call('bad'), call('good'), {
        type: 'text',
        text: 'after',
      })
      const good = card((props) => () => h('b', props.state))
      const { root, errors } = mount(message, { components: { bad, good } })
      await nextTick()
      expect(root.textContent).toBe("beforebad can't be shownpendingafter4")
      expect(root.querySelector('[data-failed]')?.getAttribute('data-part')).toBe('tool-call')
      expect(errors).toEqual([broken])
      await write(
        message,
        { type: 'tool-start', toolCallId: 'good' },
        { type: 'text-delta', text: ' more' },
      )
      expect(root.textContent).toBe("beforebad can't be shownrunningafter more5")
    },
  )

  it.each<[string, Component]>([
    ['render', card((props) => () => h('b', isRunning(props) ? fail() : props.state))],
    [
      'hook',
      card((props) => {
        onBeforeUpdate(() => isRunning(props) && fail())
        return () => h('b', props.state)
      }),
    ],
  ])('in the %s of an update is failed until the part is in another state', async (_, bad) => {
    const message = answerOf(call('bad'))
    const { root, errors } = mount(message, { components: { bad } })
    expect(root.innerHTML).toContain('<b>pending</b>')
    await write(message, start)
    expect(root.textContent).toBe("bad can't be shown1")
    expect(errors).toEqual([broken])
    await write(message, result)
    expect(root.innerHTML).toContain('<b>result</b>')
    expect(root.textContent).not.toContain("can't")
  })

  it('in a slot is failed as well, and drawn by the slot `failed` where there is one', async () => {
    const message = answerOf(call('bad'), { type: 'source', url: 'https://a.example' })
    const { root, errors } = mount(message, {
      slots: {
        tool: (props: { state: string }) => (isRunning(props) ? fail() : h('b', props.state)),
        source: fail,
        failed: ({ part, error }: { part: { type: string }; error: Error }) =>
          h('em', `${part.type}: ${error.message}; `),
      },
    })
    await nextTick()
    expect(root.textContent).toBe('pendingsource: this card is broken; 2')
    await write(message, start)
    expect(root.textContent).toBe('tool-call: this card is broken; source: this card is broken; 2')
    expect(errors).toEqual([broken, broken])
    await write(message, result)
    expect(root.textContent).toBe('resultsource: this card is broken; 2')
  })

  it('is text where it is a text, and tried again when it is done', async () => {
    const message = reactive(createMessage('assistant'))
    await write(message, { type: 'text-delta', text: '**half' })
    const { root, errors } = mount(message, {
      slots: {
        text: ({ part }: { part: { state: string; text: string } }) =>
          part.state === 'done' ? h('b', part.text) : fail(),
      },
    })
    await nextTick()
    for (const text of [' a', ' b', ' c**']) await write(message, { type: 'text-delta', text })
    expect(root.textContent).toBe('**half a b c**1')
    // Not once more for each piece of text.
    expect(errors).toHaveLength(1)
    await write(message, { type: 'step-end', finishReason: 'stop' })
    expect(root.innerHTML).toContain('<b>**half a b c**</b>')
  })

  it('is tried again when other data comes in its place', async () => {
    const message = reactive(createMessage('assistant'))
    await write(message, { type: 'data', name: 'chart', id: '1', data: null })
    const { root } = mount(message, {
      slots: {
        data: ({ part }: { part: { data: unknown } }) =>
          part.data === null ? fail() : h('b', 'ok'),
      },
    })
    await nextTick()
    expect(root.textContent).toBe("data can't be shown1")
    await write(message, { type: 'data', name: 'chart', id: '1', data: [1] })
    expect(root.textContent).toBe('ok1')
  })

  it('stays empty where the slot `failed` throws too', async () => {
    const message = answerOf(call('bad'), call('good'))
    const good = card(() => () => h('b', 'good'))
    const { root, errors } = mount(message, {
      components: { bad: inner, good },
      slots: { failed: fail },
    })
    await nextTick()
    expect(root.textContent).toBe('good2')
    expect(errors).toEqual([broken, broken])
  })

  it('is tried again when the components change', async () => {
    const message = answerOf(call('bad'), call('good'))
    const good = card(() => () => h('b', 'good'))
    const components = shallowRef<Record<string, Component>>({ bad: inner, good })
    const root = document.createElement('div')
    const app = createApp(() =>
      h(MessageParts, { message, components: { ...components.value } } as never),
    )
    const errors: unknown[] = []
    app.config.errorHandler = (error) => errors.push(error)
    app.mount(root)
    await nextTick()
    // A new map of the same ones changes nothing.
    triggerRef(components)
    await nextTick()
    expect([root.textContent, errors]).toEqual(["bad can't be showngood", [broken]])
    components.value = { bad: good, good }
    await nextTick()
    expect(root.textContent).toBe('goodgood')
  })

  it('in an async setup is failed as well, while the rest waits for nothing', async () => {
    const later = (setup: () => unknown) =>
      defineComponent({
        async setup() {
          await nextTick()
          setup()
          return () => h('b', 'up')
        },
      })
    const message = answerOf(call('bad'), call('good'), { type: 'text', text: 'after' })
    const components = { bad: later(fail), good: later(() => {}) }
    const root = document.createElement('div')
    const app = createApp(() =>
      h(Suspense, () => h('main', h(MessageParts, { message, components } as never))),
    )
    const errors: unknown[] = []
    app.config.errorHandler = (error) => errors.push(error)
    app.mount(root)
    await vi.waitFor(() => expect(root.textContent).toBe("bad can't be shownupafter"))
    expect(errors).toEqual([broken])
  })

  it('goes to the console where the app has no handler', async () => {
    expectWarning(/this card is broken/)
    const { root } = mount(answerOf(call('bad')), { components: { bad: inner }, handled: false })
    await nextTick()
    expect(root.textContent).toBe("bad can't be shown1")
  })

  it('inside another message that a card draws fails there', async () => {
    const sub = answerOf(call('bad'))
    const agent = card(() => () => [
      h('b', 'agent: '),
      h(MessageParts, { message: sub, components: { bad: inner } } as never),
    ])
    const { root } = mount(answerOf(call('agent')), { components: { agent } })
    await nextTick()
    expect(root.textContent).toBe("agent: bad can't be shown1")
  })

  it('in an event or a watcher stands, and the app is told', async () => {
    const message = answerOf(call('bad'))
    const bad = card((props) => {
      watch(() => props.state, fail)
      return () => h('button', { onClick: fail }, props.state)
    })
    const { root, errors } = mount(message, { components: { bad } })
    root.querySelector('button')?.click()
    await write(message, start)
    expect(root.textContent).toBe('running1')
    expect(errors).toEqual([broken, broken])
  })

  it('on the server leaves the rest of the page, which hydrates', async () => {
    const app = () => {
      const message = answerOf(call('bad'), { type: 'text', text: 'after' })
      const one = createSSRApp(() =>
        h(MessageParts, { message, components: { bad: inner } } as never),
      )
      one.config.errorHandler = () => {}
      return one
    }
    const root = document.createElement('div')
    root.innerHTML = await renderToString(app())
    expect(root.textContent).toBe('after')
    app().mount(root)
    await nextTick()
    expect(root.textContent).toBe("bad can't be shownafter")
  })
})
