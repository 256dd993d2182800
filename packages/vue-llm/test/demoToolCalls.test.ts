import { expect, it, onTestFinished } from 'vitest'
import { watch } from 'vue'
import { createOpenAIProvider, useChat, type AnyTool } from 'vue-llm'
import { createDemoModel } from 'vue-llm/testing'
import { allCalls, textsOf } from './chatOn'

/** A chat with one of the demo models, and all that came to pass in it. */
async function askDemo(model: string) {
  const ask = createDemoModel({ delayMs: 0 })
  const streamed: boolean[] = []
  const ran: unknown[] = []
  const weather: AnyTool = {
    name: 'get_weather',
    description: 'Gets the current weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    execute(args: { city: string }) {
      ran.push(args)
      return { temperature: args.city.length, unit: 'celsius' }
    },
  }
  const chat = useChat({
    provider: createOpenAIProvider({
      baseURL: 'http://demo/v1',
      fetch(input, init) {
        streamed.push(JSON.parse(String(init?.body)).stream === true)
        return ask(input, init)
      },
    }),
    model,
    tools: [weather],
  })
  onTestFinished(chat.stop)
  const shown = new Set<string>()
  watch(
    () => JSON.stringify(chat.messages.value),
    (text) => shown.add(text),
    { flush: 'sync' },
  )
  await chat.sendMessage("What's the weather in Paris and Rome?")
  expect(chat.error.value).toBeUndefined()
  const calls = allCalls(chat).map(({ toolName, args, state }) => ({ toolName, args, state }))
  // The line end between two calls that are written as text stays: it is text.
  const texts = textsOf(chat).map((text) => text.trim())
  return { streamed, seen: { ran, calls, texts }, shown: [...shown] }
}

it.each([
  ['vue-llm-demo-text', [true, true]],
  ['vue-llm-demo-swallow', [true, false, true]],
])('a chat with %s is one with vue-llm-demo; requests that stream: %s', async (model, streamed) => {
  const expected = await askDemo('vue-llm-demo')
  expect(expected.streamed).toEqual([true, true])
  expect(expected.seen.ran).toEqual([{ city: 'Paris' }, { city: 'Rome' }])

  const chat = await askDemo(model)
  expect(chat.seen).toEqual(expected.seen)
  expect(chat.streamed).toEqual(streamed)
  expect(chat.shown.length).toBeGreaterThan(5)
  expect(chat.shown.filter((text) => /<tool_call|<function/.test(text))).toEqual([])
})
