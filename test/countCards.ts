import { createApp, defineComponent, h, nextTick, watch, type PropType } from 'vue'
import {
  defineToolComponent,
  MessageParts,
  useChat,
  useToolCall,
  type Chunk,
  type Provider,
  type ToolCallProps,
} from 'vue-llm'

/** Renders of the cards of one answer. */
export interface CardCounts {
  /** Renders of each card by the name of its tool, before the text began. */
  before: Record<string, number>
  /** The same when all had ended. */
  after: Record<string, number>
  /** How often the text was written to. */
  textWrites: number
  /** How often the arguments of a card were written to. */
  argsWrites: number
  /** What the page shows at the end. */
  shown: string
}

/** A provider that asks for the tools in its first round and then writes that many pieces of text. */
export function cardProvider(calls: readonly Chunk[], pieces: number, pause = 100): Provider {
  let round = 0
  return {
    name: 'cards',
    async *stream() {
      const isText = round++ > 0
      const text = Array.from({ length: pieces }, (): Chunk => ({ type: 'text-delta', text: 'x' }))
      const chunks = isText ? text : calls
      for (const [index, chunk] of chunks.entries()) {
        yield chunk
        if (index % (isText ? pause : 5) === 0) await new Promise((resolve) => setTimeout(resolve))
      }
    },
  }
}

/** Mounts a chat with a card of every kind, asks, and counts what the cards render until the answer has ended. */
export async function countCards(provider: Provider): Promise<CardCounts> {
  const renders: Record<string, number> = {}
  const count = (name: string, text: unknown) => {
    renders[name] = (renders[name] ?? 0) + 1
    return h('b', `${name} ${JSON.stringify(text)};`)
  }
  const Mapped = defineComponent({
    props: { args: { type: Object as PropType<object>, required: true }, state: String },
    setup: (props) => () => count('mapped', [props.args, props.state]),
  })
  const Nested = defineComponent(() => {
    const { args, result } = useToolCall()
    return () => count('nested', [args.value, result.value])
  })
  const Shown = defineComponent({
    props: { city: { type: String, required: true } },
    setup: (props) => () => count('shown', props.city),
  })
  const Asking = defineComponent({
    props: { city: String },
    emits: ['result'],
    setup:
      (props, { emit }) =>
      () => [
        count('asking', props.city),
        h('button', { onClick: () => emit('result', 'ok') }, 'ok'),
      ],
  })
  const tools = [
    ...['mapped', 'slot', 'nested'].map((name) => ({ name, execute: async () => name })),
    defineToolComponent({ name: 'shown', component: Shown as never }),
    defineToolComponent({ name: 'asking', component: Asking as never }),
  ]
  const slots = {
    text: ({ part }: { part: { text: string } }) => h('p', part.text),
    'tool-slot': (props: ToolCallProps) => count('slot', [props.args, props.state]),
  }
  const components = { mapped: Mapped, nested: () => h('section', h(Nested)) }
  const chat = useChat({ provider, model: 'm', tools })
  const counts = { textWrites: 0, argsWrites: 0 }
  let before: Record<string, number> | undefined
  const answer = () => chat.messages.value[1]
  const text = () => answer()?.parts.find((part) => part.type === 'text')?.text
  const args = () => {
    const part = answer()?.parts[0]
    return part?.type === 'tool-call' ? [part.args, part.state, part.result] : []
  }
  watch(args, () => counts.argsWrites++, { flush: 'sync' })
  watch(
    text,
    () => {
      before ??= { ...renders }
      counts.textWrites++
    },
    { flush: 'sync' },
  )
  const app = createApp(() =>
    chat.messages.value.map((message) =>
      // As a template without hoisting gives them: new objects each time.
      h(
        MessageParts,
        { key: message.id, message, chat, components: { ...components } } as never,
        slots as never,
      ),
    ),
  )
  const root = document.createElement('div')
  document.body.append(root)
  app.mount(root)
  await chat.sendMessage('go')
  // One waits for a person: it is answered, and the model writes.
  await nextTick()
  root.querySelector('button')?.click()
  await new Promise<void>((resolve) => {
    const stop = watch(chat.status, (status) => {
      if (status !== 'ready' || !text()) return
      stop()
      resolve()
    })
  })
  await nextTick()
  const shown = root.textContent ?? ''
  app.unmount()
  root.remove()
  return { before: before ?? {}, after: { ...renders }, ...counts, shown }
}
