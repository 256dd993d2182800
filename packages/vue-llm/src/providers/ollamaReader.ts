import { setUsage } from './setUsage'
import type { Round, StreamReader } from './types'

/** One line of an answer; any field may be absent, `null` or of another type. */
interface WireEvent {
  message?: {
    content?: unknown
    thinking?: unknown
    tool_calls?: ({ id?: string; function?: WireFunction | null } | null)[] | null
  } | null
  done?: boolean
  done_reason?: string
  prompt_eval_count?: number
  eval_count?: number
}

interface WireFunction {
  name?: string
  /** An object; some proxies send it as text. */
  arguments?: unknown
}

/** Reads the lines of an Ollama chat, or its one answer. @internal */
export function createOllamaReader(round: Round): StreamReader {
  const { emit } = round
  const calls: string[] = []

  function emitText(type: 'text-delta' | 'reasoning-delta', text: unknown): void {
    if (text && typeof text === 'string') emit({ type, text })
  }

  return {
    event({ message, done, done_reason, prompt_eval_count, eval_count }: WireEvent) {
      emitText('reasoning-delta', message?.thinking)
      emitText('text-delta', message?.content)
      // Each call comes whole, but ends with the round only: what is cut must not run.
      for (const call of message?.tool_calls ?? []) {
        const { name, arguments: args } = call?.function ?? {}
        const toolCallId = round.callId(call?.id)
        calls.push(toolCallId)
        emit({ type: 'tool-call-start', toolCallId, toolName: `${name || 'unknown'}` })
        const argsText = typeof args === 'string' ? args : JSON.stringify(args ?? {})
        emit({ type: 'tool-call-delta', toolCallId, argsText })
      }
      if (!done) return
      round.done = true
      if (done_reason) round.rawFinishReason = `${done_reason}`
      round.finishReason =
        done_reason === 'length' ? 'length' : calls.length ? 'tool-calls' : 'stop'
      setUsage(round, prompt_eval_count, eval_count)
    },
    end(whole) {
      if (whole) for (const toolCallId of calls) emit({ type: 'tool-call-end', toolCallId })
    },
  }
}
