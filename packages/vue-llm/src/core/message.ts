import { closingText } from './calls'
import { isPlainObject, seal } from './seal'
import type { Message, MessageInput, Part, PartInput, Step, ToolCallPart } from './types'

/** @internal A fresh id: a prefix and 16 random characters; not a secret. */
export function createId(prefix: string): string {
  let id = ''
  while (id.length < 16) id += Math.random().toString(36).slice(2)
  return `${prefix}_${id.slice(0, 16)}`
}

/** A new message of that role, empty unless parts are given; `createdAt` is now unless given. */
export function createMessage(
  role: Message['role'],
  input: Omit<MessageInput, 'role'> = {},
): Message {
  const { id = createId('msg'), createdAt = Date.now() } = input
  return normaliseMessage({ ...input, role, id, createdAt }, 0)
}

/**
 * Copies what a caller hands in into whole messages; nothing of the caller's is changed. What could not go on by
 * itself is closed: a text that was streaming is `done`, a call that was streaming or running ends as `interrupted`,
 * an open call of a message that is not the last as `unanswered`. Without an id a message gets one from its place,
 * so that a server and a browser agree.
 *
 * @internal
 */
export function normaliseMessages(inputs: readonly MessageInput[]): Message[] {
  return inputs.map((input, index) => {
    const message = normaliseMessage(input, index)
    for (const part of message.parts) {
      if (part.type === 'tool-call' && part.state === 'pending' && index < inputs.length - 1) {
        close(part, 'unanswered')
      }
    }
    return message
  })
}

function normaliseMessage(input: MessageInput, index: number): Message {
  const inputs = input.parts ?? []
  const parts = inputs.map(normalisePart)
  if (input.content !== undefined) {
    parts.push({ type: 'text', text: input.content, state: 'done', step: 0 })
  }
  const steps: Step[] = (input.steps ?? []).map((step) => ({ ...step }))
  if (input.role === 'assistant') {
    // A round that was never closed would leave its calls outside every rule about closed rounds.
    const open = steps.length
    for (const part of parts) part.step = Math.min(part.step, open)
    if (parts.some((part) => part.step === open)) steps.push({ finishReason: 'other' })
  }
  const message: Message = {
    id: input.id ?? `message-${index}`,
    role: input.role,
    parts,
    steps,
    createdAt: input.createdAt ?? 0,
  }
  if (input.metadata) message.metadata = seal(input.metadata)
  return message
}

function normalisePart(input: PartInput): Part {
  const step = input.step ?? 0
  switch (input.type) {
    case 'text':
    case 'reasoning':
      return { ...input, step, state: 'done' }
    case 'tool-call': {
      const args = isPlainObject(input.args) ? seal(input.args) : Object.freeze({})
      const part: ToolCallPart = {
        ...input,
        step,
        args,
        argsText: input.argsText ?? JSON.stringify(args),
      }
      if ('result' in input) part.result = seal(input.result)
      if (part.state === 'streaming' || part.state === 'running') close(part, 'interrupted')
      return part
    }
    case 'data':
      return { ...input, step, data: seal(input.data) }
    default:
      return { ...input, step }
  }
}

function close(part: ToolCallPart, errorCode: 'interrupted' | 'unanswered'): void {
  part.state = 'error'
  part.errorCode = errorCode
  part.error = closingText[errorCode]
}
