import {
  toolOutput,
  toToolDefinition,
  type ChatRequest,
  type ChatSettings,
  type ModelOutput,
  type Part,
} from '../core'
import { toFileSource } from './fileSource'
import { toTurns } from './toTurns'

/** The body of an Ollama chat, with `request.body` in it, whose `options` are merged with those of the settings. @internal */
export function toOllamaBody(request: ChatRequest, stream: boolean): Record<string, unknown> {
  const { model, settings = {}, body = {} } = request
  const { stop, responseFormat } = settings
  const tools = toTools(request)
  return {
    model,
    messages: toMessages(request),
    stream,
    tools: tools.length ? tools : undefined,
    think: toThink(settings),
    format: responseFormat && (responseFormat.schema ?? 'json'),
    ...body,
    // Empty where no setting is: the server reads it as none.
    options: {
      temperature: settings.temperature,
      top_p: settings.topP,
      top_k: settings.topK,
      num_predict: settings.maxTokens,
      // Ollama takes a list only.
      stop: typeof stop === 'string' ? [stop] : stop,
      seed: settings.seed,
      presence_penalty: settings.presencePenalty,
      frequency_penalty: settings.frequencyPenalty,
      ...(body.options as object | undefined),
    },
  }
}

function toThink({ reasoningEffort }: ChatSettings): unknown {
  return reasoningEffort === 'none' ? false : reasoningEffort === 'true' || reasoningEffort
}

/** There is no `tool_choice`: a tool that must be called is at least the only one. */
function toTools({ tools, toolChoice }: ChatRequest): object[] {
  return tools
    .filter(({ name }) =>
      typeof toolChoice === 'object' ? name === toolChoice.name : toolChoice !== 'none',
    )
    .map((tool) => ({ type: 'function', function: toToolDefinition(tool) }))
}

function toMessages({ system, messages, tools }: ChatRequest): object[] {
  const sent: object[] = system ? [{ role: 'system', content: system }] : []
  for (const turn of toTurns(messages, ({ type }) => type === 'text' || type === 'reasoning')) {
    const { role, parts } = turn
    if (turn.role === 'user') {
      sent.push({ role, ...toContent(turn.parts) })
      continue
    }
    const { calls } = turn
    const content = textOf(parts, 'text')
    // Reasoning alone is no message.
    if (!content && !calls.length) continue
    sent.push({
      role,
      content,
      thinking: textOf(parts, 'reasoning') || undefined,
      tool_calls: calls.length
        ? calls.map(({ toolCallId: id, toolName: name, args }) => ({
            id,
            function: { name, arguments: args },
          }))
        : undefined,
    })
    for (const call of calls) {
      const output = toolOutput(call, tools)
      sent.push({
        role: 'tool',
        tool_name: call.toolName,
        // Newer servers tell two results of one tool apart by it; others read past it.
        tool_call_id: call.toolCallId,
        ...(typeof output === 'string' ? { content: output } : toContent(output)),
      })
    }
  }
  return sent
}

const textOf = (parts: readonly Part[], type: 'text' | 'reasoning'): string =>
  parts.flatMap((part) => (part.type === type ? part.text : [])).join('\n\n')

/** Text and images; Ollama takes no other files and opens no URL, so that of those the model reads the name. */
function toContent(parts: Exclude<ModelOutput, string>): object {
  const images: string[] = []
  const texts = parts.flatMap((part) => {
    if (part.type === 'text') return part.text
    const { mediaType, data, url, filename } = toFileSource(part)
    if (!data || !mediaType.startsWith('image/')) {
      return filename ?? ((!data && url) || mediaType)
    }
    images.push(data)
    return []
  })
  return { content: texts.join('\n\n'), images: images.length ? images : undefined }
}
