import { ref, shallowRef, triggerRef } from 'vue'

/** What is recorded, from the outside in. */
export const wireKinds = ['request', 'bytes', 'event', 'chunk', 'part'] as const

/** What an entry is about. */
export type WireKind = (typeof wireKinds)[number]

/** One thing that happened on the way from the network to the page. */
export interface WireEntry {
  readonly id: number
  /** Milliseconds since the first entry. */
  readonly at: number
  readonly kind: WireKind
  /** What belongs together: a request of `fetch` and its answer, or the chunks of one `stream()`. */
  readonly group: number
  /** For a person. */
  readonly text: string
  /** For a fixture: the data of an event, a chunk, or the status of an answer. */
  readonly value?: unknown
}

/** A recorder; what it holds is bounded. */
export type WireLog = ReturnType<typeof createWireLog>

/** How many entries are kept, and how many characters they may hold together. */
const maxEntries = 2_000
const maxChars = 4_000_000

const charsOf = ({ text, value }: WireEntry) =>
  text.length + (typeof value === 'string' ? value.length : 0)

/** Records while it is told to; of what it holds the oldest goes first. */
export function createWireLog({ now = () => performance.now() } = {}) {
  const entries = shallowRef<WireEntry[]>([])
  const isRecording = ref(false)
  let count = 0
  let groups = 0
  let chars = 0
  let start = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  // Told once for all that comes together: drawing must not slow the chat.
  function tell(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      triggerRef(entries)
    }, 50)
  }

  function add(kind: WireKind, group: number, text: string, value?: unknown): void {
    if (!isRecording.value) return
    const list = entries.value
    if (!list.length) start = now()
    const entry = { id: count++, at: now() - start, kind, group, text, value }
    list.push(entry)
    chars += charsOf(entry)
    while (list.length > maxEntries || (chars > maxChars && list.length > 1)) {
      const gone = list.shift()
      if (gone) chars -= charsOf(gone)
    }
    tell()
  }

  function clear(): void {
    entries.value = []
    chars = 0
  }

  return { entries, isRecording, add, clear, nextGroup: () => ++groups }
}

/** What the wire panel shows. */
export const wireLog = createWireLog()
