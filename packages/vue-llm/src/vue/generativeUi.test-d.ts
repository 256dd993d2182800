import { describe, expectTypeOf, it } from 'vitest'
import { defineAsyncComponent, defineComponent, type Component, type PropType, type Ref } from 'vue'
import * as z from 'zod'
import {
  defineTool,
  defineToolComponent,
  MessageParts,
  useChat,
  useToolCall,
  type Message,
  type MessageOf,
  type MessagePartsSlots,
  type Provider,
  type ToolCallPart,
  type ToolCallPartOf,
  type ToolCallProps,
} from 'vue-llm'

declare const ai: Provider

const weather = defineTool({
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: async ({ city }) => ({ temp: city.length }),
})
const book = defineTool({
  name: 'book',
  parameters: { type: 'object', properties: { seats: { type: 'number' } }, required: ['seats'] },
  needsApproval: true,
  execute: ({ seats }) => `${seats}`,
})
type Tools = readonly [typeof weather, typeof book]
type Call = ToolCallPartOf<Tools>
type WeatherCall = Extract<Call, { toolName: 'get_weather' }>
declare const message: MessageOf<Tools>

type PropsOf<T> = T extends (props: infer P) => unknown ? P : never

const WeatherCard = defineComponent({
  props: {
    args: { type: Object as PropType<{ readonly city?: string }>, required: true },
    result: Object as PropType<{ temp: number }>,
    state: { type: String as PropType<ToolCallPart['state']>, required: true },
  },
})
const BookForm = defineComponent({
  props: {
    approve: {
      type: Function as PropType<(args?: { readonly seats: number }) => Promise<boolean>>,
      required: true,
    },
    decline: Function as PropType<(reason?: string) => void>,
  },
})
const NeedsResult = defineComponent({
  props: { result: { type: Object as PropType<{ temp: number }>, required: true } },
})
const NeedsOther = defineComponent({ props: { theme: { type: String, required: true } } })
const WantsText = defineComponent({ props: { result: String } })
const Plain = defineComponent(() => () => null)

describe('the slots of MessageParts', () => {
  type Slots = MessagePartsSlots<Call>
  type WeatherSlot = PropsOf<NonNullable<Slots['tool-get_weather']>>

  it('get the call, its fields and its functions, told apart by tool and state', () => {
    expectTypeOf<WeatherSlot['part']>().toEqualTypeOf<WeatherCall>()
    expectTypeOf<WeatherSlot['message']>().toEqualTypeOf<Message>()
    const read = (props: WeatherSlot) => {
      if (props.state === 'streaming') {
        expectTypeOf(props.args.city).toEqualTypeOf<string | undefined>()
      }
      if (props.state !== 'result') return
      expectTypeOf(props.args.city).toEqualTypeOf<string>()
      expectTypeOf(props.result).toEqualTypeOf<{ temp: number } | undefined>()
      expectTypeOf(props.part.result).toEqualTypeOf<{ temp: number }>()
    }
    void read
    expectTypeOf<WeatherSlot['addResult']>().parameter(0).toEqualTypeOf<{ temp: number }>()
    type BookSlot = PropsOf<NonNullable<Slots['tool-book']>>
    expectTypeOf<Parameters<BookSlot['approve']>[0]>().toEqualTypeOf<
      { readonly seats: number } | Event | undefined
    >()
  })

  it('get any call where the message does not know its tools, or in `#tool`', () => {
    type Any = PropsOf<NonNullable<MessagePartsSlots['tool']>>
    expectTypeOf<Any>().toEqualTypeOf<ToolCallProps>()
    expectTypeOf<Any['args']>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
    expectTypeOf<PropsOf<NonNullable<Slots['tool']>>['part']>().toEqualTypeOf<Call>()
    expectTypeOf<PropsOf<NonNullable<Slots['failed']>>['error']>().toEqualTypeOf<unknown>()
  })
})

describe('the components of MessageParts', () => {
  it('take what their tools give', () => {
    expectTypeOf(MessageParts).instance.toHaveProperty('$slots')
    void new MessageParts({ message, components: { get_weather: WeatherCard, book: BookForm } })
    void new MessageParts({ message, components: { get_weather: Plain } })
    void new MessageParts({ message, components: {} })
    const components = { get_weather: WeatherCard }
    void new MessageParts({ message, components })
    void new MessageParts({
      message,
      components: {
        get_weather: (props: ToolCallProps<WeatherCall>) => props.args.city,
        book: (props: { state: string }) => props.state,
      },
    })
    const Later = defineAsyncComponent(async () => WeatherCard)
    void new MessageParts({ message, components: { get_weather: Later } })
    const anything: Component = Plain
    void new MessageParts({ message, components: { get_weather: anything } })
  })

  it('are refused where they do not fit', () => {
    expectTypeOf(WeatherCard).not.toEqualTypeOf<typeof BookForm>()
    // @ts-expect-error the card wants the result of another tool
    void new MessageParts({ message, components: { book: WeatherCard } })
    // @ts-expect-error the result comes later than the call: it can't be required
    void new MessageParts({ message, components: { get_weather: NeedsResult } })
    // @ts-expect-error nobody gives a theme
    void new MessageParts({ message, components: { get_weather: NeedsOther } })
    // @ts-expect-error the result is no text
    void new MessageParts({ message, components: { get_weather: WantsText } })
    // @ts-expect-error there is no such tool
    void new MessageParts({ message, components: { get_wether: WeatherCard } })
    const whole = (props: { args: { city: string } }) => props.args.city
    // @ts-expect-error arguments may still be arriving
    void new MessageParts({ message, components: { get_weather: whole } })
    const later = defineAsyncComponent(async () => WeatherCard)
    // @ts-expect-error not even an async one
    void new MessageParts({ message, components: { book: later } })
  })

  it('may be any where the message does not know its tools', () => {
    const untyped: Message = message
    expectTypeOf(message).toExtend<Message>()
    void new MessageParts({ message: untyped, components: { get_weather: WeatherCard } })
    // @ts-expect-error a component is wanted
    void new MessageParts({ message: untyped, components: { get_weather: 1 } })
  })

  it('belong to a chat, plain or reactive', () => {
    const chat = useChat({ provider: ai, tools: [weather, book] })
    expectTypeOf(chat.messages.value).toEqualTypeOf<MessageOf<Tools>[]>()
    for (const one of chat.messages.value) {
      void new MessageParts({ message: one, chat, components: { get_weather: WeatherCard } })
    }
    // @ts-expect-error not a chat
    void new MessageParts({ message, chat: {} })
  })
})

describe('useToolCall', () => {
  it('is typed by its tool', () => {
    const { args, result, state, approve, addResult } = useToolCall<typeof book>()
    expectTypeOf(args.value.seats).toEqualTypeOf<number | undefined>()
    expectTypeOf(result.value).toEqualTypeOf<string | undefined>()
    expectTypeOf(state.value).toEqualTypeOf<ToolCallPart['state']>()
    void approve({ seats: 2 })
    void addResult('two')
    // @ts-expect-error seats are a number
    void approve({ seats: 'two' })
    // @ts-expect-error the tool returns text
    void addResult(2)
    // @ts-expect-error read only
    state.value = 'error'
  })

  it('is any call without one', () => {
    expectTypeOf(useToolCall().args).toEqualTypeOf<
      Readonly<Ref<Readonly<Record<string, unknown>>>>
    >()
  })
})

describe('defineToolComponent', () => {
  const Chart = defineComponent({
    props: {
      title: { type: String, required: true },
      values: Array as PropType<readonly number[]>,
    },
  })
  const SeatMap = defineComponent({
    props: { rows: { type: Number, required: true } },
    emits: { result: (seat: string) => seat !== '' },
  })
  const rows = {
    type: 'object',
    properties: { rows: { type: 'number' } },
    required: ['rows'],
  } as const

  it('is a tool whose arguments are the props, and whose result is what it emits', () => {
    const seat = defineToolComponent({ name: 'seat', parameters: rows, component: SeatMap })
    const chart = defineToolComponent({
      name: 'chart',
      parameters: z.object({ title: z.string(), values: z.array(z.number()).optional() }),
      component: Chart,
    })
    const { messages } = useChat({ provider: ai, tools: [seat, chart] })
    const part = messages.value[0]?.parts[0]
    if (part?.type !== 'tool-call' || part.state !== 'result') return
    if (part.toolName === 'seat') {
      expectTypeOf(part.args).toEqualTypeOf<{ readonly rows: number }>()
      expectTypeOf(part.result).toEqualTypeOf<string>()
    } else {
      expectTypeOf(part.toolName).toEqualTypeOf<'chart'>()
      expectTypeOf(part.args.title).toEqualTypeOf<string>()
      expectTypeOf(part.result).toEqualTypeOf<{ shown: true }>()
    }
  })

  it('refuses a component that the arguments do not fit', () => {
    const fits = defineToolComponent({ name: 'seat', parameters: rows, component: SeatMap })
    expectTypeOf(fits.component).toExtend<typeof SeatMap>()
    const optional = { type: 'object', properties: { rows: { type: 'number' } } } as const
    // @ts-expect-error the prop is required, the argument is not
    defineToolComponent({ name: 'seat', parameters: optional, component: SeatMap })
    const text = {
      type: 'object',
      properties: { rows: { type: 'string' } },
      required: ['rows'],
    } as const
    // @ts-expect-error the prop is a number, the argument is text
    defineToolComponent({ name: 'seat', parameters: text, component: SeatMap })
    // @ts-expect-error nobody gives the title
    defineToolComponent({ name: 'chart', parameters: rows, component: Chart })
    // @ts-expect-error no such option
    defineToolComponent({ name: 'seat', parameters: rows, component: SeatMap, execute: () => 1 })
  })
})
