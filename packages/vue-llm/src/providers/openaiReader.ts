import type { ChatRequest, FinishReason } from '../core'
import { createOpenAICalls, type WireCall } from './openaiCalls'
import type { Round, StreamReader } from './types'

/** What servers send; any field may be absent, `null` or of another type. */
interface WireEvent {
  choices?: (WireChoice | null)[]
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage } | null
  error?: unknown
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

/** A piece of a list of content, or of what one of its pieces holds. */
interface WirePiece {
  text?: unknown
  thinking?: unknown
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
// long: closures over the state of one answer
export function createOpenAIReader(round: Round, request: ChatRequest): StreamReader {
  const calls = createOpenAICalls(round, request)
  let refused: unknown
  let streamed = false

  /** Text comes as a string, or as a list of pieces that may hold `thinking` instead. */
  function emitText(type: 'text-delta' | 'reasoning-delta', text: unknown): void {
    if (text && typeof text === 'string') round.emit({ type, text })
    else if (Array.isArray(text)) {
      for (const piece of text as (WirePiece | null)[]) {
        emitText(type, piece?.text)
        emitText('reasoning-delta', piece?.thinking)
      }
    }
  }

  function readMessage(message: WireMessage, whole: boolean): void {
    const { content, refusal, tool_calls, function_call } = message
    // Servers that send details send the plain field too: never both.
    emitText(
      'reasoning-delta',
      message.reasoning_content || message.reasoning || message.reasoning_details,
    )
    emitText('text-delta', content)
    if (refusal) emitText('text-delta', (refused = refusal))
    tool_calls?.forEach((call, place) => calls.read(call, whole ? place : undefined))
    if (function_call) calls.read({ index: -1, function: function_call })
  }

  function readUsage(usage: WireUsage): void {
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = usage
    // Some servers send zeros until they know.
    if (!inputTokens && !outputTokens) return
    const cachedInputTokens = usage.prompt_tokens_details?.cached_tokens
    const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens
    round.usage = {
      inputTokens,
      outputTokens,
      ...(cachedInputTokens && { cachedInputTokens }),
      ...(reasoningTokens && { reasoningTokens }),
    }
  }

  function readChoice({ delta, message, finish_reason, usage, error }: WireChoice): void {
    if (delta) {
      streamed = true
      readMessage(delta, false)
    } else if (message && !streamed) {
      readMessage(message, true)
      round.finishReason = refused ? 'content-filter' : 'stop'
    }
    if (finish_reason) {
      round.rawFinishReason = `${finish_reason}`
      round.finishReason = refused ? 'content-filter' : (reasons.get(finish_reason) ?? 'other')
    }
    if (usage) readUsage(usage)
    if (error) round.fail(error)
  }

  return {
    event({ choices, usage, x_groq, error }: WireEvent) {
      // With `n` > 1 the others are other answers.
      if (choices) for (const choice of choices) if (choice && !choice.index) readChoice(choice)
      usage ??= x_groq?.usage
      if (usage) readUsage(usage)
      if (error) round.fail(error)
    },
    end: calls.end,
  }
}
