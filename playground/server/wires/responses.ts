import { toAnswer, toCall, toEvent, type ChatMessage, type Piece, type Wire } from './piece.ts'

type Content = string | { text?: string }[]

interface Item {
  type?: string
  role?: 'user' | 'assistant' | 'system'
  content?: Content
  call_id?: string
  name?: string
  arguments?: string
  output?: Content
}

interface Body {
  instructions?: string
  input: Item[]
  tools?: { type: string; name: string; description?: string; parameters: object }[]
}

const textOf = (content: Content = '') =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n\n')

function toMessages(input: readonly Item[]): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const { type, role, content, call_id: id = '', name = '', ...item } of input) {
    if (type === 'function_call') {
      const call = toCall(id, name, item.arguments ?? '{}')
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push(toAnswer('', [call]))
    } else if (type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: id, content: textOf(item.output) })
    } else if (role) messages.push({ role, content: textOf(content) })
  }
  return messages
}

/** Responses, as OpenAI has them: items of an output that begin, grow and are done. */
export const responses: Wire = {
  toChat(body) {
    const { instructions, input, tools } = body as Body
    return {
      messages: [
        ...(instructions ? [{ role: 'system' as const, content: instructions }] : []),
        ...toMessages(input),
      ],
      ...(tools && {
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
      }),
    }
  },
  // long: closures over the state of one answer
  startAnswer() {
    let index = -1
    let item: Record<string, unknown> | undefined
    let text = ''
    const typed = (type: string, fields: object) =>
      toEvent({ type: `response.${type}`, output_index: index, ...fields })
    const close = () => {
      if (!item) return ''
      const written = {
        message: { content: [{ type: 'output_text', text, annotations: [] }] },
        reasoning: { summary: [{ type: 'summary_text', text }] },
        function_call: { arguments: text },
      }[String(item['type'])]
      const done = typed('output_item.done', { item: { ...item, ...written } })
      item = undefined
      return done
    }
    const begin = (type: string, fields: object = {}) => {
      if (item?.['type'] === type && type !== 'function_call') return ''
      const before = close()
      index++
      text = ''
      item = { id: `item_${index}`, type, ...fields }
      return before + typed('output_item.added', { item })
    }
    const grow = (kind: string, delta: string, place: object = {}) => {
      text += delta
      return typed(`${kind}.delta`, { item_id: item?.['id'], ...place, delta })
    }
    return (piece: Piece) => {
      switch (piece.type) {
        case 'text':
          return begin('message') + grow('output_text', piece.text, { content_index: 0 })
        case 'reasoning':
          return (
            begin('reasoning') + grow('reasoning_summary_text', piece.text, { summary_index: 0 })
          )
        case 'call':
          return begin('function_call', { call_id: piece.id, name: piece.name, arguments: '' })
        case 'args':
          return grow('function_call_arguments', piece.text)
        case 'end': {
          const isCut = piece.reason === 'length'
          const status = isCut ? 'incomplete' : 'completed'
          const response = {
            status,
            incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
            usage: { input_tokens: piece.input, output_tokens: piece.output },
          }
          return close() + typed(status, { response })
        }
      }
    }
  },
}
