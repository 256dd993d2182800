import { expect, it } from 'vitest'
import { createMessage } from '../src/core'
import { createOllamaProvider } from '../src/providers'
import { runTurn, startStrictWire } from './strictWire'

interface WireMessage {
  role: string
  content?: unknown
  thinking?: unknown
  images?: unknown
  tool_name?: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[]
}

/** What Ollama can't decode, or would lose. */
function findProblems({ messages }: { messages: WireMessage[] }): string[] {
  const problems: string[] = []
  let open: string[] = []
  for (const { role, content, tool_calls = [], tool_name, tool_call_id } of messages) {
    if (typeof content !== 'string') problems.push(`content of ${role} is no string`)
    if (role === 'tool') {
      if (open.shift() !== `${tool_call_id} ${tool_name}`) problems.push('a result out of order')
      continue
    }
    if (open.length) problems.push(`no result of ${open}`)
    open = tool_calls.map((call) => `${call.id} ${call.function.name}`)
    for (const { function: called } of tool_calls) {
      if (typeof called.arguments !== 'object') problems.push('arguments are no object')
    }
  }
  return open.length ? [...problems, `no result of ${open}`] : problems
}

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
    findProblems,
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
