import { isOpenCall } from './calls'
import { failCall } from './partWriters'
import { isPlainObject, seal } from './plain'
import type { Message, MessageInput, Part, PartInput } from './types'

/** A fresh id: a prefix and 24 hex digits; not a secret. @internal */
export const createId = (prefix: string): string =>
  prefix + 'x'.repeat(24).replaceAll('x', () => Math.floor(Math.random() * 16).toString(16))

/** A new message of that role, empty unless parts are given; `createdAt` is now unless given. */
export const createMessage = (
  role: Message['role'],
  input: Omit<MessageInput, 'role'> = {},
): Message => normaliseMessage({ id: createId('msg_'), createdAt: Date.now(), ...input, role })

/** The answer that a list of messages ends with. @internal */
export function lastAnswer(messages: readonly Message[]): Message | undefined {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? last : undefined
}

/**
 * Copies what a caller hands in into whole messages; nothing of the caller's is changed. What could not go on by
 * itself is closed: a text that was streaming is `done`, a call that was streaming or running ends as `interrupted`,
 * an open call of a message that is not the last as `unanswered`. A round that was never closed ends as `other`; as
 * `truncated`, with its calls, where something in it was streaming, so that the chat can ask again. Without an id a
 * message gets one from its place, so that a server and a browser agree.
 *
 * @internal
 */
export function normaliseMessages(inputs: readonly MessageInput[]): Message[] {
  return inputs.map((input, index) => {
    const message = normaliseMessage(input, index)
    for (const part of index < inputs.length - 1 ? message.parts : []) {
      if (part.type === 'tool-call' && isOpenCall(part)) failCall(part, 'unanswered')
    }
    return message
  })
}

function normaliseMessage(input: MessageInput, index?: number): Message {
  const { role, content, metadata } = input
  const steps = (input.steps ?? []).map(seal)
  const open = steps.length
  const parts = (input.parts ?? []).map((part) => normalisePart(part, open))
  if (content !== undefined) parts.push({ type: 'text', text: content, state: 'done', step: 0 })
  // A round that was never closed would leave its calls outside every rule about closed rounds.
  const isUnclosed = parts.some(({ step }) => step === open) || (index !== undefined && !open)
  if (role === 'assistant' && isUnclosed) {
    const isCut = input.parts?.some(
      (part, at) => 'state' in part && part.state === 'streaming' && parts[at]?.step === open,
    )
    steps.push(seal({ finishReason: isCut ? 'truncated' : 'other' }))
    for (const part of isCut ? parts : []) {
      if (part.type === 'tool-call' && isOpenCall(part)) failCall(part, 'cut')
    }
  }
  const id = input.id ?? `message-${index}`
  const message: Message = { id, role, parts, steps, createdAt: input.createdAt ?? 0 }
  if (metadata !== undefined) message.metadata = seal(metadata)
  return message
}

function normalisePart(input: PartInput, openStep: number): Part {
  const part = { ...input, step: Math.min(input.step ?? 0, openStep) } as Part
  // What a part holds is values, sealed so that nothing in them becomes reactive.
  const values = part as unknown as Record<string, unknown>
  for (const key in values) values[key] = seal(values[key])
  if ('text' in part) part.state = 'done'
  if (part.type === 'tool-call') {
    if (!isPlainObject(part.args)) part.args = seal({})
    part.argsText ??= JSON.stringify(part.args)
    if (part.state === 'streaming' || part.state === 'running') failCall(part, 'interrupted')
  }
  return part
}
