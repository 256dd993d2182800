import { toRaw } from 'vue'
import type { ChatRequest, Message, ToolCallPart } from '../../core'
import { allCalls, lateText } from './scriptedRound'

/** Whether a call has an outcome. */
export const isClosed = (call: ToolCallPart): boolean =>
  call.state === 'result' || call.state === 'error'

interface WireMessage {
  role: 'user' | 'assistant' | 'tool'
  calls: string[]
  answers: string | undefined
}

/** The transcript as an OpenAI-like wire sends it: each round, then the answers that there are. */
function toWire(messages: readonly Message[]): WireMessage[] {
  const wire: WireMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') wire.push({ role: 'user', calls: [], answers: undefined })
    const rounds = message.role === 'user' ? 0 : message.steps.length
    for (let step = 0; step <= rounds; step++) {
      if (message.role === 'user') continue
      const parts = message.parts.filter((part) => part.step === step)
      const calls = allCalls([{ ...message, parts }]).filter((call) => !call.providerExecuted)
      if (!parts.length) continue
      wire.push({
        role: 'assistant',
        calls: calls.map(({ toolCallId }) => toolCallId),
        answers: undefined,
      })
      for (const call of calls) {
        if (isClosed(call)) wire.push({ role: 'tool', calls: [], answers: call.toolCallId })
      }
    }
  }
  return wire
}

/** What a strict provider would refuse in a request. */
export function requestProblems({ messages, messageId }: ChatRequest): string[] {
  const problems: string[] = []
  const wire = toWire(messages)
  let waiting: string[] = []
  for (const { role, calls, answers } of wire) {
    if (role === 'tool') {
      if (waiting.shift() !== answers) problems.push(`tool message ${answers} without its call`)
      continue
    }
    if (waiting.length) problems.push(`calls without a tool message: ${waiting.join(', ')}`)
    waiting = [...calls]
  }
  if (waiting.length) problems.push(`calls without a tool message: ${waiting.join(', ')}`)
  if (wire[0]?.role !== 'user') problems.push('a request that does not begin with a user message')
  const last = messages.at(-1)
  if (last?.role === 'assistant' && last.id !== messageId) {
    problems.push('a follow-up that would not go on in the last message')
  }
  const remote = allCalls(last ? [last] : []).some((call) => call.providerExecuted)
  if (wire.at(-1)?.role === 'assistant' && !remote) {
    problems.push('a request that ends with an assistant message')
  }
  const ids = allCalls(messages).map(({ toolCallId }) => toolCallId)
  if (new Set(ids).size !== ids.length) problems.push(`call ids used twice: ${ids.join(', ')}`)
  const messageIds = messages.map(({ id }) => id)
  if (new Set(messageIds).size !== messageIds.length) problems.push('message ids used twice')
  return [...problems, ...restProblems(messages)]
}

/** What must never be in a transcript while nothing runs. */
export function restProblems(messages: readonly Message[]): string[] {
  const problems: string[] = []
  messages.forEach((message, index) => {
    const { role, parts, steps, id } = message
    let step = 0
    for (const part of parts) {
      if ('state' in part && (part.state === 'streaming' || part.state === 'running')) {
        problems.push(`${part.type} of ${id} is still ${part.state}`)
      }
      if (part.step < step) problems.push(`the parts of ${id} are out of order`)
      step = part.step
      if (role === 'assistant' && step >= steps.length) {
        problems.push(`a part of ${id} is in round ${step}, but only ${steps.length} are closed`)
      }
    }
    if (role === 'assistant' && messages[index - 1]?.role !== 'user') {
      problems.push(`no user message before ${id}`)
    }
    if (role === 'assistant' && !steps.length) problems.push(`${id} has no round`)
    if (role === 'user' && steps.length) problems.push(`the user's ${id} has a round`)
  })
  return problems
}

/** What must never be in a transcript, whether something runs or not. */
export function mixingProblems(messages: readonly Message[]): string[] {
  const problems: string[] = []
  let user = 0
  for (const { id, role, parts } of messages) {
    const tags = new Map<number, Set<string>>()
    for (const part of parts) {
      const content = part.type === 'text' || part.type === 'reasoning' ? part.text : ''
      if (content.includes(lateText)) problems.push(`${id} holds text that came after an abort`)
      const number = role === 'user' ? Number(/^u(\d+)$/.exec(content)?.[1] ?? 0) : 0
      if (number && number <= user) problems.push(`u${number} comes after u${user}`)
      user = number || user
      const found = tags.get(part.step) ?? new Set()
      tags.set(part.step, found)
      for (const tag of content.match(/<\d+>/g) ?? []) found.add(tag)
      const call = part.type === 'tool-call' ? /^c(\d+)_/.exec(part.toolCallId)?.[1] : undefined
      if (call !== undefined) found.add(`<${call}>`)
    }
    for (const found of tags.values()) {
      if (found.size > 1) problems.push(`a round of ${id} mixes streams ${[...found].join(' ')}`)
    }
  }
  return problems
}

type State = ToolCallPart['state']

const edges: Record<State, readonly State[]> = {
  streaming: ['pending', 'error', 'result'],
  pending: ['running', 'result', 'error'],
  running: ['pending', 'result', 'error'],
  result: [],
  error: [],
}

/** Watches that calls move along their edges only, and that nothing changes a closed one. */
export function createEdgeWatch() {
  const seen = new WeakMap<ToolCallPart, { state: State; closed: string | undefined }>()
  /** @param exact whether no write can have been missed since the last look */
  return (messages: readonly Message[], exact: boolean): string[] => {
    const problems: string[] = []
    for (const call of allCalls(messages).map((part) => toRaw(part))) {
      const { state, toolCallId } = call
      const before = seen.get(call)
      const closed = isClosed(call) ? JSON.stringify(call) : undefined
      if (before && before.state !== state) {
        const reachable =
          edges[before.state].includes(state) || (!exact && before.state === 'streaming')
        if (!reachable) problems.push(`${toolCallId} went from ${before.state} to ${state}`)
      }
      if (before?.closed && before.closed !== closed) {
        problems.push(`the closed call ${toolCallId} was changed: ${before.closed} → ${closed}`)
      }
      seen.set(call, { state, closed })
    }
    return problems
  }
}
