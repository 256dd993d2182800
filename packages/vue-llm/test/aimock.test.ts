import { LLMock } from '@copilotkit/aimock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callsOf, createMessage, type AnyTool, type Message } from '../src/core'
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  type CommonOptions,
} from '../src/providers'
import { runTurn } from './strictWire'

/** Each provider, and what of its base URL comes after the origin. */
const wires = [
  ['OpenAI', createOpenAIProvider, '/v1'],
  ['Responses', createOpenAIResponsesProvider, '/v1'],
  ['Anthropic', createAnthropicProvider, '/v1'],
  ['Gemini', createGeminiProvider, '/v1beta'],
  ['Ollama', createOllamaProvider, ''],
] as const

const tools: AnyTool[] = [{ name: 'add', execute: ({ a, b }: { a: number; b: number }) => a + b }]
const call = (a: number, b: number) => ({
  toolCalls: [{ name: 'add', arguments: JSON.stringify({ a, b }) }],
})

/** A server that this package did not write, on a socket of its own. */
async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, chunkSize: 3 })
  await mock.start()
  onTestFinished(() => mock.stop())
  return mock
}

const textOf = ({ parts }: Message | { parts: [] }): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

describe.each(wires)('%s against aimock', (_, create, path) => {
  const ask = async (mock: LLMock) => {
    const options: CommonOptions = { baseURL: mock.url + path, apiKey: 'key', maxRetries: 0 }
    const messages = [createMessage('user', { content: 'sum it up' })]
    const error = await runTurn(create(options), messages, tools)
    return { error, answer: messages[1], messages }
  }

  it('runs two rounds with tools, then shows the answer', async () => {
    const mock = await startMock()
    mock.onTurn(0, /sum/, call(1, 2))
    mock.onTurn(1, /sum/, call(3, 4))
    mock.onTurn(2, /sum/, { content: 'Three and seven.' })
    const { error, answer } = await ask(mock)
    expect(error).toBeUndefined()
    expect(callsOf(answer)).toMatchObject([
      { args: { a: 1, b: 2 }, result: 3, step: 0 },
      { args: { a: 3, b: 4 }, result: 7, step: 1 },
    ])
    expect(textOf(answer ?? { parts: [] })).toBe('Three and seven.')
    expect(answer?.steps).toHaveLength(3)
  })

  it('says what the server says of an error', async () => {
    const mock = await startMock()
    mock.on({ userMessage: /sum/ }, { error: { message: 'no such model' }, status: 404 })
    const { error, messages } = await ask(mock)
    expect(error).toContain('no such model')
    expect(messages).toHaveLength(1)
  })

  it('keeps what came of a stream that is cut, and says so', async () => {
    const mock = await startMock()
    mock.on(
      { userMessage: /sum/ },
      { content: 'A long answer. '.repeat(9) },
      { truncateAfterChunks: 9, latency: 3 },
    )
    const { error, answer } = await ask(mock)
    expect(error).toBeDefined()
    expect(textOf(answer ?? { parts: [] })).toMatch(/^A l/)
    expect(answer?.steps).toMatchObject([{ error: expect.anything() }])
  })
})
