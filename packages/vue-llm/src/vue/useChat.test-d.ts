import { describe, expectTypeOf, it } from 'vitest'
import { computed, h, reactive, ref, shallowRef, type ComputedRef, type Ref } from 'vue'
import {
  defineTool,
  injectChat,
  MessageParts,
  provideChat,
  useChat,
  type AnyTool,
  type DataPart,
  type LLMError,
  type Message,
  type MessageOf,
  type MessagePartsSlots,
  type Provider,
  type SourcePart,
  type TextPart,
  type ToolCallPart,
  type ToolCallPartOf,
  type Usage,
  type UseChatOptions,
  type UseChatReturn,
} from 'vue-llm'

declare const ai: Provider
declare function fetchWeather(args: { city: string }): Promise<{ temp: number }>

const weather = defineTool({
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: async ({ city }) => ({ temp: city.length }),
})
const time = defineTool({
  name: 'get_time',
  parameters: { type: 'object', properties: { zone: { enum: ['UTC', 'CET'] } } },
  execute: () => 'noon',
})
type Tools = readonly [typeof weather, typeof time]

/** Reads a chat with those tools as an app does. */
function readMessages(messages: MessageOf<Tools>[]) {
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'text') expectTypeOf(part.text).toEqualTypeOf<string>()
      if (part.type !== 'tool-call' || part.state !== 'result') continue
      if (part.toolName === 'get_weather') {
        expectTypeOf(part.args).toEqualTypeOf<{ readonly city: string }>()
        expectTypeOf(part.result).toEqualTypeOf<{ temp: number }>()
      } else {
        expectTypeOf(part.toolName).toEqualTypeOf<'get_time'>()
        expectTypeOf(part.args.zone).toEqualTypeOf<'UTC' | 'CET' | undefined>()
        expectTypeOf(part.result).toEqualTypeOf<string>()
      }
    }
  }
}

describe('useChat', () => {
  it('narrows messages, pendingToolCalls and onFinish by the tools it is given', () => {
    const { messages, pendingToolCalls } = useChat({
      provider: ai,
      model: 'm',
      tools: [weather, time],
      onFinish({ message, messages: all }) {
        expectTypeOf(message).toEqualTypeOf<MessageOf<Tools> | undefined>()
        readMessages(all)
      },
    })
    readMessages(messages.value)
    const [call] = pendingToolCalls.value
    expectTypeOf(call).toExtend<ToolCallPartOf<Tools> | undefined>()
    // @ts-expect-error there is no such tool
    void (call?.toolName === 'get_wether')
    if (call?.toolName !== 'get_weather') return
    // What waits for a person is whole.
    expectTypeOf(call.state).toEqualTypeOf<'pending'>()
    expectTypeOf(call.args.city).toEqualTypeOf<string>()
    // @ts-expect-error there is no such argument
    void call.args.town
    // @ts-expect-error a call that waits has no result
    void call.result.temp
  })

  it('takes tools as a list, a constant, a ref, a computed or a getter', () => {
    const options = { provider: ai, model: 'm' }
    const list = [weather, time]
    const fixed = [weather, time] as const
    const chats = [
      useChat({ ...options, tools: list }),
      useChat({ ...options, tools: fixed }),
      useChat({ ...options, tools: shallowRef(list) }),
      useChat({ ...options, tools: ref(list) }),
      useChat({ ...options, tools: computed(() => list) }),
      useChat({ ...options, tools: () => [weather, time] }),
      useChat({ ...options, tools: () => (list.length > 1 ? list : undefined) }),
    ] as const
    type Each = (typeof chats)[number]['messages']['value'][number]
    expectTypeOf<Each>().toEqualTypeOf<MessageOf<Tools>>()
  })

  it('has plain messages without tools, and with tools of no known type', () => {
    const options = { provider: ai, model: 'm' }
    const tools: AnyTool[] = [weather]
    expectTypeOf(useChat(options).messages).toEqualTypeOf<Ref<Message[]>>()
    expectTypeOf(useChat({ ...options, tools }).messages).toEqualTypeOf<Ref<Message[]>>()
    expectTypeOf(useChat({ ...options, tools: [] }).messages).toEqualTypeOf<Ref<Message[]>>()
    const plain = [{ name: 'get_weather', description: '…', parameters: {} }]
    expectTypeOf(useChat({ ...options, tools: plain }).messages.value).toExtend<Message[]>()
  })

  it('takes every data option as a value, a ref, a computed or a getter', () => {
    const chat = useChat({
      provider: shallowRef(ai),
      model: () => 'm',
      id: ref<string>(),
      initialMessages: computed(() => [{ role: 'user', content: 'hi' } as const]),
      system: ref('s'),
      settings: () => ({ temperature: 0 }),
      headers: reactive({ a: 'b' }),
      body: () => undefined,
      toolChoice: computed(() => 'none' as const),
      maxToolRoundtrips: ref(3),
      autoSendToolResults: () => false,
      throttleMs: undefined,
    })
    expectTypeOf(chat).toEqualTypeOf<UseChatReturn>()
    useChat({ provider: ref(ai), model: ref('m'), initialMessages: Object.freeze([]) })
    useChat({ provider: () => ai, model: 'm', initialMessages: ref<Message[]>([]) })
  })

  it('needs no model, which a server of one’s own may choose', () => {
    expectTypeOf(useChat({ provider: ai })).toEqualTypeOf<UseChatReturn>()
  })

  it('refuses what is no option', () => {
    expectTypeOf(useChat).parameters.toEqualTypeOf<[UseChatOptions]>()
    // @ts-expect-error a provider is needed
    useChat({ model: 'm' })
    // @ts-expect-error no such option
    useChat({ provider: ai, model: 'm', maxSteps: 3 })
    // @ts-expect-error a list is wanted
    useChat({ provider: ai, model: 'm', tools: weather })
    // @ts-expect-error the system prompt is no message
    useChat({ provider: ai, model: 'm', initialMessages: [{ role: 'system', content: '' }] })
  })

  it('returns refs and functions', () => {
    const chat = useChat({ provider: ai, model: 'm' })
    expectTypeOf(chat).toEqualTypeOf<UseChatReturn>()
    expectTypeOf(chat.status.value).toEqualTypeOf<'ready' | 'submitted' | 'streaming' | 'error'>()
    expectTypeOf(chat.error.value).toEqualTypeOf<LLMError | undefined>()
    expectTypeOf(chat.usage).toEqualTypeOf<ComputedRef<Usage>>()
    expectTypeOf(chat.sendMessage).returns.toEqualTypeOf<Promise<void>>()
    expectTypeOf(chat.addToolResult).returns.toEqualTypeOf<Promise<boolean>>()
    // @ts-expect-error read only
    chat.status.value = 'ready'
    // @ts-expect-error either a result or an error
    void chat.addToolResult({ toolCallId: 'c', result: 1, error: 'e' })
    // @ts-expect-error no role: it is the user's
    void chat.sendMessage({ role: 'assistant', content: 'a' })
    const form: (event: Event) => unknown = chat.handleSubmit
    void form
  })

  it('unwraps in reactive()', () => {
    const chat = reactive(useChat({ provider: ai, model: 'm', tools: [weather, time] }))
    readMessages(chat.messages)
    expectTypeOf(chat.status).toEqualTypeOf<'ready' | 'submitted' | 'streaming' | 'error'>()
    expectTypeOf(chat.id).toEqualTypeOf<string | undefined>()
  })
})

describe('the samples of the tool page', () => {
  it('compile as they stand', () => {
    const getWeather = defineTool<{ city: string }, { temp: number }>({
      name: 'get_weather',
      description: 'Get the current weather for a city',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      execute: ({ city }, { signal }) =>
        fetch(`/api/weather?city=${city}`, { signal }).then((r) => r.json()),
    })

    const { messages, sendMessage } = useChat({
      provider: ai,
      model: 'gpt-4o',
      tools: [getWeather],
      maxToolRoundtrips: 3,
    })
    void sendMessage('hi')

    const part = messages.value[0]?.parts[0]
    if (part?.type === 'tool-call' && part.state === 'result') {
      expectTypeOf(part.result).toEqualTypeOf<{ temp: number }>()
      expectTypeOf(part.args.city).toEqualTypeOf<string>()
    }
  })

  it('of onToolCall and addToolResult as well', async () => {
    const { addToolResult, messages } = useChat({
      provider: ai,
      model: 'gpt-4o',
      tools: [{ name: 'get_weather', description: '…', parameters: {/* … */} }],
      // @ts-expect-error only by noImplicitReturns, which this workspace sets and `strict` does not
      async onToolCall({ toolName, args }) {
        if (toolName === 'get_weather') return fetchWeather(args as { city: string })
      },
    })
    const toolCallId = messages.value[0]?.id ?? ''
    expectTypeOf(messages.value).toExtend<Message[]>()
    await addToolResult({ toolCallId, result: { approved: true } })
    await addToolResult({ toolCallId, error: 'The user declined' })
  })
})

describe('provideChat and injectChat', () => {
  it('keep the type of the tools', () => {
    const chat = provideChat(useChat({ provider: ai, model: 'm', tools: [weather, time] }))
    readMessages(chat.messages.value)
    readMessages(injectChat<Tools>().messages.value)
    expectTypeOf(injectChat()).toEqualTypeOf<UseChatReturn>()
    const flat = provideChat(
      reactive(useChat({ provider: ai, model: 'm', tools: [weather, time] })),
    )
    readMessages(flat.messages)
    // @ts-expect-error not a chat
    provideChat({ messages: [] })
  })
})

describe('MessageParts', () => {
  type PropsOf<T> = T extends (props: infer P) => unknown ? P : never
  type PartOf<T> = PropsOf<NonNullable<T>>['part' & keyof PropsOf<NonNullable<T>>]

  it('has a slot for each type of part, and for tools and data by name', () => {
    type Slots = InstanceType<typeof MessageParts>['$slots']
    expectTypeOf<PartOf<Slots['text']>>().toEqualTypeOf<TextPart>()
    expectTypeOf<PartOf<Slots['source']>>().toEqualTypeOf<SourcePart>()
    expectTypeOf<PartOf<Slots['tool']>>().toEqualTypeOf<ToolCallPart>()
    expectTypeOf<PartOf<Slots['tool-get_weather']>>().toEqualTypeOf<ToolCallPart>()
    expectTypeOf<PartOf<Slots['data-chart']>>().toEqualTypeOf<DataPart>()
    expectTypeOf<PropsOf<NonNullable<Slots['file']>>['message']>().toEqualTypeOf<Message>()
    expectTypeOf<Slots>().not.toHaveProperty('txt')
  })

  it('knows the tools of the message: their slots, and what each of them gets', () => {
    type Call = ToolCallPartOf<Tools>
    type Slots = MessagePartsSlots<Call>
    type Weather = Extract<Call, { toolName: 'get_weather' }>
    expectTypeOf<PartOf<Slots['tool-get_weather']>>().toEqualTypeOf<Weather>()
    expectTypeOf<PartOf<Slots['tool']>>().toEqualTypeOf<Call>()
    expectTypeOf<Slots>().not.toHaveProperty('tool-get_wether')
  })

  it('takes messages whose tools are known', () => {
    const { messages } = useChat({ provider: ai, model: 'm', tools: [weather, time] })
    type Props = InstanceType<typeof MessageParts>['$props']
    expectTypeOf(messages.value[0]).exclude<undefined>().toExtend<Props['message']>()
    for (const message of messages.value) h(MessageParts, { message })
    // @ts-expect-error a message is needed
    h(MessageParts, {})
  })
})
