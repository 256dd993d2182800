import { toAnswer, toCall, toEvent, type ChatMessage, type Piece, type Wire } from './piece.ts'

interface Block {
  type: string
  text?: string
  id?: string
  name?: string
  input?: object
  tool_use_id?: string
  content?: string | { text?: string }[]
}

interface Body {
  system?: string
  messages: { role: 'user' | 'assistant'; content: string | Block[] }[]
  tools?: { name: string; description?: string; input_schema: object }[]
}

const textOf = (content: Block['content'] = '') =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')

function toMessages({ role, content }: Body['messages'][number]): ChatMessage[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const texts = blocks.filter(({ type }) => type === 'text')
  const text = texts.map((block) => block.text ?? '').join('\n\n')
  if (role === 'assistant') {
    const uses = blocks.filter(({ type }) => type === 'tool_use')
    const calls = uses.map(({ id = '', name = '', input = {} }) =>
      toCall(id, name, JSON.stringify(input)),
    )
    return [toAnswer(text, calls)]
  }
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return [
    ...results.map((block) => ({
      role: 'tool' as const,
      tool_call_id: block.tool_use_id ?? '',
      content: textOf(block.content),
    })),
    ...(texts.length ? [{ role: 'user' as const, content: text }] : []),
  ]
}

const stopReasons = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' }

/** Messages, as Anthropic has them: blocks that begin, grow and end. */
export const anthropic: Wire = {
  toChat(body) {
    const { system, messages, tools } = body as Body
    return {
      messages: [
        ...(system ? [{ role: 'system' as const, content: system }] : []),
        ...messages.flatMap(toMessages),
      ],
      ...(tools && {
        tools: tools.map(({ input_schema, ...tool }) => ({
          type: 'function',
          function: { ...tool, parameters: input_schema },
        })),
      }),
    }
  },
  startAnswer() {
    let index = -1
    let open = ''
    const delta = (fields: object) => toEvent({ type: 'content_block_delta', index, delta: fields })
    const close = () => {
      const stop = open && toEvent({ type: 'content_block_stop', index })
      open = ''
      return stop
    }
    const begin = (kind: string, block: object) => {
      if (open === kind && kind !== 'call') return ''
      const message = { role: 'assistant', content: [], usage: { input_tokens: 0 } }
      const before = index < 0 ? toEvent({ type: 'message_start', message }) : close()
      index++
      open = kind
      return before + toEvent({ type: 'content_block_start', index, content_block: block })
    }
    return (piece: Piece) => {
      switch (piece.type) {
        case 'text': {
          const { text } = piece
          return begin('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text })
        }
        case 'reasoning': {
          const block = { type: 'thinking', thinking: '', signature: 'demo' }
          return begin('thinking', block) + delta({ type: 'thinking_delta', thinking: piece.text })
        }
        case 'call': {
          const { id, name } = piece
          return begin('call', { type: 'tool_use', id, name, input: {} })
        }
        case 'args':
          return delta({ type: 'input_json_delta', partial_json: piece.text })
        case 'end': {
          const usage = { input_tokens: piece.input, output_tokens: piece.output }
          const ended = { stop_reason: stopReasons[piece.reason] }
          return (
            close() +
            toEvent({ type: 'message_delta', delta: ended, usage }) +
            toEvent({ type: 'message_stop' })
          )
        }
      }
    }
  },
}
