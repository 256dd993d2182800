import { applyChunk, isDelta, joinDelta, type Chunk, type Message } from '../core'

/** Writes chunks to reactive messages, no more often than a person can see. */
export interface FrameWriter {
  /** Applies a chunk; deltas after the first wait for the next frame, anything else is applied at once, in order. */
  write(message: Message, chunk: Chunk): void
  /** Applies what waits. */
  flush(): void
  /** Gives way to the page where its next frame is overdue, as a burst is read in one go otherwise. */
  giveWay(): Promise<void> | undefined
}

/** How long what is seen may lag where no frame comes, in a hidden tab, or where there is too much to do: milliseconds. */
const behindMs = 100

/** How long a page may be kept waiting; a task of 50 ms is a long one to browsers: milliseconds. */
const longestMs = 32

/** Calls back at the next frame, or after a timer where no frame comes. */
function nextFrame(callback: () => void): void {
  const once = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    callback()
  }
  const timer = setTimeout(once, behindMs)
  const frame = requestAnimationFrame(once)
}

/** Resolves once what else waits in the page has had its turn. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    // A message rather than a timer, which browsers hold back.
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(0)
  })

/**
 * A writer that applies the first delta after a pause at once and joins later ones until the next frame, so that a
 * burst of deltas costs one render a frame. Outside browsers every chunk is applied at once.
 *
 * @param throttleMs milliseconds between two writes; `0` writes every chunk at once; default: one frame
 */
export function createFrameWriter(throttleMs: () => number | undefined): FrameWriter {
  const waiting: { message: Message; chunk: Chunk }[] = []
  let scheduled = false
  let writing = false
  let since = 0
  /** Whether the page was kept waiting since the last write. */
  let isBehind = false

  const flush = () => {
    // A sync watcher may write again: its chunk waits until this one is written whole.
    if (writing) return
    writing = true
    try {
      for (let next; (next = waiting.shift());) applyChunk(next.message, next.chunk)
    } finally {
      writing = false
    }
  }
  const schedule = (ms: number | undefined) => {
    scheduled = true
    since = Date.now()
    const tick = () => {
      scheduled = isBehind = false
      if (!waiting.length) return
      flush()
      schedule(ms)
    }
    // Drawing a long text at each frame would make it later still.
    if (ms === undefined) nextFrame(() => (isBehind ? setTimeout(tick, behindMs) : tick()))
    else setTimeout(tick, ms)
  }

  return {
    flush,
    giveWay() {
      // Not `performance.now()`, which costs more than a delta does. The pages of Jest have no channels.
      if (!scheduled || Date.now() - since < longestMs || !globalThis.MessageChannel) return
      since = Infinity
      isBehind = true
      return nextTask().then(() => void (since = Date.now()))
    },
    write(message, chunk) {
      const ms = throttleMs()
      const last = waiting.at(-1)
      const isLate =
        isDelta(chunk) && (ms ?? (typeof requestAnimationFrame === 'function' ? 1 : 0)) > 0
      if (isLate && scheduled && last?.message === message && joinDelta(last.chunk, chunk)) return
      // A copy: later deltas are joined to it.
      waiting.push({ message, chunk: { ...chunk } })
      if (isLate && scheduled) return
      flush()
      if (isLate) schedule(ms)
    },
  }
}
