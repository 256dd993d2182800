import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createOpenAIProvider, createProxyProvider, type AnyTool } from 'vue-llm'
import { createMessage, runChat, toJSON, type Message } from 'vue-llm/core'
import { createLLMHandler, toNodeHandler } from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'
import { propertyRuns } from '#test/propertyRuns'

/** All 500 in `npm run test:long`. */
const streams = Math.min(500, propertyRuns(60))
const cities = ['Paris', 'Rome', 'Oslo', 'Berlin', 'Madrid', 'London', 'Tokyo']

it('many streams at once, of two rounds each, keep apart', { timeout: 120_000 }, async () => {
  const saved = new Map<string, Message[]>()
  const weather: AnyTool = {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: async ({ city }: { city: string }, { context }) => ({ city, of: context }),
  }
  const handler = createLLMHandler<string | null>({
    provider: createOpenAIProvider({
      baseURL: 'http://demo/v1',
      fetch: createDemoModel({ delayMs: 1 }),
    }),
    model: 'vue-llm-demo',
    tools: [weather],
    authorize: ({ headers }) => headers.get('x-user'),
    onFinish: ({ id = '', messages }) => void saved.set(id, toJSON(messages).messages),
  })
  const server = createServer(toNodeHandler(handler))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo

  let chunks = 0
  async function converse(index: number): Promise<void> {
    const id = `chat-${index}`
    const city = cities[index % cities.length]
    const messages = [createMessage('user', { content: `What is the weather in ${city}?` })]
    const provider = createProxyProvider({
      url: `http://127.0.0.1:${port}/api/chat`,
      headers: { 'x-user': id },
    })
    for await (const _ of runChat({ provider, messages, request: { model: '', chatId: id } }))
      chunks++
    const answer = messages[1]
    expect(answer?.parts).toMatchObject([
      { state: 'result', args: { city }, result: { city, of: id } },
      { type: 'text' },
    ])
    expect(answer?.steps).toHaveLength(2)
    // The check sum: every part, as the server has it.
    expect(messages.map(({ parts, steps }) => ({ parts, steps }))).toEqual(
      saved.get(id)?.map(({ parts, steps }) => ({ parts, steps })),
    )
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: streams }, (_, index) => converse(index)))
  const ms = performance.now() - start
  console.info(
    `${streams} streams of two rounds: ${Math.round(ms)} ms, ${chunks} chunks, ` +
      `${Math.round((chunks / ms) * 1000)} a second, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
  )
  expect(saved.size).toBe(streams)
})
