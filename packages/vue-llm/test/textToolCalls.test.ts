import { expect, it, onTestFinished } from 'vitest'
import { createOpenAIProvider, useChat, type AnyTool, type Message } from 'vue-llm'
import { withTextToolCalls } from 'vue-llm/dialects'
import { allCalls, textsOf, toolMessages, watchCall } from './chatOn'
import { finishEvent, startStrictServer } from './strictServer'

const choice = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
const pause = () => new Promise((resolve) => setTimeout(resolve, 2))

it('a chat runs a call that a server without a tool parser sends as text', async () => {
  const answer =
    '<think>\nThe weather tool.\n</think>\n\nLet me look.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>'
  const pieces = answer.match(/[^]{1,7}/g) ?? []
  const server = await startStrictServer([
    [...pieces.flatMap((piece) => [choice(piece), pause]), finishEvent('stop')],
    [choice('It is cold.'), finishEvent('stop')],
  ])
  const ran: unknown[] = []
  const tools: AnyTool[] = [
    {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
      },
      execute(args: unknown) {
        ran.push(args)
        return '-3 °C'
      },
    },
  ]
  const { baseURL, requests } = server
  const provider = withTextToolCalls(createOpenAIProvider({ baseURL, maxRetries: 0 }))
  const chat = useChat({ provider, model: 'qwen3-coder', tools })
  onTestFinished(chat.stop)
  const shown: string[] = []
  const seen = watchCall(chat)
  const sending = chat.sendMessage('How is the weather in Oslo?')
  while (chat.status.value !== 'ready') {
    shown.push(textsOf(chat).join(''))
    await pause()
  }
  await sending

  expect(chat.error.value).toBeUndefined()
  expect(ran).toEqual([{ city: 'Oslo', days: 3 }])
  expect(shown.join('')).not.toMatch(/<|tool_call|function=|parameter/)
  expect(textsOf(chat)).toEqual(['How is the weather in Oslo?', '\n\nLet me look.\nIt is cold.'])
  const reasoning = (chat.messages.value as Message[])[1]?.parts[0]
  expect(reasoning).toMatchObject({ type: 'reasoning', text: 'The weather tool.\n' })
  expect(seen.some(({ state, args }) => state === 'streaming' && 'city' in (args ?? {}))).toBe(true)
  const [call] = allCalls(chat)
  expect(call).toMatchObject({ state: 'result', result: '-3 °C' })
  expect(requests).toHaveLength(2)
  expect(toolMessages(requests[1])).toEqual([[call?.toolCallId, '-3 °C']])
})
