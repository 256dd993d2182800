import { describe, expect, it, vi } from 'vitest'
import { defineProvider, useChat, type OnToolCall } from 'vue-llm'
import type { Chunk } from 'vue-llm/core'
import { allCalls, quiet, textsOf } from './chatOn'
import { startStrictServer } from './strictServer'

/** Reads the chunks of a back end of one's own, as they are. */
const createBackendProvider = defineProvider({
  name: 'backend',
  remote: true,
  toRequest: ({ messages }) => ({ body: { messages: messages.map(({ role }) => ({ role })) } }),
  toChunks: (round) => ({ event: (chunk) => round.emit(chunk as Chunk) }),
})

describe('tools on the server', () => {
  it('a back end sends tool-result: the state becomes result, and the client asks nothing more', async () => {
    const chunks: Chunk[] = [
      { type: 'message-start', runId: 'run_1' },
      { type: 'tool-call-start', toolCallId: 'call_1', toolName: 'secret' },
      { type: 'tool-call-delta', toolCallId: 'call_1', argsText: '{"a":1}' },
      { type: 'tool-call-end', toolCallId: 'call_1' },
      { type: 'tool-result', toolCallId: 'call_1', result: { rows: 3 } },
      { type: 'step-end', finishReason: 'tool-calls' },
      { type: 'text-delta', text: 'Three rows.' },
      { type: 'step-end', finishReason: 'stop' },
    ]
    const { baseURL, requests } = await startStrictServer([chunks])
    const onToolCall = vi.fn<OnToolCall>()
    const chat = useChat({
      provider: createBackendProvider({ url: baseURL }),
      model: 'm',
      tools: [{ name: 'secret' }],
      onToolCall,
    })
    await chat.sendMessage('go')
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      { state: 'result', args: { a: 1 }, result: { rows: 3 }, toolName: 'secret' },
    ])
    expect(textsOf(chat)).toEqual(['go', 'Three rows.'])
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(requests).toHaveLength(1)
    expect(onToolCall).not.toHaveBeenCalled()
  })
})
