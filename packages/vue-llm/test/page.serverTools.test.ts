import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import {
  createOpenAIProvider,
  createProxyProvider,
  createSSEProvider,
  defineTool,
  useChat,
  type OnToolCall,
} from 'vue-llm'
import type { Chunk } from 'vue-llm/core'
import { createLLMHandler, toNodeHandler, type LLMHandlerOptions } from 'vue-llm/server'
import { allCalls, quiet, textsOf, toolMessages } from './chatOn'
import { callRound, startStrictServer, type Round } from './strictServer'
import { listen } from './listen'

const whole: Chunk = {
  type: 'tool-call-end',
  toolCallId: 'call_1',
  toolName: 'secret',
  args: { a: 1 },
}
const call: Chunk[] = [
  { type: 'tool-call-start', toolCallId: 'call_1', toolName: 'secret' },
  { type: 'tool-call-delta', toolCallId: 'call_1', argsText: '{"a":1}' },
  { type: 'tool-call-end', toolCallId: 'call_1' },
]
const result: Chunk = { type: 'tool-result', toolCallId: 'call_1', result: { rows: 3 } }
const calls: Chunk = { type: 'step-end', finishReason: 'tool-calls' }
const stop: Chunk = { type: 'step-end', finishReason: 'stop' }
const text: Chunk = { type: 'text-delta', text: 'Three rows.' }

/** A chat with a back end of one's own that answers once. */
async function ask(round: Round) {
  const { baseURL, requests } = await startStrictServer([round])
  const onToolCall = vi.fn<OnToolCall>()
  const chat = useChat({
    provider: createSSEProvider({
      url: baseURL,
      // The strict server reads a transcript as Chat Completions has it.
      toRequest: ({ messages }) => ({ messages: messages.map(({ role }) => ({ role })) }),
    }),
    model: 'm',
    tools: [{ name: 'secret' }],
    onToolCall,
  })
  await chat.sendMessage('go')
  await quiet()
  return { chat, requests, onToolCall }
}

describe('tools on the server, with a back end of your own', () => {
  it.each<[string, Chunk[]]>([
    ['after its round', [{ type: 'message-start', runId: 'run_1' }, ...call, calls, result, text]],
    ['within its round', [...call, result, calls, text, stop]],
    ['and no rounds at all', [...call, result, text]],
    ['for a call in one chunk', [whole, result, text, stop]],
    ['for a call marked as its own', [{ ...whole, providerExecuted: true }, calls, result, text]],
  ])(
    'sends tool-result %s: the state becomes result, and the client asks nothing more',
    async (_, chunks) => {
      const { chat, requests, onToolCall } = await ask(chunks)
      expect(allCalls(chat)).toMatchObject([
        { state: 'result', args: { a: 1 }, result: { rows: 3 }, toolName: 'secret', step: 0 },
      ])
      expect(textsOf(chat)).toEqual(['go', 'Three rows.'])
      expect(chat.messages.value[1]?.steps).toEqual([
        { finishReason: 'tool-calls' },
        { finishReason: 'stop' },
      ])
      expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
      expect(requests).toHaveLength(1)
      expect(onToolCall).not.toHaveBeenCalled()
    },
  )

  it('sends tool-error: the state becomes error, and the client asks nothing more', async () => {
    const failed: Chunk = { type: 'tool-error', toolCallId: 'call_1', error: 'no such table' }
    const { chat, requests } = await ask([...call, failed, text])
    expect(allCalls(chat)).toMatchObject([{ state: 'error', error: 'no such table' }])
    expect([chat.status.value, requests.length]).toEqual(['ready', 1])
  })
})

describe('tools on the server, with createLLMHandler', () => {
  /** A chat that asks a handler over HTTP, which asks a model that plays these rounds. */
  async function chatOnHandler(rounds: Round[], tools: LLMHandlerOptions['tools']) {
    const model = await startStrictServer(rounds)
    const provider = createOpenAIProvider({ baseURL: model.baseURL, apiKey: 'key' })
    const handler = createLLMHandler({ provider, model: 'gpt-4o', tools })
    let requests = 0
    const server = createServer((request, response) => {
      requests++
      void toNodeHandler(handler)(request, response)
    })
    const origin = await listen(server)
    const onToolCall = vi.fn<OnToolCall>()
    const chat = useChat({
      provider: createProxyProvider(`${origin}/api/chat`),
      model: 'any',
      onToolCall,
    })
    onTestFinished(chat.stop)
    await chat.sendMessage('go')
    await quiet()
    return { chat, model, onToolCall, requests: () => requests }
  }

  it('runs execute there: the state becomes result, and the client asks nothing more', async () => {
    const secret = defineTool<{ a: number }, { rows: number }>({
      name: 'secret',
      execute: ({ a }) => ({ rows: a + 2 }),
    })
    const rounds = [callRound(['call_1', 'secret', { a: 1 }]), ['Three rows.']]
    const { chat, model, onToolCall, requests } = await chatOnHandler(rounds, [secret])
    expect(allCalls(chat)).toMatchObject([
      { state: 'result', args: { a: 1 }, result: { rows: 3 }, toolName: 'secret', step: 0 },
    ])
    expect(textsOf(chat)).toEqual(['go', 'Three rows.'])
    expect(chat.messages.value[1]?.steps.map(({ finishReason }) => finishReason)).toEqual([
      'tool-calls',
      'stop',
    ])
    expect([chat.status.value, chat.error.value, requests()]).toEqual(['ready', undefined, 1])
    expect(onToolCall).not.toHaveBeenCalled()
    expect(toolMessages(model.requests[1])).toEqual([['call_1', '{"rows":3}']])
  })

  it('gives what execute throws to the model, and asks nothing more of the client either', async () => {
    expectWarning(/tool 'secret': Error: no such table/)
    const execute = () => {
      throw new Error('no such table')
    }
    const rounds = [callRound(['call_1', 'secret']), ['Sorry.']]
    const { chat, model, requests } = await chatOnHandler(rounds, [{ name: 'secret', execute }])
    expect(allCalls(chat)).toMatchObject([{ state: 'error', error: 'the tool failed' }])
    expect([chat.status.value, requests()]).toEqual(['ready', 1])
    expect(toolMessages(model.requests[1])).toEqual([['call_1', 'Error: no such table']])
  })
})
