import {
  toolOutput,
  toToolDefinition,
  type ChatRequest,
  type FilePart,
  type TextPart,
} from '../core'
import { toTurns, type Turn } from './toTurns'

type Content = TextPart | FilePart

/** The body of a Chat Completions request. @internal */
export function toOpenAIBody(
  request: ChatRequest,
  maxTokensField: string,
  stream: boolean,
): Record<string, unknown> {
  const { model, tools, toolChoice, settings = {} } = request
  return {
    model,
    messages: toOpenAIMessages(request),
    stream,
    stream_options: stream ? { include_usage: true } : undefined,
    ...(tools.length && {
      tools: tools.map((tool) => ({ type: 'function', function: toToolDefinition(tool) })),
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
  }
}

function toOpenAIMessages({ system, messages, tools }: ChatRequest): object[] {
  const sent: object[] = system ? [{ role: 'system', content: system }] : []
  // Files in results go to the next user message: tool messages hold text only.
  let files: Content[] = []
  const sendUser = (parts: Content[] = []) => {
    const all = [...files, ...parts]
    files = []
    if (all.length) sent.push({ role: 'user', content: toContent(all) })
  }
  for (const turn of toTurns(messages, (part) => part.type === 'text')) {
    if (turn.role === 'user') {
      sendUser(turn.parts)
      continue
    }
    sendUser()
    sent.push(toAssistant(turn))
    for (const call of turn.calls) {
      let content = toolOutput(call, tools)
      if (typeof content !== 'string') {
        const { step } = call
        const parts = content.map((part): Content =>
          part.type === 'text' ? { ...part, step, state: 'done' } : { ...part, step },
        )
        const texts = parts.filter(isText)
        files.push(...parts.filter((part) => part.type === 'file'))
        content = joinTexts(texts) || 'The result follows as a file.'
      }
      sent.push({ role: 'tool', tool_call_id: call.toolCallId, content })
    }
  }
  sendUser()
  return sent
}

function toAssistant({ parts, calls }: Turn & { role: 'assistant' }): object {
  return {
    role: 'assistant',
    content: joinTexts(parts.filter(isText)) || null,
    ...(calls.length && {
      tool_calls: calls.map(({ toolCallId, toolName, args }) => ({
        id: toolCallId,
        type: 'function',
        function: { name: toolName, arguments: JSON.stringify(args) },
      })),
    }),
  }
}

function isText(part: { type: string }): part is TextPart {
  return part.type === 'text'
}

function joinTexts(parts: TextPart[]): string {
  return parts.map(({ text }) => text).join('\n\n')
}

function toContent(parts: Content[]): string | object[] {
  return parts.every(isText)
    ? joinTexts(parts)
    : parts.map((part) => (isText(part) ? { type: 'text', text: part.text } : toFile(part)))
}

function toFile({ mediaType, url, data, filename }: FilePart): object {
  const source = url ?? `data:${mediaType};base64,${data}`
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: source } }
  const format = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(mediaType)?.[1]
  if (format && data !== undefined) {
    return {
      type: 'input_audio',
      input_audio: { data, format: format === 'mpeg' ? 'mp3' : format },
    }
  }
  return { type: 'file', file: { filename: filename ?? 'file', file_data: source } }
}
