import { defineTool, useChat } from 'vue-llm'
import { z } from 'zod'
import { provider } from './demo'

const setTimer = defineTool({
  name: 'set_timer',
  description: 'Set a kitchen timer to a number of minutes',
  parameters: z.object({ minutes: z.number().int().min(1) }),
  // Only runs with arguments that fit; else the model reads what is wrong and may try again.
  execute: ({ minutes }) => ({ endsAt: new Date(Date.now() + minutes * 60_000).toISOString() }),
})

export const chat = useChat({
  provider,
  tools: [setTimer],
})
