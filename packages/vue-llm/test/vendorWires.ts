import type { Chunk, Provider } from '../src/core'
import {
  createAnthropicProvider,
  createGeminiProvider,
  createOllamaProvider,
  createOpenAIProvider,
  createOpenAIResponsesProvider,
  type CommonOptions,
} from '../src/providers'
import {
  anthropicProblems,
  geminiProblems,
  ollamaProblems,
  responsesProblems,
  type AnthropicBody,
  type GeminiBody,
  type OllamaBody,
  type ResponsesBody,
} from './strictVendors'
import { transcriptProblems, type WireMessage } from './transcriptProblems'

/** Writes what its vendor would send for a chunk; the state of one answer is in its closure. */
export type WriteChunk = (chunk: Chunk) => string

/** The wire of a vendor, from the vendor's side. */
export interface VendorWire {
  create(options: CommonOptions & { emptyRoundFallback?: false }): Provider
  /** What the vendor refuses in the body of a request. */
  problemsIn(body: unknown): string[]
  /** Starts the writing of an answer. */
  startAnswer(): WriteChunk
}

const toEvent = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
const toEvents = (events: readonly object[]): string => events.map(toEvent).join('')
const argsOf = (text: string): unknown => JSON.parse(text || '{}')

function openai(): WriteChunk {
  let index = -1
  const delta = (fields: object) => toEvent({ choices: [{ index: 0, delta: fields }] })
  const call = (fields: object) => delta({ tool_calls: [{ index, ...fields }] })
  const begin = (id: string, name: string | undefined, args = '') => {
    index++
    return call({ id, type: 'function', function: { name, arguments: args } })
  }
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        return delta({ content: chunk.text })
      case 'reasoning-delta':
        return delta({ reasoning_content: chunk.text })
      case 'tool-call-start':
        return begin(chunk.toolCallId, chunk.toolName)
      case 'tool-call-delta':
        return call({ function: { arguments: chunk.argsText } })
      case 'tool-call-end':
        return chunk.args === undefined
          ? ''
          : begin(chunk.toolCallId, chunk.toolName, JSON.stringify(chunk.args))
      case 'error':
        return toEvent({ error: { message: chunk.message } })
      case 'step-end': {
        const { finishReason: reason } = chunk
        if (reason === 'truncated') return ''
        const finish_reason = reason === 'tool-calls' ? 'tool_calls' : reason
        return `${toEvent({ choices: [{ index: 0, delta: {}, finish_reason }] })}data: [DONE]\n\n`
      }
      default:
        return ''
    }
  }
}

// long: one table from what happens to events
function anthropic(): WriteChunk {
  let index = -1
  let open: string | undefined
  const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  const close = (): object[] => {
    const isThinking = open === 'thinking'
    const stops = open && { type: 'content_block_stop', index }
    open = undefined
    if (!stops) return []
    return isThinking
      ? [delta({ type: 'signature_delta', signature: `s${index}` }), stops]
      : [stops]
  }
  const begin = (key: string, block: object): object[] => {
    if (open === key) return []
    const before = close()
    const first = index < 0 ? [{ type: 'message_start', message: { usage: {} } }] : []
    index++
    open = key
    return [...first, ...before, { type: 'content_block_start', index, content_block: block }]
  }
  const use = (id: string, name = '') => begin(id, { type: 'tool_use', id, name, input: {} })
  const json = (partial_json: string) => delta({ type: 'input_json_delta', partial_json })
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        return toEvents([
          ...begin('text', { type: 'text', text: '' }),
          delta({ type: 'text_delta', text: chunk.text }),
        ])
      case 'reasoning-delta':
        return toEvents([
          ...begin('thinking', { type: 'thinking', thinking: '', signature: '' }),
          delta({ type: 'thinking_delta', thinking: chunk.text }),
        ])
      case 'tool-call-start':
        return toEvents(use(chunk.toolCallId, chunk.toolName))
      case 'tool-call-delta':
        return toEvents([json(chunk.argsText)])
      case 'tool-call-end': {
        const { toolCallId, toolName, args } = chunk
        const whole = args === undefined ? [] : use(toolCallId, toolName)
        return toEvents([...whole, ...(args ? [json(JSON.stringify(args))] : []), ...close()])
      }
      case 'error':
        return toEvent({ type: 'error', error: { type: 'api_error', message: chunk.message } })
      case 'step-end': {
        const { finishReason } = chunk
        if (finishReason === 'truncated') return ''
        if (finishReason === 'error') return toEvent({ type: 'error', error: { message: 'sorry' } })
        const reasons: Record<string, string> = { 'tool-calls': 'tool_use', length: 'max_tokens' }
        const stop_reason = reasons[finishReason] ?? 'end_turn'
        return toEvents([
          ...close(),
          { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
          { type: 'message_stop' },
        ])
      }
      default:
        return ''
    }
  }
}

function gemini(): WriteChunk {
  let isFirst = true
  let text = ''
  const part = (fields: object) => toEvent({ candidates: [{ content: { parts: [fields] } }] })
  const call = (functionCall: object) => {
    // Parallel calls have one signature.
    const signature = isFirst && { thoughtSignature: 'c2ln' }
    isFirst = false
    return part({ functionCall, ...signature })
  }
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        return part({ text: chunk.text })
      case 'reasoning-delta':
        return part({ text: chunk.text, thought: true })
      case 'tool-call-start':
        text = ''
        return call({ id: chunk.toolCallId, name: chunk.toolName, willContinue: true })
      case 'tool-call-delta':
        text += chunk.argsText
        return ''
      case 'tool-call-end': {
        const { toolCallId: id, toolName: name, args } = chunk
        if (args !== undefined) return call({ id, name, args })
        const partialArgs = Object.entries(Object(argsOf(text))).map(([key, numberValue]) => ({
          jsonPath: `$.${key}`,
          numberValue,
        }))
        return part({ functionCall: { partialArgs, willContinue: true } }) + call({})
      }
      case 'error':
        return toEvent({ error: { code: 500, message: chunk.message } })
      case 'step-end': {
        if (chunk.finishReason === 'truncated') return ''
        const reasons: Record<string, string> = {
          length: 'MAX_TOKENS',
          error: 'MALFORMED_FUNCTION_CALL',
        }
        const finishReason = reasons[chunk.finishReason] ?? 'STOP'
        return toEvent({ candidates: [{ content: { parts: [{ text: '' }] }, finishReason }] })
      }
      default:
        return ''
    }
  }
}

// long: one table from what happens to events
function responses(): WriteChunk {
  let output_index = -1
  let open: Record<string, unknown> | undefined
  let text = ''
  const typed = (type: string, fields: object) =>
    toEvent({ type: `response.${type}`, output_index, ...fields })
  const close = () => {
    if (!open) return ''
    const { type, id } = open
    const item =
      type === 'message'
        ? { ...open, content: [{ type: 'output_text', text, annotations: [] }] }
        : type === 'reasoning'
          ? { ...open, summary: [{ type: 'summary_text', text }], encrypted_content: `e${id}` }
          : { ...open, arguments: text }
    open = undefined
    return typed('output_item.done', { item })
  }
  const begin = (item: Record<string, unknown>) => {
    if (open && open['type'] === item['type'] && !item['call_id']) return ''
    const before = close()
    output_index++
    text = ''
    open = { id: `i${Math.random()}`, ...item }
    return before + typed('output_item.added', { item: { ...open, arguments: '' } })
  }
  const grow = (kind: string, delta: string, place: object) => {
    text += delta
    return typed(`${kind}.delta`, { ...place, delta })
  }
  const call = (call_id: string, name = '') => begin({ type: 'function_call', call_id, name })
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        return begin({ type: 'message' }) + grow('output_text', chunk.text, { content_index: 0 })
      case 'reasoning-delta':
        return (
          begin({ type: 'reasoning' }) +
          grow('reasoning_summary_text', chunk.text, { summary_index: 0 })
        )
      case 'tool-call-start':
        return call(chunk.toolCallId, chunk.toolName)
      case 'tool-call-delta':
        return grow('function_call_arguments', chunk.argsText, {})
      case 'tool-call-end': {
        if (chunk.args === undefined) return close()
        const begun = call(chunk.toolCallId, chunk.toolName)
        return begun + grow('function_call_arguments', JSON.stringify(chunk.args), {}) + close()
      }
      case 'error':
        return toEvent({ type: 'error', code: 'server_error', message: chunk.message })
      case 'step-end': {
        const { finishReason } = chunk
        if (finishReason === 'truncated') return ''
        const before = close()
        const status =
          finishReason === 'error'
            ? 'failed'
            : finishReason === 'length'
              ? 'incomplete'
              : 'completed'
        const incomplete_details = status === 'incomplete' ? { reason: 'max_output_tokens' } : null
        const error = status === 'failed' ? { message: 'sorry' } : null
        return before + typed(status, { response: { status, incomplete_details, error } })
      }
      default:
        return ''
    }
  }
}

function ollama(): WriteChunk {
  let call = { id: '', name: '', text: '' }
  const line = (fields: object) => `${JSON.stringify(fields)}\n`
  const message = (fields: object) => line({ message: { content: '', ...fields }, done: false })
  const toolCall = (id: string, name: string, args: unknown) =>
    message({ tool_calls: [{ id, function: { name, arguments: args } }] })
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        return message({ content: chunk.text })
      case 'reasoning-delta':
        return message({ thinking: chunk.text })
      case 'tool-call-start':
        call = { id: chunk.toolCallId, name: chunk.toolName, text: '' }
        return ''
      case 'tool-call-delta':
        call.text += chunk.argsText
        return ''
      case 'tool-call-end':
        return chunk.args === undefined
          ? toolCall(call.id, call.name, argsOf(call.text))
          : toolCall(chunk.toolCallId, chunk.toolName ?? '', chunk.args)
      case 'error':
        return line({ error: chunk.message })
      case 'step-end': {
        if (chunk.finishReason === 'truncated') return ''
        if (chunk.finishReason === 'error') return line({ error: 'sorry' })
        const done_reason = chunk.finishReason === 'length' ? 'length' : 'stop'
        return line({ message: { content: '' }, done: true, done_reason })
      }
      default:
        return ''
    }
  }
}

/** By name, the wires of all vendors. */
export const vendorWires: Readonly<Record<string, VendorWire>> = {
  openai: {
    create: createOpenAIProvider,
    problemsIn: (body) => transcriptProblems((body as { messages: WireMessage[] }).messages),
    startAnswer: openai,
  },
  responses: {
    create: createOpenAIResponsesProvider,
    problemsIn: (body) => responsesProblems(body as ResponsesBody),
    startAnswer: responses,
  },
  anthropic: {
    create: createAnthropicProvider,
    problemsIn: (body) => anthropicProblems(body as AnthropicBody),
    startAnswer: anthropic,
  },
  gemini: {
    create: createGeminiProvider,
    problemsIn: (body) => geminiProblems(body as GeminiBody),
    startAnswer: gemini,
  },
  ollama: {
    create: createOllamaProvider,
    problemsIn: (body) => ollamaProblems(body as OllamaBody),
    startAnswer: ollama,
  },
}

/** The body of an answer: what happens, as it happens, written for the wire and cut in two anywhere. */
function toBody(chunks: AsyncIterable<Chunk>, write: WriteChunk): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let rest: Uint8Array | undefined
  let count = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        let bytes = rest
        rest = undefined
        while (!bytes?.length) {
          const { done, value } = await iterator.next()
          if (done) return stream.close()
          bytes = encoder.encode(write(value))
        }
        const cut = count++ % 3 && (count * 7) % bytes.length
        if (cut) rest = bytes.subarray(cut)
        stream.enqueue(cut ? bytes.subarray(0, cut) : bytes)
      },
      cancel: () => void iterator.return?.().catch(() => {}),
    },
    // Nothing is written before it is asked for.
    { highWaterMark: 0 },
  )
}

/** Lets what a provider gives go over the wire of a vendor, which reports what it would refuse. */
export function overWire(
  { create, problemsIn, startAnswer }: VendorWire,
  provider: Provider,
  report: (problem: string) => void,
): Provider {
  return {
    name: provider.name,
    stream(request) {
      const chunks = provider.stream(request)
      const fetch = async (_: string, { body }: RequestInit) => {
        problemsIn(JSON.parse(`${body}`)).forEach(report)
        return new Response(toBody(chunks, startAnswer()))
      }
      return create({ fetch, maxRetries: 0, emptyRoundFallback: false }).stream(request)
    },
  }
}
