import { toEvent, type ChatBody, type Piece, type Wire } from './piece.ts'

type Call = Extract<Piece, { type: 'call' }>
type WriteCalls = (calls: readonly Call[]) => string

const argsOf = ({ args }: Call) => Object.entries(JSON.parse(args || '{}') as object)
const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const toPython = (value: unknown) =>
  JSON.stringify(value)
    .replace(/^true$/, 'True')
    .replace(/^false$/, 'False')
    .replace(/^null$/, 'None')

/** How models write their calls where nothing reads them out of the text. */
export const textCalls = {
  qwen: (calls) =>
    calls
      .map((call) => {
        const parameters = argsOf(call).map(
          ([key, value]) => `<parameter=${key}>\n${toText(value)}\n</parameter>\n`,
        )
        const lines = `<function=${call.name}>\n${parameters.join('')}</function>`
        return `<tool_call>\n${lines}\n</tool_call>`
      })
      .join('\n'),
  hermes: (calls) =>
    calls
      .map(({ name, args }) => {
        const call = `{"name": ${JSON.stringify(name)}, "arguments": ${args || '{}'}}`
        return `<tool_call>\n${call}\n</tool_call>`
      })
      .join('\n'),
  glm: (calls) =>
    calls
      .map((call) => {
        const lines = argsOf(call).map(
          ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${toText(value)}</arg_value>\n`,
        )
        return `<tool_call>${call.name}\n${lines.join('')}</tool_call>`
      })
      .join('\n'),
  mistral: (calls) =>
    `[TOOL_CALLS][${calls
      .map(({ name, args }) => `{"name": ${JSON.stringify(name)}, "arguments": ${args || '{}'}}`)
      .join(', ')}]`,
  llama: (calls) =>
    `[${calls
      .map((call) => {
        const args = argsOf(call).map(([key, value]) => `${key}=${toPython(value)}`)
        return `${call.name}(${args.join(', ')})`
      })
      .join(', ')}]`,
} satisfies Record<string, WriteCalls>

/** A way to write calls. */
export type TextCalls = keyof typeof textCalls

/** Chat Completions of a server that leaves calls in the text, where the model has written them. */
export const toTextWire = (writeCalls: WriteCalls): Wire => ({
  wholeCalls: true,
  toChat: (body) => body as ChatBody,
  startAnswer() {
    const calls: Call[] = []
    const choice = (delta: object, finish_reason: string | null = null) =>
      toEvent({ choices: [{ index: 0, delta, finish_reason }] })
    return (piece: Piece) => {
      switch (piece.type) {
        case 'text':
          return choice({ content: piece.text })
        case 'reasoning':
          return choice({ reasoning_content: piece.text })
        case 'call':
          calls.push(piece)
          return ''
        case 'args':
          return ''
        case 'end': {
          const written = calls.length ? writeCalls(calls).match(/[^]{1,7}/g) : undefined
          const usage = { prompt_tokens: piece.input, completion_tokens: piece.output }
          return [
            ...(written ?? []).map((content) => choice({ content })),
            choice({}, piece.reason === 'length' ? 'length' : 'stop'),
            toEvent({ choices: [], usage }),
            'data: [DONE]\n\n',
          ].join('')
        }
      }
    }
  },
})
