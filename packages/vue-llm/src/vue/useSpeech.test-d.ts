import { describe, expectTypeOf, it } from 'vitest'
import { reactive, ref } from 'vue'
import {
  createOpenAIProvider,
  defineTool,
  injectChat,
  useChat,
  useSpeech,
  type LLMError,
  type Speak,
} from 'vue-llm'

const provider = createOpenAIProvider({})
const weather = defineTool({
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => ({ temp: city.length }),
})

describe('useSpeech', () => {
  it('takes any chat', () => {
    const { speaking, enabled, error, stop } = useSpeech(useChat({ provider }))
    useSpeech(useChat({ provider, tools: [weather] }))
    useSpeech(reactive(useChat({ provider, tools: [weather] })))
    useSpeech(injectChat<[typeof weather]>())
    expectTypeOf(speaking.value).toEqualTypeOf<boolean>()
    expectTypeOf(error.value).toEqualTypeOf<LLMError | undefined>()
    expectTypeOf(stop).toEqualTypeOf<() => void>()
    enabled.value = false
    // @ts-expect-error readonly
    speaking.value = true
  })

  it('takes a function that speaks, and data as refs and getters', () => {
    const options = { lang: () => 'en', rate: ref(1), speak: async () => {} }
    useSpeech(useChat({ provider }), options)
    expectTypeOf<Speak>().parameters.toEqualTypeOf<[string, { signal: AbortSignal }]>()
    // @ts-expect-error not a chat
    useSpeech({})
  })
})
