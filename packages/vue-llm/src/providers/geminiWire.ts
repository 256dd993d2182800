import type { PartialArg } from './geminiArgs'

/** What the reader keeps of this wire in `providerMetadata.gemini`. @internal */
export interface GeminiMetadata {
  thoughtSignature?: unknown
  /** Of a call, where the wire gave one. */
  id?: unknown
  /** What the server ran itself: the part of the call and that of its result, as they came. */
  parts?: readonly object[]
}

/** What servers send; any field may be absent, `null` or of another type. @internal */
export interface WireEvent {
  candidates?: (WireCandidate | null)[] | null
  promptFeedback?: { blockReason?: unknown; blockReasonMessage?: unknown } | null
  usageMetadata?: WireUsage | null
}

/** One answer. @internal */
export interface WireCandidate {
  index?: number | null
  content?: { parts?: (WirePart | null)[] | null } | null
  finishReason?: string | null
  finishMessage?: unknown
  groundingMetadata?: { groundingChunks?: (WireGround | null)[] | null } | null
}

/** What an answer is grounded on, by kind. @internal */
export type WireGround = Record<string, { uri?: unknown; title?: unknown } | null>

/** A piece of an answer. @internal */
export interface WirePart {
  text?: unknown
  thought?: unknown
  thoughtSignature?: unknown
  functionCall?: WireCall | null
  inlineData?: { mimeType?: unknown; data?: unknown } | null
  executableCode?: object | null
  codeExecutionResult?: unknown
  toolCall?: { id?: unknown; toolType?: unknown; args?: unknown } | null
  toolResponse?: { id?: unknown; response?: unknown } | null
}

/** A call, whole or in pieces. @internal */
export interface WireCall {
  id?: unknown
  name?: unknown
  args?: unknown
  partialArgs?: PartialArg[] | null
  willContinue?: unknown
}

/** Tokens so far. @internal */
export interface WireUsage {
  promptTokenCount?: number | null
  candidatesTokenCount?: number | null
  thoughtsTokenCount?: number | null
  cachedContentTokenCount?: number | null
}
