import { createMessage, defineTool, runChat, type Provider } from 'vue-llm/core'

const getTime = defineTool({
  name: 'get_time',
  description: 'The current time',
  execute: () => new Date().toISOString(),
})

/** A whole turn without Vue: in a script, a worker, a test. */
export async function ask(provider: Provider, question: string): Promise<string> {
  const messages = [createMessage('user', { content: question })]
  for await (const chunk of runChat({
    provider,
    messages,
    request: { model: 'gpt-4o' },
    tools: [getTime],
  })) {
    if (chunk.type === 'tool-start') console.warn(`runs ${chunk.toolCallId}`)
  }
  const parts = messages.at(-1)?.parts ?? []
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
