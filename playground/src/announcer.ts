import { onScopeDispose, ref } from 'vue'
import type { Chunk, FinishEvent } from 'vue-llm'

/** How often a screen reader is told of new text: milliseconds. */
const paceMs = 2500
/** Lines kept for a screen reader to go back to. */
const kept = 30

/**
 * What a screen reader hears of the chat. A growing text would interrupt itself with each word, so it comes as whole
 * sentences, every few seconds; what needs a person comes at once.
 */
export function useAnnouncer() {
  const lines = ref<{ id: number; text: string }[]>([])
  const names = new Map<string, string>()
  let waiting = ''
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function say(text: string): void {
    if (!text.trim()) return
    lines.value = [...lines.value, { id: count++, text: text.trim() }].slice(-kept)
  }
  function sayWaiting(): void {
    clearTimeout(timer)
    timer = undefined
    say(waiting)
    waiting = ''
  }
  function saySentences(): void {
    timer = undefined
    const end = Math.max(...['. ', '! ', '? ', '\n'].map((mark) => waiting.lastIndexOf(mark))) + 1
    say(waiting.slice(0, end))
    waiting = waiting.slice(end)
    if (waiting) timer = setTimeout(saySentences, paceMs)
  }
  onScopeDispose(() => clearTimeout(timer))

  const hear = (chunk: Chunk): void => {
    switch (chunk.type) {
      case 'text-delta':
        waiting += chunk.text.replace(/[*_`#|]/g, '')
        timer ??= setTimeout(saySentences, paceMs)
        break
      case 'tool-call-start':
        names.set(chunk.toolCallId, chunk.toolName)
        break
      case 'tool-approval-request':
        sayWaiting()
        say(`${names.get(chunk.toolCallId)} needs your approval.`)
        break
      case 'tool-start':
        say(`${names.get(chunk.toolCallId)} is running.`)
        break
      case 'tool-error':
        say(`${names.get(chunk.toolCallId)} failed: ${chunk.error}.`)
        break
      default:
    }
  }

  const finish = ({ isAbort, message }: Pick<FinishEvent, 'isAbort' | 'message'>): void => {
    sayWaiting()
    if (isAbort) return say('Stopped.')
    const asked = message?.parts.filter(
      (part) => part.type === 'tool-call' && part.state === 'pending' && !part.approval,
    )
    for (const part of asked ?? []) {
      if (part.type === 'tool-call') say(`${part.toolName} waits for your answer.`)
    }
  }

  return { lines, hear, finish }
}
