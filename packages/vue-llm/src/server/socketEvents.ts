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
