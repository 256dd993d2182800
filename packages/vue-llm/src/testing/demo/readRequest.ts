import type { JSONSchema } from '../../core'
import { demoModelName, demoModelNames, toolCallsOf, type DemoToolCalls } from './demoModels'

/** A tool as the demo model is offered it. */
export interface DemoTool {
  name: string
  description: string
  parameters: JSONSchema
}

/** A call that the model makes. */
export interface DemoCall {
  name: string
  args: Record<string, unknown>
}

/** A call that was answered, with the text the model reads of its result. */
export interface AnsweredCall extends DemoCall {
  result: string
}

/** A request on the Chat Completions wire, as far as the demo model looks at it. */
export interface DemoRequest {
  /** Made from the messages: the same transcript gives the same ids. */
  id: string
  /** The model that answers: the one asked for, where there is one of that name. */
  model: string
  toolCalls: DemoToolCalls
  /** The last user message. */
  text: string
  /** Whether that message came with images or files. */
  hasFiles: boolean
  /** How many messages the user has sent. */
  turns: number
  /** The calls since that message, one list per round. */
  rounds: AnsweredCall[][]
  /** The calls of earlier turns. */
  earlier: AnsweredCall[]
  tools: DemoTool[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  /** Whether one round may hold several calls. */
  parallel: boolean
  /** What the answer must fit, where `response_format` says so. */
  schema?: JSONSchema
  stream: boolean
  includeUsage: boolean
  maxTokens: number
  promptTokens: number
}

type Json = Record<string, unknown>

/**
 * Reads a request's body: what it asks for, or a text that says what is wrong with it. Strict about what real servers
 * are strict about: each call is answered by exactly one tool message after it. `toolCalls` holds unless the model's name
 * says otherwise.
 */
export function readRequest(
  body: string,
  toolCalls: DemoToolCalls = 'structured',
): DemoRequest | string {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return 'The body is not valid JSON: post a Chat Completions request.'
  }
  if (!isRecord(json)) return 'The body must be a JSON object with `messages`.'
  const messages = json['messages']
  if (!Array.isArray(messages) || !messages.length) {
    return '`messages` must be an array with at least one message.'
  }
  if (!messages.every(isRecord)) return 'Every item of `messages` must be an object.'
  const transcript = readTranscript(messages)
  if (typeof transcript === 'string') return transcript
  const text = JSON.stringify(messages)
  const schema = readSchema(json['response_format'])
  const model = String(json['model'])
  return {
    ...transcript,
    ...(schema && { schema }),
    id: hash(text),
    model: demoModelNames.includes(model) ? model : demoModelName,
    toolCalls: toolCallsOf(model) ?? toolCalls,
    tools: list(json['tools']).flatMap(readTool),
    toolChoice: readToolChoice(json['tool_choice']),
    parallel: json['parallel_tool_calls'] !== false,
    stream: json['stream'] === true,
    includeUsage: record(json['stream_options'])['include_usage'] === true,
    maxTokens: count(json['max_completion_tokens']) ?? count(json['max_tokens']) ?? Infinity,
    promptTokens: Math.ceil(text.length / 4),
  }
}

type Transcript = Pick<DemoRequest, 'text' | 'hasFiles' | 'turns' | 'rounds' | 'earlier'>

function readTranscript(messages: readonly Json[]): Transcript | string {
  const read: Transcript = { text: '', hasFiles: false, turns: 0, rounds: [], earlier: [] }
  const open = new Map<string, AnsweredCall>()
  for (const [at, message] of messages.entries()) {
    const { role } = message
    if (role === 'tool') {
      const call = open.get(String(message['tool_call_id']))
      if (!call) return `messages[${at}] answers no tool call of the message before it.`
      call.result = contentText(message['content'])
      open.delete(String(message['tool_call_id']))
      continue
    }
    if (open.size) return unanswered(at, open)
    if (role === 'user') {
      read.text = contentText(message['content'])
      read.hasFiles = list(message['content']).some((part) => record(part)['type'] !== 'text')
      read.turns++
      read.earlier.push(...read.rounds.flat())
      read.rounds = []
    } else if (role === 'assistant') {
      const calls = list(message['tool_calls']).map(record)
      if (calls.length) read.rounds.push(calls.map((call) => openCall(call, open)))
    } else if (role !== 'system' && role !== 'developer') {
      return `messages[${at}] has the unknown role ${JSON.stringify(role)}.`
    }
  }
  return open.size ? unanswered(messages.length, open) : read
}

function openCall(call: Json, open: Map<string, AnsweredCall>): AnsweredCall {
  const { name, arguments: text } = record(call['function'])
  let args: unknown
  try {
    args = JSON.parse(String(text))
  } catch {
    args = {}
  }
  const read = { name: String(name), args: record(args), result: '' }
  open.set(String(call['id']), read)
  return read
}

function unanswered(at: number, open: Map<string, AnsweredCall>): string {
  const ids = [...open.keys()].join(', ')
  return `Before messages[${at}], these tool calls need a tool message each: ${ids}.`
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = list(content).map((part) => record(part)['text'])
  return texts.filter((text) => typeof text === 'string').join('\n')
}

function readTool(value: unknown): DemoTool[] {
  const { name, description, parameters } = record(record(value)['function'])
  if (typeof name !== 'string') return []
  return [{ name, description: String(description ?? ''), parameters: record(parameters) }]
}

function readToolChoice(value: unknown): DemoRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value
  const { name } = record(record(value)['function'])
  return typeof name === 'string' ? { name } : 'auto'
}

/** For JSON of no given shape. */
const anyObject = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
}

function readSchema(format: unknown): JSONSchema | undefined {
  const { type, json_schema } = record(format)
  if (type === 'json_schema') return record(record(json_schema)['schema'])
  return type === 'json_object' ? anyObject : undefined
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value where it is an object, else an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {}
}

/** The value where it is an array, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** FNV-1a: short, and spread well enough for ids. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return (value >>> 0).toString(36).padStart(7, '0')
}
