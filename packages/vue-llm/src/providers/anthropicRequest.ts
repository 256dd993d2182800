import {
  toolOutput,
  toToolDefinition,
  type AnyTool,
  type ChatRequest,
  type FilePart,
  type ModelOutput,
  type Part,
} from '../core'
import type { AnthropicOwnOptions } from './anthropic'
import { toAnthropicSchema } from './anthropicSchema'
import { toFileSource } from './fileSource'
import { toTurns } from './toTurns'

interface Block {
  type: string
  [field: string]: unknown
}

interface WireMessage {
  role: 'user' | 'assistant'
  content: Block[]
}

/** The body of a Messages request. @internal */
export function toAnthropicBody(
  request: ChatRequest,
  { maxTokens = 4096, thinkingBudgets, serverTools = [] }: AnthropicOwnOptions,
  stream: boolean,
): Record<string, unknown> {
  const { model, system, tools, toolChoice, settings = {} } = request
  const { thinking, effort } = toThinking(settings.reasoningEffort, toolChoice, thinkingBudgets)
  const isThinking = thinking && thinking.type !== 'disabled'
  const { stop, responseFormat } = settings
  // This wire has no JSON without a shape.
  const schema = responseFormat?.schema
  // Refused beside thinking.
  const { temperature, topP, topK } = isThinking ? {} : settings
  return {
    model,
    // A number is required: by default one that every model takes. What is thought counts as output.
    max_tokens: (settings.maxTokens ?? maxTokens) + (thinking?.budget_tokens ?? 0),
    // A string is the same to the API as a list of one text.
    system: system || undefined,
    messages: toAnthropicMessages(request),
    stream: stream || undefined,
    ...((tools.length || serverTools.length) && {
      tools: [...tools.map(toWireTool), ...serverTools],
      tool_choice: toToolChoice(toolChoice, settings.parallelToolCalls),
    }),
    thinking,
    ...((effort || schema) && {
      output_config: {
        effort,
        format: schema && { type: 'json_schema', schema: toAnthropicSchema(schema) },
      },
    }),
    // Both, where both are set: newer models refuse that, which tells more than one lost in silence.
    temperature,
    top_p: topP,
    top_k: topK,
    stop_sequences: stop && [stop].flat(),
  }
}

function toWireTool(tool: AnyTool): object {
  const { parameters, ...named } = toToolDefinition(tool)
  // Nothing that only the newest servers know, such as `eager_input_streaming`: others refuse it.
  return { ...named, input_schema: parameters }
}

function toToolChoice(
  choice: ChatRequest['toolChoice'],
  parallel: boolean | undefined,
): object | undefined {
  const single = parallel === false && { disable_parallel_tool_use: true }
  if (typeof choice === 'object') return { type: 'tool', ...choice, ...single }
  if (choice === 'none') return { type: choice }
  if (choice || single) return { type: choice === 'required' ? 'any' : 'auto', ...single }
  return undefined
}

function toThinking(
  effort: string | undefined,
  choice: ChatRequest['toolChoice'],
  budgets: AnthropicOwnOptions['thinkingBudgets'],
): { thinking?: { type: string; budget_tokens?: number }; effort?: string } {
  if (!effort) return {}
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  const budget_tokens = budgets?.[effort]
  const thinking = budget_tokens ? { type: 'enabled', budget_tokens } : { type: 'adaptive' }
  return {
    // A forced call can't be thought about.
    ...(typeof choice !== 'object' && choice !== 'required' && { thinking }),
    ...(!budget_tokens && { effort }),
  }
}

function toAnthropicMessages({ messages, tools }: ChatRequest): WireMessage[] {
  const sent: WireMessage[] = []
  const add = (role: WireMessage['role'], content: Block[]) => {
    const last = sent.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length) sent.push({ role, content })
  }
  const last = messages.at(-1)?.parts
  const toBlocks = (part: Part): Block[] => {
    // What the reader keeps: blocks without what the part itself holds.
    const { anthropic: block, anthropicResult: result } = (part.providerMetadata ?? {}) as {
      anthropic?: Block
      anthropicResult?: Block
    }
    if (part.type === 'text') return toText(part.text)
    if (part.type === 'reasoning') {
      return block ? [{ ...(block['signature'] ? { thinking: part.text } : {}), ...block }] : []
    }
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName, args, providerExecuted, state } = part
    // A server's call without its result is refused, unless the answer goes on with it.
    const isOpen = state === 'pending' && last?.includes(part)
    if (providerExecuted && !(block && (result || isOpen))) return []
    return [
      { type: 'tool_use', id: toId(toolCallId), name: toId(toolName), ...block, input: args },
      ...(result ? [{ content: part.result, ...result }] : []),
    ]
  }
  for (const turn of toTurns(messages, (part) => toBlocks(part).length > 0)) {
    if (turn.role === 'user') {
      add('user', toContent(turn.parts))
      continue
    }
    // An answer needs a turn of the user before it, as a greeting does.
    if (!sent.length) add('user', [{ type: 'text', text: '…' }])
    const content = turn.parts.flatMap(toBlocks)
    // Thinking that was cut before what it was for.
    while (content.at(-1)?.type.endsWith('thinking')) content.pop()
    add('assistant', content)
    add(
      'user',
      turn.calls.map((call) => {
        const output = toolOutput(call, tools)
        return {
          type: 'tool_result',
          tool_use_id: toId(call.toolCallId),
          content: typeof output === 'string' ? output : toContent(output),
          is_error: call.state !== 'result' || undefined,
        }
      }),
    )
  }
  return sent
}

/** Ids and names of other providers may hold characters that are refused. */
const toId = (id: string): string => id.replace(/[^\w-]/g, '_')

/** Text without a visible character is refused. */
const toText = (text: string): Block[] => (/\S/.test(text) ? [{ type: 'text', text }] : [])

function toContent(parts: readonly Exclude<ModelOutput, string>[number][]): Block[] {
  return parts.flatMap((part) => (part.type === 'text' ? toText(part.text) : toFile(part)))
}

function toFile(part: Omit<FilePart, 'step'>): Block {
  const { mediaType: media_type, data, url, filename } = toFileSource(part)
  const isText = media_type.startsWith('text/')
  const source =
    data === undefined
      ? { type: 'url', url }
      : isText
        ? { type: 'text', media_type: 'text/plain', data: textOf(data) }
        : { type: 'base64', media_type, data }
  return media_type.startsWith('image/')
    ? { type: 'image', source }
    : { type: 'document', source, title: filename }
}

const textOf = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
