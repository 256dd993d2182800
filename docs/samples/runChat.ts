import { createMessage, defineTool, runChat, type Provider } from 'vue-llm/core'

const getTime = defineTool({
  name: 'get_time',
  description: 'The current time',
  execute: () => new Date().toISOString(),
})

/** A whole turn without Vue: in a script, a worker, a test. */
export async function ask(provider: Provider, question: string): Promise<string> {
  const messages = [createMessage('user', { content: question })]
  const chunks = runChat({ provider, messages, request: { model: 'gpt-4o' }, tools: [getTime] })
  // Each piece of the answer, as it comes; the answer itself grows at the end of `messages`.
  for await (const chunk of chunks) {
    if (chunk.type === 'tool-start') console.warn(`runs ${chunk.toolCallId}`)
  }
  const parts = messages.at(-1)?.parts ?? []
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
