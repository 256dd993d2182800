import type { ChatRequest, FinishReason } from '../core'
import { createOpenAICalls, type WireCall } from './openaiCalls'
import { addDetail, openaiKey, type ReasoningDetail } from './openaiReasoning'
import { setUsage } from './setUsage'
import { createSources } from './sources'
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
  reasoning_details?: (ReasoningDetail | null)[] | null
  images?: ({ image_url?: { url?: unknown } | null } | null)[] | null
  annotations?: ({ url_citation?: { url?: unknown; title?: unknown } | null } | null)[] | null
  tool_calls?: WireCall[] | null
  function_call?: WireCall['function']
}

interface WireUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  /** Of older servers of DeepSeek. */
  prompt_cache_hit_tokens?: number
  completion_tokens_details?: { reasoning_tokens?: number } | null
}

/** A piece of a list of content, or of what one of its pieces holds. */
interface WirePiece {
  text?: unknown
  summary?: unknown
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
  const details: ReasoningDetail[] = []
  const sources = createSources(round)
  let field: string | undefined
  let refused: unknown
  let streamed = false

  /** Text comes as a string, or as a list of pieces that may hold `thinking` instead. */
  function emitText(type: 'text-delta' | 'reasoning-delta', text: unknown, kept?: unknown): void {
    if (text && typeof text === 'string') {
      round.emit({ type, text, ...(!!kept && { providerMetadata: { [openaiKey]: kept } }) })
    } else if (Array.isArray(text)) {
      for (const piece of text as (WirePiece | null)[]) {
        emitText(type, piece?.text ?? piece?.summary)
        emitText('reasoning-delta', piece?.thinking)
      }
    }
  }

  function readReasoning({ reasoning_content, reasoning, reasoning_details }: WireMessage): void {
    if (Array.isArray(reasoning_details)) {
      for (const detail of reasoning_details) if (detail) addDetail(details, detail)
    }
    const text = reasoning_content || reasoning
    // Which field it was is said once, with the first piece.
    const kept = text && !field && (field = reasoning_content ? 'reasoning_content' : 'reasoning')
    // Servers that send details send the plain field too: never both.
    emitText('reasoning-delta', text || reasoning_details, kept)
  }

  function readMessage(message: WireMessage, whole: boolean): void {
    const { content, refusal, images, annotations, tool_calls, function_call } = message
    readReasoning(message)
    emitText('text-delta', content)
    if (refusal) emitText('text-delta', (refused = refusal))
    for (const image of images ?? []) {
      const url = image?.image_url?.url
      if (typeof url !== 'string') continue
      round.emit({ type: 'file', mediaType: /^data:([^;,]+)/.exec(url)?.[1] ?? 'image/png', url })
    }
    annotations?.forEach((one) => sources.add(one?.url_citation?.url, one?.url_citation?.title))
    tool_calls?.forEach((call, place) => calls.read(call, whole ? place : undefined))
    if (function_call) calls.read({ index: -1, function: function_call })
  }

  function readUsage(usage: WireUsage): void {
    setUsage(
      round,
      usage.prompt_tokens,
      usage.completion_tokens,
      usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens,
      usage.completion_tokens_details?.reasoning_tokens,
    )
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
    end(whole) {
      sources.end()
      if (whole && details.length) {
        const providerMetadata = { [openaiKey]: details }
        round.emit({ type: 'reasoning-delta', text: '', providerMetadata })
      }
      calls.end(whole)
    },
  }
}
