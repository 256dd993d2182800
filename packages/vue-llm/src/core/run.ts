import { applyChunk } from './applyChunk'
import { callsOf, closingChunk, isOpenCall, startsByItself } from './calls'
import { createMessage } from './message'
import { defined } from './plain'
import type { RunChatOptions } from './runChat'
import type { AnyTool, Chunk, Message, ToolCallPart } from './types'

/** State of one run, shared by its parts. @internal */
export interface Run {
  readonly options: RunChatOptions
  /** The assistant message that the run writes to. */
  message: Message
  /** Whether `message` is in the transcript yet. */
  joined: boolean
  /** Whether a model round still needs its `step-end`. */
  open: boolean
  /** After an abort: nothing is written any more. */
  closed: boolean
  /** The tools of the last request. */
  tools?: readonly AnyTool[] | undefined
  readonly running: Map<ToolCallPart, AbortController>
  /** Applied chunks that were not yielded yet; taken out one by one, as `yield*` would cost three promises more. */
  outbox: Chunk[]
  /** Lets what waits go on when the run closes. */
  release?: () => void
  /** Applies a chunk; with `join` a message that is not in the transcript yet joins it first. */
  write(chunk: Chunk, join?: boolean): void
}

/** A run that goes on with the last message where that is the assistant's. @internal */
export function createRun(options: RunChatOptions): Run {
  const { messages, generateId, apply = applyChunk, running = new Map() } = options
  const last = messages.at(-1)
  const joined = last?.role === 'assistant'
  const run: Run = {
    options,
    message: joined ? last : createMessage('assistant', defined({ id: generateId?.() }) as object),
    joined,
    open: false,
    closed: false,
    running,
    outbox: [],
    write(chunk, join) {
      if (run.closed) return
      if (join && !run.joined) {
        run.joined = true
        // Read back: in a reactive list it is the proxy that must be written to.
        run.message = messages[messages.push(run.message) - 1] as Message
        // Whoever watches the list may have stopped the run, which has closed the round.
        if (run.closed) return
      }
      // Before it is applied: whoever is told of it may stop the run, which must not close the round again.
      if (chunk.type === 'step-end') run.open = false
      apply(run.message, chunk)
      if (!options.afterChunk) run.outbox.push(chunk)
    },
  }
  return run
}

/** Waits for a promise, or for the close of the run: then `undefined`. @internal */
export function untilClosed<T>(run: Run, promise: Promise<T>): Promise<T | undefined> {
  // One slot rather than Promise.race: a race would leave a reaction on a long-lived promise for each chunk.
  return new Promise((resolve, reject) => {
    run.release = resolve as () => void
    promise.then(resolve, reject)
    if (run.closed) run.release()
  })
}

/** Closes what is open, in the tick of the abort. @internal */
export function closeRun(run: Run, reason: unknown): void {
  const { interrupted } = run.options
  const tools = run.tools ?? run.options.tools ?? []
  for (const call of run.joined ? callsOf(run.message).filter(isOpenCall) : []) {
    if (!interrupted) run.write(closingChunk(call.toolCallId, 'stopped'))
    else if (call.state === 'running' || startsByItself(call, tools)) {
      run.write(closingChunk(call.toolCallId, 'interrupted'))
    }
  }
  if (run.open) run.write({ type: 'step-end', finishReason: 'stopped' })
  run.closed = true
  for (const controller of run.running.values()) controller.abort(reason)
  run.running.clear()
  run.release?.()
}
