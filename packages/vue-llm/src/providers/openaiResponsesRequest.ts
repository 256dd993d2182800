import {
  toolOutput,
  toToolDefinition,
  type ChatRequest,
  type ModelOutput,
  type Part,
  type ToolCallPart,
} from '../core'
import type { OpenAIResponsesOwnOptions } from './openaiResponses'
import { responsesKey } from './openaiResponsesWire'
import { toTurns } from './toTurns'

/** The body of a Responses request. @internal */
export function toOpenAIResponsesBody(
  request: ChatRequest,
  options: OpenAIResponsesOwnOptions,
  stream: boolean,
): Record<string, unknown> {
  const { model, system, tools, toolChoice, settings = {} } = request
  const {
    store = false,
    strictTools: strict = false,
    builtInTools = [],
    reasoningSummary,
  } = options
  // Models that do not reason refuse the field; a closed list, since all that came after them do.
  const { encryptedReasoning = !store && !/gpt-[34]|gpt-5-chat/.test(model) } = options
  const { reasoningEffort, responseFormat } = settings
  const { schema, name = 'answer' } = responseFormat ?? {}
  const sentTools = [
    // `strict` always: without it the server makes schemas strict, and optional fields required.
    ...tools.map((tool) => ({ type: 'function', ...toToolDefinition(tool), strict })),
    ...builtInTools,
  ]
  return {
    model,
    // Beside the input, where a conversation that the server keeps would gather a system message of each request.
    instructions: system || undefined,
    input: toInput(request, store),
    stream,
    store,
    include: encryptedReasoning ? ['reasoning.encrypted_content'] : undefined,
    ...(sentTools.length && {
      tools: sentTools,
      tool_choice:
        typeof toolChoice === 'object' ? { type: 'function', ...toolChoice } : toolChoice,
      parallel_tool_calls: settings.parallelToolCalls,
    }),
    // Sent also to models that refuse it: that tells more than a setting that is lost in silence.
    temperature: settings.temperature,
    top_p: settings.topP,
    max_output_tokens: settings.maxTokens,
    reasoning:
      reasoningEffort || reasoningSummary
        ? { effort: reasoningEffort, summary: reasoningSummary }
        : undefined,
    text: responseFormat && {
      format: schema ? { type: 'json_schema', name, schema, strict } : { type: 'json_object' },
    },
  }
}

const metadataOf = ({ providerMetadata }: Part): WireItem | undefined =>
  providerMetadata?.[responsesKey] as WireItem | undefined

/** What the wire gave with a part; a transcript may come from a client, and hold anything. */
interface WireItem {
  type?: string
  id?: string
  call_id?: unknown
  phase?: string
  summary?: unknown
  content?: unknown[]
  encrypted_content?: string
}

function toInput({ messages, tools }: ChatRequest, store: boolean): object[] {
  const input: object[] = []
  const turns = toTurns(messages, (part) => part.type === 'text' || !!metadataOf(part))
  for (const turn of turns) {
    if (turn.role === 'user') {
      input.push({ role: 'user', content: toContent(turn.parts) })
      continue
    }
    let reasoning: object[] = []
    let step: number | undefined
    for (const part of turn.parts) {
      // Reasoning must be followed by what it led to: that of a round that broke off is refused.
      if (part.step !== step) reasoning = []
      step = part.step
      if (part.type === 'reasoning') reasoning.push(...toReasoning(part, store))
      else {
        const items = toItems(part)
        if (!items.length) continue
        input.push(...reasoning, ...items)
        reasoning = []
      }
    }
    for (const call of turn.calls) {
      const output = toolOutput(call, tools)
      input.push({
        type: 'function_call_output',
        call_id: call.toolCallId,
        output: typeof output === 'string' ? output : toContent(output),
      })
    }
  }
  return input
}

/** Reasoning that the server can't read again is refused: what it kept, or has encrypted, or is plain text. */
function toReasoning(part: Part, store: boolean): object[] {
  const { id, summary = [], content, encrypted_content } = metadataOf(part) ?? {}
  return store || encrypted_content || content?.length
    ? [{ type: 'reasoning', id, summary, content, encrypted_content }]
    : []
}

/**
 * Ids of messages and calls stay here: with one, the server wants the reasoning item that came before it, and looks
 * for what it has not stored.
 */
function toItems(part: Part): object[] {
  const item = metadataOf(part)
  if (part.type === 'text') {
    // A string: servers want the list form as they gave it, with the id.
    return [{ role: 'assistant', content: part.text, phase: item?.phase }]
  }
  if (part.type === 'file') {
    return [{ type: 'image_generation_call', id: item?.id, status: 'completed', result: part.data }]
  }
  if (part.type !== 'tool-call') return []
  return part.providerExecuted ? toHosted(part, item) : [toCall(part)]
}

const toCall = ({ toolCallId, toolName, args }: ToolCallPart): object => ({
  type: 'function_call',
  call_id: toolCallId,
  name: toolName,
  arguments: JSON.stringify(args),
})

function toHosted({ approval }: ToolCallPart, item: WireItem = {}): object[] {
  // The type is looked at, since a client's transcript may hold a system message here.
  if (item.type === 'mcp_approval_request') {
    const approve = approval?.state === 'approved'
    return [item, { type: 'mcp_approval_response', approval_request_id: item.id, approve }]
  }
  // One with a `call_id` wants an output of this side's beside it, which nobody gave.
  return `${item.type}`.endsWith('_call') && !item.call_id ? [item] : []
}

function toContent(content: Exclude<ModelOutput, string>): object[] {
  return content.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    const { mediaType, data, url = `data:${mediaType};base64,${data}`, filename = 'file' } = part
    if (mediaType.startsWith('image/')) return { type: 'input_image', image_url: url }
    return {
      type: 'input_file',
      ...(url.startsWith('data:') ? { filename, file_data: url } : { file_url: url }),
    }
  })
}
