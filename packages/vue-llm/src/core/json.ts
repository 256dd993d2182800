import { LLMError } from './errors'
import { normaliseMessages } from './message'
import { isPlainObject } from './plain'
import type { Message, MessageInput } from './types'

/** A chat as plain data, as {@link toJSON} gives it. */
export interface ChatJSON {
  version: 1
  messages: Message[]
}

const partFields: Record<string, readonly string[]> = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['toolCallId', 'toolName', 'state'],
  file: ['mediaType'],
  source: ['url'],
  data: ['name'],
}
const callStates = new Set(['streaming', 'pending', 'running', 'result', 'error'])

/** The transcript as plain data with a `version`, to be stored and given to {@link fromJSON}. A copy of the top levels. */
export function toJSON(messages: readonly Message[]): ChatJSON {
  return {
    version: 1,
    messages: messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => ({ ...part })),
      steps: message.steps.map((step) => ({ ...step })),
    })),
  }
}

/**
 * Reads what {@link toJSON} gave, as the value or as JSON text, and checks it. What was streaming or running closes as
 * interrupted; calls that wait for a person still wait, so that a stored chat can be answered later.
 *
 * @throws {@link LLMError} `misuse`, naming the place as a JSON Pointer.
 */
export function fromJSON(value: unknown): Message[] {
  const chat = typeof value === 'string' ? parse(value) : value
  if (!isPlainObject(chat) || chat.version !== 1) {
    throw misuse(
      '/version',
      `expected version 1, got ${isPlainObject(chat) ? chat.version : typeof chat}`,
    )
  }
  if (!Array.isArray(chat.messages)) throw misuse('/messages', 'expected an array')
  const ids = new Set<unknown>()
  const calls = new Set<unknown>()
  chat.messages.forEach((message: unknown, index) => {
    const path = `/messages/${index}`
    checkMessage(message, path, calls)
    if (ids.has(message.id)) throw misuse(`${path}/id`, `'${message.id}' is used twice`)
    ids.add(message.id)
  })
  return normaliseMessages(chat.messages as MessageInput[])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LLMError('misuse', 'fromJSON: the text is not JSON; give it what toJSON returned', {
      cause,
    })
  }
}

function misuse(path: string, what: string): LLMError {
  return new LLMError('misuse', `fromJSON: ${path}: ${what}`)
}

function checkMessage(
  message: unknown,
  path: string,
  calls: Set<unknown>,
): asserts message is Record<string, unknown> {
  if (!isPlainObject(message)) throw misuse(path, 'expected an object')
  if (typeof message.id !== 'string') throw misuse(`${path}/id`, 'expected a string')
  if (message.role !== 'user' && message.role !== 'assistant') {
    throw misuse(`${path}/role`, "expected 'user' or 'assistant'")
  }
  if (message.createdAt !== undefined && typeof message.createdAt !== 'number') {
    throw misuse(`${path}/createdAt`, 'expected a number')
  }
  if (!Array.isArray(message.steps)) throw misuse(`${path}/steps`, 'expected an array')
  for (const [i, step] of message.steps.entries()) {
    if (!isPlainObject(step) || typeof step.finishReason !== 'string') {
      throw misuse(`${path}/steps/${i}/finishReason`, 'expected a string')
    }
  }
  if (!Array.isArray(message.parts)) throw misuse(`${path}/parts`, 'expected an array')
  for (const [i, part] of message.parts.entries()) {
    checkPart(part, `${path}/parts/${i}`)
    if (part.type !== 'tool-call') continue
    if (message.role === 'user') throw misuse(`${path}/parts/${i}/type`, 'a user makes no calls')
    if (calls.has(part.toolCallId)) throw misuse(`${path}/parts/${i}/toolCallId`, 'used twice')
    calls.add(part.toolCallId)
  }
}

function checkPart(part: unknown, path: string): asserts part is Record<string, unknown> {
  const fields = isPlainObject(part) && typeof part.type === 'string' && partFields[part.type]
  if (!isPlainObject(part) || !fields || !Object.hasOwn(partFields, part.type as string)) {
    throw misuse(`${path}/type`, `expected one of ${Object.keys(partFields).join(', ')}`)
  }
  if (!Number.isInteger(part.step) || (part.step as number) < 0) {
    throw misuse(`${path}/step`, 'expected the index of a round')
  }
  for (const field of fields) {
    if (typeof part[field] !== 'string') throw misuse(`${path}/${field}`, 'expected a string')
  }
  if (part.type !== 'tool-call') return
  if (!callStates.has(part.state as string))
    throw misuse(`${path}/state`, 'no state of a tool call')
  if (!isPlainObject(part.args)) throw misuse(`${path}/args`, 'expected an object')
  if (part.approval !== undefined && !isPlainObject(part.approval)) {
    throw misuse(`${path}/approval`, 'expected an object')
  }
}
