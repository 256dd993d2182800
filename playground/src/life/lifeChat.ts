import { ref, watch } from 'vue'
import { provideChat, useChat, type Chunk, type ToolCallPart } from 'vue-llm'
import { createProvider } from '../provider'
import { demo } from '../settings'
import { tools } from '../tools'
import { inspectPart } from '../wire/inspectProvider'
import { wireLog } from '../wire/wireLog'

/** A state that a call came to. */
export interface LifeEvent {
  toolCallId: string
  toolName: string
  state: string
  /** Milliseconds since the first one. */
  at: number
  /** The chunk that moved the call; missing where a person did. */
  by?: Chunk['type']
}

/** A chat, and the states that its calls went through. */
export function useLifeChat() {
  const events = ref<LifeEvent[]>([])
  let start = 0

  // #region source
  const chat = useChat({
    provider: createProvider(demo),
    model: demo.model,
    tools,
    // One round of calls runs; those of the next one close as `limit`.
    maxToolRoundtrips: 1,
    // Told once the chunk was applied.
    onChunk(chunk) {
      inspectPart(wireLog, chunk, chat.messages.value)
      if (!('toolCallId' in chunk)) return
      const last = events.value.findLast(({ toolCallId }) => toolCallId === chunk.toolCallId)
      if (last) last.by ??= chunk.type
    },
  })

  const calls = () =>
    chat.messages.value.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [{ part, state: stateOf(part) }] : [])),
    )
  // Sync: a call may go through two states in one tick.
  watch(calls, (all) => all.forEach(note), { flush: 'sync' })

  function note({ part: { toolCallId, toolName }, state }: ReturnType<typeof calls>[number]): void {
    const last = events.value.findLast((event) => event.toolCallId === toolCallId)
    if (last?.state === state) return
    if (!events.value.length) start = Date.now()
    events.value.push({ toolCallId, toolName, state, at: Date.now() - start })
  }
  // #endregion

  return { chat: provideChat(chat), events, forget: () => void (events.value = []) }
}

/** Its state, and what else is to be known of it. */
function stateOf({ state, errorCode, approval }: ToolCallPart): string {
  const more = errorCode ?? (state === 'pending' ? approval?.state : undefined)
  return more ? `${state}, ${more}` : state
}
