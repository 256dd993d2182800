import { expect, it } from 'vitest'
import { createOpenAIProvider, defineTool, useChat } from 'vue-llm'
import { quiet, textsOf } from './chatOn'
import { deltas, says, stall, startCountingServer, status, whole } from './countingServer'

it('a chat keeps the text of a server that stalls, and asks again when told to', async () => {
  const server = await startCountingServer(
    deltas([{ content: 'The answer' }], stall),
    says('The answer is 42.'),
  )
  const { baseURL } = server
  const provider = createOpenAIProvider({ baseURL, timeouts: { betweenChunksMs: 80 } })
  const chat = useChat({ provider, model: 'm' })
  await chat.sendMessage('go')
  expect(chat.status.value).toBe('error')
  expect(chat.error.value).toMatchObject({ code: 'timeout' })
  expect(textsOf(chat)).toEqual(['go', 'The answer'])
  expect(chat.messages.value[1]?.steps).toMatchObject([{ finishReason: 'error' }])
  await chat.sendMessage()
  expect(textsOf(chat)).toEqual(['go', 'The answer is 42.'])
  expect(server.times).toHaveLength(2)
})

it('a chat shows nothing of a retry, and stops in its wait', async () => {
  const { baseURL, times } = await startCountingServer(
    status(503, { 'retry-after-ms': '1' }),
    says('Hi'),
    status(503, { 'retry-after-ms': '100' }),
  )
  const chat = useChat({ provider: createOpenAIProvider({ baseURL }), model: 'm' })
  await chat.sendMessage('go')
  expect([chat.status.value, ...textsOf(chat)]).toEqual(['ready', 'go', 'Hi'])
  const sent = chat.sendMessage('more')
  await quiet(50)
  chat.stop()
  await sent
  await quiet(150)
  expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
  expect(times).toHaveLength(3)
})

it('a call that the server loses while streaming runs all the same, in one round', async () => {
  const { baseURL, times } = await startCountingServer(
    deltas([{ reasoning_content: 'I look it up.' }]),
    whole({
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
    }),
    says('It is 7.'),
  )
  const tools = [defineTool({ name: 'look_up', execute: () => 7 })]
  const provider = createOpenAIProvider({ baseURL })
  const chat = useChat({ provider, model: 'm', tools })
  await chat.sendMessage('go')
  const [, answer] = chat.messages.value
  expect(answer?.parts.map(({ type, step }) => [type, step])).toEqual([
    ['reasoning', 0],
    ['tool-call', 0],
    ['text', 1],
  ])
  expect(answer?.steps).toHaveLength(2)
  expect(times).toHaveLength(3)
})

it('asks the second time with the messages of the first, not with the white space it brought', async () => {
  const { baseURL, bodies } = await startCountingServer(
    deltas([{ content: '<think>Hm.</think>\n' }]),
    whole({
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
    }),
    deltas([{ content: ' \n' }]),
    whole({ content: 'It is 7.' }),
  )
  const tools = [defineTool({ name: 'look_up', execute: () => 7 })]
  const chat = useChat({ provider: createOpenAIProvider({ baseURL }), model: 'm', tools })
  await chat.sendMessage('go')
  expect(bodies).toHaveLength(4)
  expect(bodies[1]?.messages).toEqual(bodies[0]?.messages)
  expect(bodies[3]?.messages).toEqual(bodies[2]?.messages)
})
