import { expect, it } from 'vitest'
import { useChat } from 'vue-llm'
import { createScriptedProvider } from 'vue-llm/testing'
import { toMessages } from '../samples/migratedMessages.ts'

it('migratedMessages.ts makes a chat of stored messages that goes on', async () => {
  const call = { type: 'tool-find_order', toolCallId: 'c1', input: { number: '7' } }
  const initialMessages = toMessages([
    { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be kind' }] },
    { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Where is it?' }] },
    {
      id: 'b',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { ...call, state: 'output-available', output: { status: 'shipped' } },
        { ...call, toolCallId: 'c2', state: 'output-error', errorText: 'no such order' },
        { ...call, toolCallId: 'c3', state: 'input-available' },
        { type: 'step-start' },
        { type: 'source-url' },
        { type: 'text', text: 'On its way.' },
      ],
    },
  ])
  const provider = createScriptedProvider(['Good.'])
  const { messages, sendMessage, error } = useChat({ provider, initialMessages })
  expect(messages.value.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(messages.value[1]?.parts).toMatchObject([
    { toolName: 'find_order', state: 'result', args: { number: '7' }, step: 0 },
    { state: 'error', error: 'no such order', step: 0 },
    { state: 'error', error: 'never answered', step: 0 },
    { type: 'text', text: 'On its way.', step: 1 },
  ])
  await sendMessage('Thanks')
  expect(error.value).toBeUndefined()
  expect(messages.value.at(-1)?.parts).toMatchObject([{ text: 'Good.' }])
})
