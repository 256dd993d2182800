import type { ChatRequest, Provider } from 'vue-llm'

/** A provider that sends the last messages only: a model reads no endless conversation, and each request pays for it. */
export function withLastMessages(provider: Provider, count: number): Provider {
  const trim = (request: ChatRequest): ChatRequest => {
    const last = request.messages.slice(-count)
    // A conversation begins with what a person said.
    const first = last.findIndex(({ role }) => role === 'user')
    return { ...request, messages: last.slice(Math.max(0, first)) }
  }
  return { ...provider, stream: (request) => provider.stream(trim(request)) }
}
