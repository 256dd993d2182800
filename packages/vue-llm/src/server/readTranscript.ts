import { fromJSON, isLLMError, isPlainObject, type Message } from '../core'
import { invalid, tooLarge } from './refusal'

type FieldType = 'string' | 'boolean' | 'object'

/** Fields that a part may have, beside those that `fromJSON` checks. */
const partFields: Record<string, Record<string, FieldType>> = {
  text: { id: 'string' },
  reasoning: { id: 'string' },
  'tool-call': {
    argsText: 'string',
    error: 'string',
    errorCode: 'string',
    answeredBy: 'string',
    providerExecuted: 'boolean',
    approval: 'object',
  },
  file: { url: 'string', data: 'string', filename: 'string' },
  source: { title: 'string' },
  data: { id: 'string' },
}

/**
 * The client's transcript as whole messages of their own; `{ role, content }` is enough for a text. Throws a `Refusal` that names the place as a JSON Pointer
 * where it is none: wrong types, a `system` role, a tool call in a user's message, a call id used twice.
 * @internal
 */
export function readTranscript(given: unknown, maxMessages: number): Message[] {
  if (!Array.isArray(given)) throw invalid('/messages', 'expected an array')
  const list = given.map(toWhole)
  if (list.length > maxMessages) {
    throw tooLarge(`/messages: ${list.length} messages, at most ${maxMessages} are taken`)
  }
  const system = list.findIndex((message) => Object(message).role === 'system')
  if (system >= 0) {
    throw invalid(`/messages/${system}/role`, "the system prompt is the server's, not the client's")
  }
  let messages
  try {
    messages = fromJSON({ version: 1, messages: list })
  } catch (error) {
    if (isLLMError(error)) throw invalid('', error.message.replace(/^fromJSON: /, ''))
    throw error
  }
  // What was handed in, not the copy: pointers and types are the client's.
  ;(list as Record<string, unknown>[]).forEach((message, index) =>
    checkMessage(message, `/messages/${index}`),
  )
  return messages
}

/** A message as it is written by hand, `{ role, content }`, made whole. */
function toWhole(message: unknown, index: number): unknown {
  if (!isPlainObject(message) || typeof message.content !== 'string' || message.parts)
    return message
  const { role, content, id = `msg_${index}` } = message
  return {
    id,
    role,
    parts: [{ type: 'text', text: content, state: 'done', step: 0 }],
    steps: role === 'assistant' ? [{ finishReason: 'other' }] : [],
  }
}

function checkMessage(message: Record<string, unknown>, at: string): void {
  checkType(message.metadata, 'object', `${at}/metadata`)
  for (const [index, part] of (message.parts as Record<string, unknown>[]).entries()) {
    const place = `${at}/parts/${index}`
    checkType(part.providerMetadata, 'object', `${place}/providerMetadata`)
    for (const [name, type] of Object.entries(partFields[part.type as string] ?? {})) {
      checkType(part[name], type, `${place}/${name}`)
    }
  }
}

function checkType(value: unknown, type: FieldType, pointer: string): void {
  if (value === undefined) return
  if (type === 'object' ? !isPlainObject(value) : typeof value !== type) {
    throw invalid(pointer, `expected ${type === 'object' ? 'an object' : `a ${type}`}`)
  }
}
