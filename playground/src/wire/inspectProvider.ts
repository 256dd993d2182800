import type { ChatRequest, Chunk, Message, Part, Provider } from 'vue-llm'
import type { WireLog } from './wireLog'

/** A provider whose chunks are recorded; while nothing is recorded it is out of the way. */
export function inspectProvider(log: WireLog, provider: Provider): Provider {
  async function* record(request: ChatRequest): AsyncGenerator<Chunk> {
    const group = log.nextGroup()
    for await (const chunk of provider.stream(request)) {
      // A copy: `runChat` may go on writing to what it is given.
      log.add('chunk', group, JSON.stringify(chunk), { ...chunk })
      yield chunk
    }
  }
  return {
    ...provider,
    stream: (request) => (log.isRecording.value ? record(request) : provider.stream(request)),
  }
}

/** Records what became of the message by a chunk. */
export function inspectPart(log: WireLog, chunk: Chunk, messages: readonly Message[]): void {
  if (!log.isRecording.value) return
  const message = messages.at(-1)
  const part = message?.parts.findLast(
    (one) =>
      !('toolCallId' in chunk) || (one.type === 'tool-call' && one.toolCallId === chunk.toolCallId),
  )
  const after =
    chunk.type === 'step-end'
      ? `round ${message?.steps.length ?? 0} closed: ${chunk.finishReason}`
      : part && describePart(part)
  log.add('part', 0, after ? `${chunk.type} → ${after}` : chunk.type)
}

function describePart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return `${part.type}, ${part.text.length} characters, ${part.state}`
    case 'tool-call':
      return `${part.toolName}(${part.argsText}), ${part.state}`
    default:
      return part.type
  }
}
