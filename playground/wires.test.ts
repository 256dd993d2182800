import { describe, expect, it } from 'vitest'
import { createMessage, defineTool, runChat, type Message, type Provider } from 'vue-llm/core'
import { glm, hermes, llamaPythonic, mistral, qwen, type ToolCallDialect } from 'vue-llm/dialects'
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  type CommonOptions,
} from 'vue-llm/providers'
import type { TextCalls } from './server/wires/textCalls.ts'
import { createWiresService } from './server/wiresService.ts'

const service = createWiresService({ delayMs: 0 })
const fetch = (url: string, init?: RequestInit) => service(new Request(`http://page${url}`, init))

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Gets the current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => ({ city, temperature: 21, condition: 'clear' }),
})

async function ask(provider: Provider, text: string): Promise<Message | undefined> {
  const messages = [createMessage('user', { content: text })]
  const { signal } = new AbortController()
  const request = { model: 'vue-llm-demo', system: 'Be kind.' }
  for await (const chunk of runChat({ provider, messages, tools: [getWeather], request, signal })) {
    if (chunk.type === 'error') throw new Error(chunk.message)
  }
  return messages.at(-1)
}

const callsOf = (message: Message | undefined) =>
  message?.parts.flatMap((part) => (part.type === 'tool-call' ? [[part.args, part.state]] : []))
const textOf = (message: Message | undefined) =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

const vendors: Record<string, (options: CommonOptions) => Provider> = {
  anthropic: createAnthropicProvider,
  gemini: createGeminiProvider,
  ollama: createOllamaProvider,
  responses: createOpenAIResponsesProvider,
}

const dialects: Record<TextCalls, ToolCallDialect> = {
  qwen,
  hermes,
  glm,
  mistral,
  llama: llamaPythonic,
}

describe('the demo model over other wires', () => {
  for (const [name, create] of Object.entries(vendors)) {
    it(`${name}: thinks, calls two tools in one round, and speaks of what they gave`, async () => {
      const provider = create({ baseURL: `/wires/${name}`, fetch, maxRetries: 0 })
      const answer = await ask(provider, 'Think about the weather in Oslo and in Rome')
      expect(answer?.parts.find(({ type }) => type === 'reasoning')).toBeTruthy()
      expect(callsOf(answer)).toEqual([
        [{ city: 'Oslo' }, 'result'],
        [{ city: 'Rome' }, 'result'],
      ])
      expect(textOf(answer)).toMatch(/Oslo.*21.*Rome|Rome.*21/s)
      // Gemini ends a round with calls like any other.
      const reasons = [name === 'gemini' ? 'stop' : 'tool-calls', 'stop']
      expect(answer?.steps.map(({ finishReason }) => finishReason)).toEqual(reasons)
      expect(answer?.steps.every(({ usage }) => (usage?.outputTokens ?? 0) > 0)).toBe(true)
    })

    it(`${name}: says when it was asked to fail`, async () => {
      const provider = create({ baseURL: `/wires/${name}`, fetch, maxRetries: 0 })
      await expect(ask(provider, 'Fail the request')).rejects.toThrow('asked to fail')
    })
  }

  for (const [name, dialect] of Object.entries(dialects)) {
    it(`calls written as by ${name} are read out of the text`, async () => {
      const common = { baseURL: `/wires/text-${name}/v1`, fetch, maxRetries: 0 }
      const textToolCalls = { dialects: [dialect] }
      const answer = await ask(
        createOpenAIProvider({ ...common, textToolCalls }),
        'What is the weather in Oslo and in Rome?',
      )
      expect(callsOf(answer)).toEqual([
        [{ city: 'Oslo' }, 'result'],
        [{ city: 'Rome' }, 'result'],
      ])
      expect(textOf(answer)).toMatch(/Oslo.*Rome/s)
      expect(textOf(answer)).not.toMatch(/tool_call|TOOL_CALLS|get_weather/)
      // Nobody reads them: they stay in the text.
      const plain = createOpenAIProvider({ ...common, textToolCalls: false })
      expect(textOf(await ask(plain, 'What is the weather in Oslo?'))).toContain('get_weather')
    })
  }
})
