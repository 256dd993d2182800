import type { ChatRequest, FinishReason, Usage } from '../core'
import { createOpenAICalls, type WireCall } from './openaiCalls'
import type { Round, StreamReader } from './types'

/** What servers send; any field may be absent, `null` or of another type. */
interface WireEvent {
  choices?: (WireChoice | null)[]
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage } | null
}

interface WireChoice {
  index?: number
  delta?: WireMessage | null
  message?: WireMessage | null
  finish_reason?: string | null
  usage?: WireUsage | null
  error?: unknown
}

interface WireMessage {
  content?: unknown
  refusal?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  reasoning_details?: unknown
  tool_calls?: WireCall[] | null
  function_call?: WireCall['function']
}

interface WireUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
}

const reasons = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
])

/** Reads Chat Completions, streamed or whole, in the dialects of the servers that speak it. @internal */
export function createOpenAIReader(round: Round, request: ChatRequest): StreamReader {
  const { emit } = round
  const calls = createOpenAICalls(round, request)
  let refused = false
  let streamed = false

  function readMessage(message: WireMessage, whole: boolean): void {
    const { content, refusal, tool_calls, function_call } = message
    const reasoning = message.reasoning_content || message.reasoning
    // Servers that send details send the plain field too: never both.
    emitText('reasoning-delta', reasoning || message.reasoning_details)
    if (typeof content === 'string') emitText('text-delta', content)
    else if (Array.isArray(content)) {
      for (const { type, text, thinking } of content) {
        if (type === 'text') emitText('text-delta', text)
        else if (thinking) emitText('reasoning-delta', thinking)
      }
    }
    if (refusal) {
      refused = true
      emitText('text-delta', refusal)
    }
    tool_calls?.forEach((call, place) => calls.read(call, whole ? place : undefined))
    if (function_call) calls.read({ index: -1, function: function_call })
  }

  /** Text comes as a string or as a list of objects with a `text`. */
  function emitText(type: 'text-delta' | 'reasoning-delta', text: unknown): void {
    if (Array.isArray(text)) for (const piece of text) emitText(type, piece?.text)
    else if (text && typeof text === 'string') emit({ type, text })
  }

  function readChoice({ delta, message, finish_reason, usage, error }: WireChoice): void {
    if (delta) {
      streamed = true
      readMessage(delta, false)
    } else if (message && !streamed) {
      readMessage(message, true)
      round.finishReason = 'stop'
    }
    if (finish_reason) {
      round.rawFinishReason = `${finish_reason}`
      round.finishReason = reasons.get(finish_reason) ?? 'other'
    }
    readUsage(usage)
    if (error) round.fail(error)
  }

  function readUsage(usage: WireUsage | null | undefined): void {
    // Some servers send zeros until they know.
    if (usage?.prompt_tokens || usage?.completion_tokens) round.usage = toUsage(usage)
  }

  return {
    event({ choices, usage, x_groq }: WireEvent) {
      // With `n` > 1 the others are other answers.
      if (choices) for (const choice of choices) if (choice && !choice.index) readChoice(choice)
      readUsage(usage ?? x_groq?.usage)
      if (refused && round.finishReason) round.finishReason = 'content-filter'
    },
    end: calls.end,
  }
}

function toUsage(usage: WireUsage): Usage {
  const cachedInputTokens = usage.prompt_tokens_details?.cached_tokens
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: usage.prompt_tokens || 0,
    outputTokens: usage.completion_tokens || 0,
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  }
}
