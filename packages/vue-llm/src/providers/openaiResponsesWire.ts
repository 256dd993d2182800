/** Under which the wire keeps in a part what goes back to it. @internal */
export const responsesKey = 'openai-responses'

/** An event as servers send it; any field may be absent, `null` or of another type. @internal */
export interface WireEvent extends WireResponse {
  type?: string
  output_index?: number
  item_id?: string
  content_index?: number
  summary_index?: number
  delta?: unknown
  arguments?: unknown
  item?: WireItem
  annotation?: WireAnnotation | null
  response?: WireResponse | null
}

/** A response, whole or as its last event tells it. @internal */
export interface WireResponse {
  status?: string | null
  output?: WireItem[] | null
  error?: unknown
  incomplete_details?: { reason?: string } | null
  usage?: {
    input_tokens?: number
    output_tokens?: number
    input_tokens_details?: { cached_tokens?: number } | null
    output_tokens_details?: { reasoning_tokens?: number } | null
  } | null
}

/** An item of the output. @internal */
export interface WireItem {
  type?: string
  id?: string
  status?: string
  phase?: string
  content?: WireContent[] | null
  summary?: WireContent[] | null
  call_id?: string
  name?: string
  arguments?: unknown
  action?: unknown
  code?: unknown
  queries?: unknown
  result?: string | null
  results?: unknown
  outputs?: unknown
  output?: unknown
  output_format?: string
  error?: unknown
}

/** A piece of a message or of reasoning. @internal */
export interface WireContent {
  type?: string
  text?: unknown
  refusal?: unknown
  annotations?: (WireAnnotation | null)[] | null
}

/** A source. @internal */
export interface WireAnnotation {
  url?: unknown
  title?: unknown
}
