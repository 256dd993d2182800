import type { MessageInput, PartInput } from 'vue-llm'

/** A stored `UIMessage`, as far as it is read here. */
interface StoredMessage {
  id: string
  role: string
  parts: readonly StoredPart[]
}
interface StoredPart {
  type: string
  text?: string
  toolCallId?: string
  state?: string
  input?: Record<string, unknown>
  output?: unknown
  errorText?: string
}

function toPart(part: StoredPart, step: number): PartInput[] {
  const { type, text = '', toolCallId = '', input = {}, output = null } = part
  if (type === 'text' || type === 'reasoning') return [{ type, text, step }]
  if (!type.startsWith('tool-')) return []
  const call = {
    type: 'tool-call',
    toolCallId,
    toolName: type.slice(5),
    args: input,
    step,
  } as const
  return part.state === 'output-available'
    ? [{ ...call, state: 'result', result: output }]
    : [{ ...call, state: 'error', error: part.errorText ?? 'never answered' }]
}

/** For `initialMessages`. Each `step-start` begins a round; a system prompt is no message here. */
export function toMessages(stored: readonly StoredMessage[]): MessageInput[] {
  return stored.flatMap(({ id, role, parts }) => {
    if (role !== 'user' && role !== 'assistant') return []
    let round = 0
    const mapped = parts.flatMap((part, index) => {
      if (part.type === 'step-start' && index > 0) round++
      return toPart(part, round)
    })
    if (role === 'user') return { id, role, parts: mapped }
    const steps = Array.from({ length: round + 1 }, () => ({ finishReason: 'stop' }) as const)
    return { id, role, parts: mapped, steps }
  })
}
