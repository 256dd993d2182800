import { createSSEProvider, useChat } from 'vue-llm'
import { sseResponse } from 'vue-llm/testing'
import { expect, it } from 'vitest'

it('shows the same however the network cuts the bytes', async () => {
  const events = [
    { type: 'text-delta', text: 'Grüß ' },
    { type: 'text-delta', text: 'dich 👋' },
    { type: 'step-end', finishReason: 'stop' },
  ]
  // One byte at a time: the letters and the emoji arrive in pieces.
  const fetch = async () => sseResponse(events, { chunkSize: 1 })
  const { messages, sendMessage } = useChat({
    provider: createSSEProvider({ url: '/chat', fetch }),
  })
  await sendMessage('Hi')
  expect(messages.value.at(-1)?.parts[0]).toMatchObject({ text: 'Grüß dich 👋' })
})
