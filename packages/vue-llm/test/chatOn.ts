import { onTestFinished, vi } from 'vitest'
import { watch } from 'vue'
import { createOpenAIProvider, useChat, type AnyTool, type UseChatOptions } from 'vue-llm'
import { callsOf, type Message, type ToolCallPart } from 'vue-llm/core'
import { startStrictServer, type Round, type WireBody } from './strictServer'

/** A chat with a strict server that plays these rounds; both end with the test. */
export async function chatOn<const TTools extends readonly AnyTool[] = readonly AnyTool[]>(
  rounds: readonly Round[],
  options: Partial<UseChatOptions<TTools>> = {},
) {
  const server = await startStrictServer(rounds)
  const provider = createOpenAIProvider({
    baseURL: server.baseURL,
    apiKey: 'key',
    // A failure is what it is: tests count requests.
    maxRetries: 0,
  })
  const chat = useChat<TTools>({ provider, model: 'gpt-4o', ...options })
  onTestFinished(chat.stop)
  return { server, ...chat }
}

/** Waits until something holds, however busy the machine is. */
export const until = (holds: () => unknown): Promise<void> =>
  vi.waitFor(
    () => {
      if (!holds()) throw new Error(`it never came about: ${holds}`)
    },
    { timeout: 4000, interval: 2 },
  )

/** Lets pass what would already be on its way. */
export const quiet = (ms = 50): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The calls of a chat, in order. */
export const allCalls = ({ messages }: { messages: { value: unknown } }): ToolCallPart[] =>
  (messages.value as Message[]).flatMap((message) => callsOf(message))

/** The visible text of each message. */
export const textsOf = ({ messages }: { messages: { value: unknown } }): string[] =>
  (messages.value as Message[]).map(({ parts }) =>
    parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  )

/** What the tool messages of a request say, in order. */
export const toolMessages = (body: WireBody | undefined) =>
  (body?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id, content }) => [tool_call_id, content])

/** What a watcher sees of the first call: a copy whenever its state or its arguments change. */
export function watchCall(chat: { messages: { value: unknown } }) {
  const seen: { [K in 'state' | 'args' | 'result' | 'error']: ToolCallPart[K] | undefined }[] = []
  watch([() => allCalls(chat)[0]?.state, () => allCalls(chat)[0]?.args], () => {
    const call = allCalls(chat)[0]
    if (!call) return
    const { state, args, result, error } = call
    seen.push({ state, args, result, error })
  })
  return seen
}
