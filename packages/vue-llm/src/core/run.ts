import { applyChunk } from './applyChunk'
import { callsOf, closingChunk, isOpenCall } from './calls'
import { createMessage } from './message'
import type { RunChatOptions } from './runChat'
import type { AnyTool, Chunk, Message, ToolCallPart } from './types'

/** @internal State of one run, shared by its parts. */
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
  /** Aborts with the run; handed to the provider. */
  readonly signal: AbortSignal
  /** The tools of the last request. */
  tools: readonly AnyTool[] | undefined
  readonly running: Map<ToolCallPart, AbortController>
  /** Applied chunks that were not yielded yet. */
  outbox: Chunk[]
  /** Lets what waits go on when the run closes. */
  release: (() => void) | undefined
  /** Applies a chunk; with `join` a message that is not in the transcript yet joins it first. */
  write(chunk: Chunk, join?: boolean): void
}

/** @internal */
export function createRun(options: RunChatOptions, signal: AbortSignal): Run {
  const { messages, generateId, apply = applyChunk } = options
  const last = messages.at(-1)
  const joined = last?.role === 'assistant'
  const id = generateId?.()
  const run: Run = {
    options,
    message: joined ? last : createMessage('assistant', id === undefined ? {} : { id }),
    joined,
    open: false,
    closed: false,
    signal,
    tools: undefined,
    running: options.running ?? new Map(),
    outbox: [],
    release: undefined,
    write(chunk, join) {
      if (run.closed) return
      if (join && !run.joined) {
        run.joined = true
        const length = messages.push(run.message)
        // Read back: in a reactive list it is the proxy that must be written to.
        run.message = messages[length - 1] ?? run.message
      }
      apply(run.message, chunk)
      run.outbox.push(chunk)
    },
  }
  return run
}

/** @internal Yields what was applied since the last time. */
export function* drain(run: Run): Generator<Chunk> {
  while (run.outbox.length) {
    const chunks = run.outbox
    run.outbox = []
    yield* chunks
  }
}

/** @internal Waits for a promise, or for the close of the run: then `undefined`. */
export function untilClosed<T>(run: Run, promise: Promise<T>): Promise<T | undefined> {
  // One slot rather than Promise.race: a race would leave a reaction on a long-lived promise for each chunk.
  return new Promise((resolve, reject) => {
    run.release = () => resolve(undefined)
    promise.then(resolve, reject)
    if (run.closed) resolve(undefined)
  })
}

/** @internal Closes what is open, in the tick of the abort. */
export function closeRun(run: Run, reason: unknown): void {
  if (run.joined) {
    for (const call of callsOf(run.message)) {
      const code = closingCode(run, call)
      if (code) run.write(closingChunk(call.toolCallId, code))
    }
  }
  if (run.open) run.write({ type: 'step-end', finishReason: 'stopped' })
  run.closed = true
  for (const controller of run.running.values()) controller.abort(reason)
  run.running.clear()
  run.release?.()
}

function closingCode(run: Run, call: ToolCallPart): 'stopped' | 'interrupted' | undefined {
  if (!isOpenCall(call)) return undefined
  if (!run.options.interrupted) return 'stopped'
  return call.state === 'running' || startsByItself(run, call) ? 'interrupted' : undefined
}

function startsByItself(run: Run, call: ToolCallPart): boolean {
  if (call.state !== 'pending' || call.providerExecuted) return false
  if (call.approval) return call.approval.state === 'approved'
  return !!run.options.tools?.some((tool) => tool.name === call.toolName && tool.execute)
}
