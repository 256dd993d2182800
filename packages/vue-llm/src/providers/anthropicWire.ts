/** What servers send; any field may be absent, `null` or of another type. @internal */
export interface WireEvent extends WireMessage {
  type?: unknown
  index?: unknown
  message?: WireMessage | null
  content_block?: WireBlock | null
  delta?: (WireDelta & WireEnd) | null
}

/** Why a message ended. @internal */
export interface WireEnd {
  stop_reason?: string | null
  stop_details?: { explanation?: unknown } | null
}

/** A message as it starts, or whole. @internal */
export interface WireMessage extends WireEnd {
  content?: WireBlock[] | null
  usage?: WireUsage | null
}

/** A block as it starts, or whole. @internal */
export interface WireBlock {
  type?: unknown
  text?: unknown
  citations?: (Citation | null)[] | null
  thinking?: unknown
  signature?: unknown
  data?: unknown
  id?: unknown
  name?: unknown
  input?: unknown
  tool_use_id?: unknown
  content?: unknown
  is_error?: unknown
}

/** A piece of a block. @internal */
export interface WireDelta {
  text?: unknown
  thinking?: unknown
  signature?: unknown
  partial_json?: unknown
  citation?: Citation | null
}

/** What a text cites. @internal */
export interface Citation {
  url?: unknown
  source?: unknown
  title?: unknown
}

/** Tokens so far. @internal */
export interface WireUsage {
  input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_read_input_tokens?: number | null
  output_tokens?: number | null
  output_tokens_details?: { thinking_tokens?: number | null } | null
}
