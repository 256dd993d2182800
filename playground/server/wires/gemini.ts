import { toAnswer, toCall, toEvent, type ChatMessage, type Piece, type Wire } from './piece.ts'

interface Part {
  text?: string
  thought?: boolean
  functionCall?: { name: string; args?: object }
  functionResponse?: { name: string; response: { output?: unknown } }
}

interface Body {
  systemInstruction?: { parts: Part[] }
  contents: { role: 'user' | 'model'; parts: Part[] }[]
  tools?: { functionDeclarations?: { parametersJsonSchema?: object }[] }[]
}

const textOf = (parts: readonly Part[]) =>
  parts.flatMap(({ text, thought }) => (text && !thought ? text : [])).join('\n\n')

/** Calls have no ids here: each result is the one of the first open call of its name. */
function toMessages(contents: Body['contents']): ChatMessage[] {
  let open: ReturnType<typeof toCall>[] = []
  let count = 0
  return contents.flatMap(({ role, parts }): ChatMessage[] => {
    if (role === 'model') {
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
      open = calls.map(({ name, args = {} }) =>
        toCall(`call_${count++}`, name, JSON.stringify(args)),
      )
      return [toAnswer(textOf(parts), open)]
    }
    const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? [])
    const results = responses.map(({ name, response }) => {
      const call = open.find((one) => one.function.name === name)
      open = open.filter((one) => one !== call)
      const { output = response } = response
      const content = typeof output === 'string' ? output : JSON.stringify(output)
      return { role: 'tool' as const, tool_call_id: call?.id ?? '', content }
    })
    const text = textOf(parts)
    return [...results, ...(text ? [{ role: 'user' as const, content: text }] : [])]
  })
}

/** Gemini, as Google has it: parts, with whole calls. */
export const gemini: Wire = {
  wholeCalls: true,
  toChat(body) {
    const { systemInstruction, contents, tools } = body as Body
    const declared = tools?.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    return {
      messages: [
        ...(systemInstruction
          ? [{ role: 'system' as const, content: textOf(systemInstruction.parts) }]
          : []),
        ...toMessages(contents),
      ],
      ...(declared && {
        tools: declared.map(({ parametersJsonSchema, ...tool }) => ({
          type: 'function',
          function: { ...tool, parameters: parametersJsonSchema },
        })),
      }),
    }
  },
  startAnswer() {
    const part = (fields: object) =>
      toEvent({ candidates: [{ content: { role: 'model', parts: [fields] } }] })
    return (piece: Piece) => {
      switch (piece.type) {
        case 'text':
          return part({ text: piece.text })
        case 'reasoning':
          return part({ text: piece.text, thought: true })
        case 'call':
          return part({ functionCall: { name: piece.name, args: JSON.parse(piece.args || '{}') } })
        case 'args':
          return ''
        case 'end': {
          const finishReason = piece.reason === 'length' ? 'MAX_TOKENS' : 'STOP'
          const content = { role: 'model', parts: [{ text: '' }] }
          return toEvent({
            candidates: [{ content, finishReason }],
            usageMetadata: { promptTokenCount: piece.input, candidatesTokenCount: piece.output },
          })
        }
      }
    }
  },
}
