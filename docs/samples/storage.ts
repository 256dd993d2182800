import { createProxyProvider, useChat, type AnyTool, type Message } from 'vue-llm'
import { fromJSON, toJSON } from 'vue-llm/core'

const keyOf = (id: string) => `chat:${id}`

function load(id: string): Message[] {
  try {
    const stored = localStorage.getItem(keyOf(id))
    return stored ? fromJSON(stored) : []
  } catch {
    // Not what `toJSON` wrote, such as what an older app left there.
    return []
  }
}

export function openChat(id: string, tools: readonly AnyTool[] = []) {
  return useChat({
    id,
    provider: createProxyProvider('/api/chat'),
    tools,
    initialMessages: load(id),
    // Whenever an answer has ended, or waits for a person.
    onFinish: ({ messages }) => localStorage.setItem(keyOf(id), JSON.stringify(toJSON(messages))),
  })
}
