import { expect, it } from 'vitest'
import { createMessage } from '../src/core'
import { createOllamaProvider } from '../src/providers'
import { ollamaProblems } from './strictVendors'
import { runTurn, startStrictWire } from './strictWire'

const lines = (...messages: object[]): string =>
  [...messages.map((message) => ({ message, done: false })), { done: true, done_reason: 'stop' }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
const call = (name: string, id?: string) => ({ id, function: { name, arguments: { at: 'sky' } } })

it('rounds of Ollama go on with thinking, calls and results, over a real socket', async () => {
  const { origin, requests } = await startStrictWire(
    [
      lines(
        { content: '', thinking: 'hm' },
        { content: 'I look.' },
        // Older servers give no ids, others repeat them.
        { content: '', tool_calls: [call('look'), call('fail')] },
      ),
      lines({ content: '', tool_calls: [call('look', 'call_1')] }),
      lines({ content: '<tool_call>{"name":"look","arguments":{}}</tool_call>' }),
      lines({ content: '', tool_calls: [call('look', 'call_1')] }),
      lines({ content: 'It is blue.' }),
    ],
    ollamaProblems,
  )
  const provider = createOllamaProvider({ baseURL: origin, maxRetries: 0 })
  const messages = [createMessage('user', { content: 'look' })]
  const error = await runTurn(provider, messages, [
    { name: 'look', execute: () => ({ sees: 1 }) },
    {
      name: 'fail',
      execute() {
        throw new Error('dark')
      },
    },
  ])
  expect(error).toBeUndefined()
  expect(requests.at(-1)?.messages).toMatchObject([
    { role: 'user', content: 'look' },
    { role: 'assistant', content: 'I look.', thinking: 'hm', tool_calls: [{}, {}] },
    { role: 'tool', tool_name: 'look', content: '{"sees":1}' },
    { role: 'tool', tool_name: 'fail', content: 'Error: dark' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool' },
    { role: 'assistant', tool_calls: [{}] },
    { role: 'tool' },
    { role: 'assistant', tool_calls: [{}] },
    { role: 'tool' },
  ])
})
