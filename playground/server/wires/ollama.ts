import { toAnswer, toCall, type ChatMessage, type Piece, type Wire } from './piece.ts'

interface Body {
  messages: {
    role: ChatMessage['role']
    content: string
    tool_calls?: { id?: string; function: { name: string; arguments: object } }[]
    tool_call_id?: string
  }[]
  tools?: { type: 'function'; function: object }[]
}

/** Ollama's own chat: a line of JSON for each piece, with whole calls. */
export const ollama: Wire = {
  contentType: 'application/x-ndjson',
  wholeCalls: true,
  toChat(body) {
    const { messages, tools } = body as Body
    return {
      messages: messages.map(({ tool_calls = [], ...message }) =>
        message.role === 'assistant'
          ? toAnswer(
              message.content,
              tool_calls.map(({ id = '', function: { name, arguments: args } }) =>
                toCall(id, name, JSON.stringify(args)),
              ),
            )
          : message,
      ),
      ...(tools && { tools }),
    }
  },
  startAnswer() {
    const line = (fields: object) => `${JSON.stringify({ model: 'vue-llm-demo', ...fields })}\n`
    const message = (fields: object) =>
      line({ message: { role: 'assistant', content: '', ...fields }, done: false })
    return (piece: Piece) => {
      switch (piece.type) {
        case 'text':
          return message({ content: piece.text })
        case 'reasoning':
          return message({ thinking: piece.text })
        case 'call': {
          const { id, name, args } = piece
          const call = { id, function: { name, arguments: JSON.parse(args || '{}') } }
          return message({ tool_calls: [call] })
        }
        case 'args':
          return ''
        case 'end':
          return line({
            message: { role: 'assistant', content: '' },
            done: true,
            done_reason: piece.reason === 'length' ? 'length' : 'stop',
            prompt_eval_count: piece.input,
            eval_count: piece.output,
          })
      }
    }
  },
}
