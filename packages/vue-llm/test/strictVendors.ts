import { isObjectText } from './strictWire'

/** What each vendor refuses in a request; nothing where it would take it. */

interface AnthropicBlock {
  type: string
  text?: string
  id?: string
  name?: string
  thinking?: string
  signature?: string
  tool_use_id?: string
  content?: unknown
}

/** The body of a Messages request, as far as tests read it. */
export interface AnthropicBody {
  max_tokens?: number
  thinking?: object
  messages: { role: string; content: AnthropicBlock[] }[]
}

/** What Anthropic refuses in a transcript. */
export function anthropicProblems({ max_tokens, messages }: AnthropicBody): string[] {
  const problems: string[] = []
  if (!max_tokens) problems.push('max_tokens: Field required')
  let open: (string | undefined)[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== ['user', 'assistant'][index % 2]) problems.push(`${index}: roles must alternate`)
    if (!content.length) problems.push(`${index}: no content`)
    const results = content.flatMap((block, place) => {
      if (block.type !== 'tool_result') return []
      if (place && content[place - 1]?.type !== 'tool_result') problems.push('results come first')
      return [block.tool_use_id]
    })
    if (`${results}` !== `${open}`) problems.push(`${index}: results ${results} for ${open}`)
    open = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
    for (const { type, text, signature, id, name, ...rest } of content) {
      if (type === 'text' && !text?.trim()) problems.push(`${index}: blank text`)
      if (type === 'thinking' && !signature) problems.push(`${index}: thinking without signature`)
      if (type === 'redacted_thinking' && 'thinking' in rest) problems.push('extra input')
      if (type === 'tool_use' && !/^[\w-]+$/.test(`${id}${name}`)) problems.push(`${index}: ${id}`)
    }
    const used = content.filter(({ type }) => type === 'server_tool_use').map(({ id }) => id)
    const isLast = index === messages.length - 1
    const answered = content.filter(({ type }) => type.endsWith('_tool_result'))
    if (!isLast && used.length !== answered.length) problems.push('server tool without result')
    if (role === 'assistant' && content.at(-1)?.type.endsWith('thinking')) {
      problems.push('the final block cannot be thinking')
    }
  }
  return problems
}

interface GeminiPart {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: { name: string; id?: string; args: object }
  functionResponse?: { name: string; id?: string; response: object }
  executableCode?: object
  codeExecutionResult?: object
}

/** The body of a `generateContent` request, as far as tests read it. */
export interface GeminiBody {
  contents: { role: string; parts: GeminiPart[] }[]
}

/** What Gemini refuses in a transcript, its newest models included. */
export function geminiProblems({ contents }: GeminiBody): string[] {
  const problems: string[] = []
  let open: (string | undefined)[] = []
  for (const [index, { role, parts }] of contents.entries()) {
    if (!parts.length) problems.push(`${index}: parts must not be empty`)
    if (parts.some(({ text }) => text === '')) problems.push(`${index}: empty text`)
    const responses = parts.flatMap(({ functionResponse: one }) => (one ? [one.name] : []))
    if (`${responses}` !== `${open}`) problems.push(`${index}: responses ${responses} for ${open}`)
    if (responses.length && parts.length > responses.length) problems.push('mixed responses')
    open = parts.flatMap(({ functionCall: one }) => (one ? [one.name] : []))
    const first = parts.find(({ functionCall }) => functionCall)
    if (first && !first.thoughtSignature) problems.push(`${index}: call without thought_signature`)
    if (open.length && contents[index - 1]?.role !== 'user')
      problems.push('call after no user turn')
    if (role !== 'user' && role !== 'model') problems.push(`role ${role}`)
  }
  return problems
}

interface OllamaMessage {
  role: string
  content?: unknown
  thinking?: unknown
  images?: unknown
  tool_name?: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[]
}

/** The body of a chat request, as far as tests read it. */
export interface OllamaBody {
  messages: OllamaMessage[]
}

/** What Ollama can't decode, or would lose. */
export function ollamaProblems({ messages }: OllamaBody): string[] {
  const problems: string[] = []
  let open: string[] = []
  for (const { role, content, tool_calls = [], tool_name, tool_call_id } of messages) {
    if (typeof content !== 'string') problems.push(`content of ${role} is no string`)
    if (role === 'tool') {
      if (open.shift() !== `${tool_call_id} ${tool_name}`) problems.push('a result out of order')
      continue
    }
    if (open.length) problems.push(`no result of ${open}`)
    open = tool_calls.map((call) => `${call.id} ${call.function.name}`)
    for (const { function: called } of tool_calls) {
      if (typeof called.arguments !== 'object') problems.push('arguments are no object')
    }
  }
  return open.length ? [...problems, `no result of ${open}`] : problems
}

interface ResponsesItem {
  type?: string
  role?: string
  id?: string
  call_id?: string
  content?: unknown
  output?: unknown
  arguments?: string
  encrypted_content?: string
}

/** The body of a Responses request, as far as tests read it. */
export interface ResponsesBody {
  store: boolean
  include?: string[]
  input: ResponsesItem[]
}

/** What OpenAI refuses where it stores nothing. */
export function responsesProblems({ store, include, input }: ResponsesBody): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  const open = new Set<string>()
  const called = new Set<string>()
  if (store || !include?.includes('reasoning.encrypted_content')) problems.push('not stateless')
  for (const [index, item] of input.entries()) {
    const { type = 'message', id, call_id = '' } = item
    if (id !== undefined) {
      if (ids.has(id)) problems.push(`Duplicate item found with id ${id}`)
      ids.add(id)
    }
    if (type === 'reasoning') {
      const next = input[index + 1]
      if (!item.encrypted_content) problems.push(`Item with id ${id} not found`)
      if (!next || next.role === 'user' || next.type === 'function_call_output') {
        problems.push(`reasoning ${id} was provided without its required following item`)
      }
    } else if (type === 'function_call') {
      if (id) problems.push(`${id} was provided without its required reasoning item`)
      if (called.has(call_id)) problems.push(`call id ${call_id} used twice`)
      if (!isObjectText(item.arguments)) problems.push(`arguments of ${call_id}: ${item.arguments}`)
      called.add(call_id)
      open.add(call_id)
    } else if (type === 'function_call_output') {
      if (!open.delete(call_id)) problems.push(`No tool call found for output ${call_id}`)
    } else {
      // Of the same round's output something may stand between.
      if (open.size && item.role === 'user') problems.push(`No tool output found for ${[...open]}`)
      if (type === 'message' && !item.content) problems.push('a message without content')
    }
  }
  if (open.size) problems.push(`No tool output found for function call ${[...open]}`)
  return problems
}
