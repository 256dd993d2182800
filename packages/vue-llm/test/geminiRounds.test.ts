import { describe, expect, it, onTestFinished } from 'vitest'
import { createGeminiProvider, useChat, type AnyTool, type MessageInput } from 'vue-llm'
import { allCalls, textsOf } from './chatOn'
import { geminiProblems, type GeminiBody } from './strictVendors'
import { startVendorServer, type VendorAnswer } from './vendorServer'

const parts = (...list: object[]) => ({ candidates: [{ content: { parts: list, role: 'model' } }] })
const stop = (reason = 'STOP') => ({
  candidates: [{ content: { parts: [{ text: '' }] }, finishReason: reason }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 5 },
})

const look: AnyTool = { name: 'look', execute: ({ at }: { at?: string }) => ({ at, blue: true }) }

async function chatOn(answers: VendorAnswer[], initialMessages: MessageInput[] = []) {
  const server = await startVendorServer<GeminiBody>(answers, geminiProblems)
  const provider = createGeminiProvider({
    baseURL: server.baseURL,
    apiKey: 'secret-key',
    maxRetries: 0,
  })
  const chat = useChat({ provider, model: 'gemini', tools: [look], initialMessages })
  onTestFinished(chat.stop)
  return { server, ...chat }
}

describe('a chat with Gemini, over HTTP', () => {
  it('keeps its signatures through several rounds of tools', async () => {
    const chat = await chatOn([
      [
        parts({ text: 'Hm.', thought: true }),
        parts({ text: 'I look.' }),
        parts(
          { functionCall: { name: 'look', args: { at: 'sky' } }, thoughtSignature: 's1' },
          { functionCall: { name: 'look', args: { at: 'sea' } } },
        ),
        stop(),
      ],
      [parts({ functionCall: { id: 'fc2', name: 'look' }, thoughtSignature: 's2' }), stop()],
      [
        parts({ text: 'All ' }),
        parts({ text: 'blue.' }),
        parts({ text: '', thoughtSignature: 's3' }),
        stop(),
      ],
      [parts({ text: 'Bye.' }), stop()],
    ])
    await chat.sendMessage('look')
    expect(chat.error.value).toBeUndefined()
    await chat.sendMessage('bye')
    const response = (at?: string) => ({
      functionResponse: { name: 'look', response: { output: { at, blue: true } } },
    })
    expect(chat.server.seen[3]?.body.contents).toEqual([
      { role: 'user', parts: [{ text: 'look' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { name: 'look', args: { at: 'sky' } }, thoughtSignature: 's1' },
          { functionCall: { name: 'look', args: { at: 'sea' } } },
        ],
      },
      { role: 'user', parts: [response('sky'), response('sea')] },
      {
        role: 'model',
        parts: [{ functionCall: { id: 'fc2', name: 'look', args: {} }, thoughtSignature: 's2' }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'fc2', name: 'look', response: { output: { blue: true } } } },
        ],
      },
      { role: 'model', parts: [{ text: 'All blue.', thoughtSignature: 's3' }] },
      { role: 'user', parts: [{ text: 'bye' }] },
    ])
    expect(textsOf(chat)).toEqual(['look', 'I look.All blue.', 'bye', 'Bye.'])
    expect(chat.messages.value[1]?.steps[0]?.usage).toEqual({
      inputTokens: 3,
      outputTokens: 7,
      reasoningTokens: 5,
    })
  })

  it('sends the code that ran on the server back with its result', async () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 's' }
    const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }
    const chat = await chatOn([
      [parts(code), parts(result), stop(), parts({ text: 'One.' }), stop()],
      [parts({ text: 'Bye.' }), stop()],
    ])
    await chat.sendMessage('run')
    expect(allCalls(chat)).toMatchObject([
      {
        toolName: 'code_execution',
        providerExecuted: true,
        args: code.executableCode,
        result: result.codeExecutionResult,
      },
    ])
    await chat.sendMessage('bye')
    expect(chat.server.seen[1]?.body.contents[1]).toEqual({
      role: 'model',
      parts: [code, result, { text: 'One.' }],
    })
    expect(textsOf(chat)).toEqual(['run', 'One.', 'bye', 'Bye.'])
  })

  it('goes on with a chat that another provider began', async () => {
    const call = {
      type: 'tool-call',
      toolName: 'look',
      args: {},
      state: 'result',
      result: 'blue',
    } as const
    const chat = await chatOn(
      [[parts({ text: 'Yes.' }), stop()]],
      [
        { role: 'user', content: 'the sky' },
        {
          role: 'assistant',
          steps: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
          parts: [
            { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 'a' } } },
            { ...call, toolCallId: 'a', providerMetadata: { anthropic: { caller: {} } } },
            { ...call, toolCallId: 'b' },
            { type: 'text', text: 'It is blue.', step: 1 },
          ],
        },
      ],
    )
    await chat.sendMessage('really?')
    expect(chat.error.value).toBeUndefined()
    expect(chat.server.seen[0]?.body.contents[1]?.parts).toEqual([
      {
        functionCall: { name: 'look', args: {} },
        thoughtSignature: 'skip_thought_signature_validator',
      },
      { functionCall: { name: 'look', args: {} } },
    ])
  })

  it('asks the stream of the model, with the key in a header', async () => {
    const chat = await chatOn([[parts({ text: 'Hi.' }), stop()]])
    await chat.sendMessage('hi')
    const { url, headers } = chat.server.seen[0] ?? {}
    expect([url, headers?.['x-goog-api-key']]).toEqual([
      '/v1/models/gemini:streamGenerateContent?alt=sse',
      'secret-key',
    ])
  })
})
