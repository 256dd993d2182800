import { callsOf, type Chunk, type Message } from '../core'

/**
 * What a server says over a socket: the events of the guide (§8), one JSON object a frame. `id` and `tool_result` are
 * added to them, so that a client can show what came of a call.
 */
export type SocketEvent =
  /** A tool starts to run. */
  | { type: 'tool_call'; name: string; arguments: Readonly<Record<string, unknown>>; id: string }
  | { type: 'tool_result'; id: string; name: string; result: unknown }
  | { type: 'tool_result'; id: string; name: string; error: string }
  | { type: 'assistant_delta'; text: string }
  /** Something failed: a turn, before its `assistant_end`; or, `refused`, a frame that begins no turn. */
  | { type: 'error'; message: string; refused?: true }
  /** The turn is over; exactly once for each `user_text`. */
  | { type: 'assistant_end' }

/** What a client says over a socket. */
export interface SocketMessage {
  type: 'user_text'
  text: string
}

/**
 * The event that tells of a chunk, or `undefined` where the guide has none: calls are told of once they run, never
 * while their arguments stream (guide §9). `message` is the one that the chunk was applied to.
 */
export function toSocketEvent(chunk: Chunk, message: Message | undefined): SocketEvent | undefined {
  const find = (id: string) => callsOf(message).find(({ toolCallId }) => toolCallId === id)
  switch (chunk.type) {
    case 'text-delta':
      return chunk.text ? { type: 'assistant_delta', text: chunk.text } : undefined
    case 'tool-start': {
      const call = find(chunk.toolCallId)
      return (
        call && {
          type: 'tool_call',
          name: call.toolName,
          arguments: call.args,
          id: call.toolCallId,
        }
      )
    }
    case 'tool-result':
    case 'tool-error': {
      const { toolCallId: id } = chunk
      const name = find(id)?.toolName ?? ''
      const outcome =
        chunk.type === 'tool-result' ? { result: chunk.result } : { error: chunk.error }
      return { type: 'tool_result', id, name, ...outcome } as SocketEvent
    }
    case 'error':
      return { type: 'error', message: chunk.message }
    default:
      return undefined
  }
}

/**
 * The events of one turn, chunk by chunk: those of {@link toSocketEvent}, and what depends on the ones before. A call
 * that could not run (an unknown tool, arguments that do not fit) is told of together with what is wrong; one that was
 * not to run is not told of. An answer that was cut has an error, too.
 * @internal
 */
export function createTurnEvents(): (chunk: Chunk, message: Message | undefined) => SocketEvent[] {
  const told = new Set<string>()
  let isFailed = false
  return (chunk, message) => {
    const event = toSocketEvent(chunk, message)
    if (chunk.type === 'error') isFailed = true
    if (chunk.type === 'tool-start') told.add(chunk.toolCallId)
    if (chunk.type === 'step-end' && chunk.error && !isFailed) {
      return [{ type: 'error', message: chunk.error.message }]
    }
    if (chunk.type !== 'tool-error' || told.has(chunk.toolCallId)) return event ? [event] : []
    if (!/^(unknown-tool|invalid-args)$/.test(chunk.errorCode ?? '')) return []
    const start = toSocketEvent({ type: 'tool-start', toolCallId: chunk.toolCallId }, message)
    return [start, event].filter((one) => one !== undefined)
  }
}
