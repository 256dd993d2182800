import {
  toolOutput,
  toToolDefinition,
  type ChatRequest,
  type ModelOutput,
  type ToolCallPart,
} from '../core'
import type { OpenAIOwnOptions } from './openai'
import { openaiKey, toReasoning } from './openaiReasoning'
import { toTurns } from './toTurns'

type Content = Exclude<ModelOutput, string>[number]

/** The body of a Chat Completions request. @internal */
export function toOpenAIBody(
  request: ChatRequest,
  options: OpenAIOwnOptions,
  stream: boolean,
): Record<string, unknown> {
  const { model, tools, toolChoice = 'auto', settings = {} } = request
  const { maxTokensField = 'max_tokens', strictTools: strict, structuredOutput } = options
  const { responseFormat } = settings
  const { schema, name = 'answer' } = responseFormat ?? {}
  return {
    model,
    messages: toOpenAIMessages(request, options),
    stream,
    stream_options: stream ? { include_usage: true } : undefined,
    ...(tools.length && {
      tools: tools.map((tool) => ({
        type: 'function',
        function: { ...toToolDefinition(tool), strict },
      })),
      // Said even where it is `auto` (guide §1).
      tool_choice:
        typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice,
      parallel_tool_calls: settings.parallelToolCalls,
    }),
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    [maxTokensField]: settings.maxTokens,
    stop: settings.stop,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    reasoning_effort: settings.reasoningEffort,
    // Strict schemas may not have optional fields or open objects: only where the options say so.
    response_format:
      responseFormat && structuredOutput !== false
        ? schema
          ? { type: 'json_schema', json_schema: { name, schema, strict } }
          : { type: 'json_object' }
        : undefined,
  }
}

function toOpenAIMessages(
  { system, messages, tools }: ChatRequest,
  { systemRole: role = 'system' }: OpenAIOwnOptions,
): object[] {
  // A string: not every server takes a list here.
  const sent: object[] = system ? [{ role, content: system }] : []
  let user: Content[] = []
  const sendUser = () => {
    if (user.length) sent.push({ role: 'user', content: toContent(user) })
    user = []
  }
  const turns = toTurns(
    messages,
    ({ type, providerMetadata }) =>
      type === 'text' || (type === 'reasoning' && !!providerMetadata?.[openaiKey]),
  )
  const lastUser = turns.findLastIndex((turn) => turn.role === 'user')
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'user') {
      user.push(...turn.parts)
      continue
    }
    const { parts, calls } = turn
    const text = textOf(parts)
    // Reasoning alone is no message.
    if (!text && !calls.length) continue
    sendUser()
    sent.push({
      role: 'assistant',
      content: text || null,
      ...toReasoning(parts, index > lastUser && !!calls.length),
      ...(calls.length && { tool_calls: calls.map(toWireCall) }),
    })
    for (const call of calls) {
      let content = toolOutput(call, tools)
      if (typeof content !== 'string') {
        // Tool messages hold text only: files go to the next user message.
        user.push(...content.filter(({ type }) => type === 'file'))
        content = textOf(content) || 'see the files that follow'
      }
      // No `name`, which was of the older functions: the id tells the call.
      sent.push({ role: 'tool', tool_call_id: call.toolCallId, content })
    }
  }
  sendUser()
  return sent
}

function toWireCall(call: ToolCallPart): object {
  const { toolCallId: id, toolName: name, args, providerMetadata } = call
  const { extra_content } = Object(providerMetadata?.[openaiKey])
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    extra_content,
  }
}

function textOf(parts: readonly { type: string; text?: string }[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' ? text : [])).join('\n\n')
}

function toContent(content: Content[]): string | object[] {
  if (content.every(({ type }) => type === 'text')) return textOf(content)
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { mediaType, data, url = `data:${mediaType};base64,${data}`, filename = 'file' } = part
    if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
    const format = /^audio\/(wav|mp3|mpeg)$/.exec(mediaType)?.[1]?.replace('mpeg', 'mp3')
    return format && data
      ? { type: 'input_audio', input_audio: { data, format } }
      : { type: 'file', file: { filename, file_data: url } }
  })
}
