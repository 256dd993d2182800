import { callsOf, closingChunk, countToolRounds, isApproved, isOpenCall } from './calls'
import { errorText } from './errors'
import { defaultMaxToolRoundtrips } from './nextStep'
import { drain, type Run } from './run'
import { resultText } from './toolOutput'
import type { AnyTool, Chunk, ToolCallPart } from './types'
import { validateArgs } from './validateArgs'

/** How many calls run side by side. */
const maxParallel = 8

/**
 * @internal Runs what can run: approved calls, and with `fresh` the calls of the round just read. Ends once all of
 * them have an outcome or wait for a person.
 */
export async function* runCalls(run: Run, fresh: boolean): AsyncGenerator<Chunk, void> {
  const { options } = run
  if (!run.joined) return
  const pending = callsOf(run.message).filter(
    (call) => call.state === 'pending' && !call.providerExecuted,
  )
  const { maxToolRoundtrips = defaultMaxToolRoundtrips } = options.limits ?? {}
  if (fresh && countToolRounds(options.messages) > maxToolRoundtrips) {
    for (const call of pending) run.write(closingChunk(call.toolCallId, 'limit'))
    yield* drain(run)
    return
  }
  const queue = fresh ? pending : []
  const busy = new Set<ToolCallPart>()
  let dirty = false
  let resume = () => {}
  const wake = () => {
    dirty = true
    resume()
  }
  const start = () => {
    for (const call of callsOf(run.message)) {
      if (isApproved(call) && !call.providerExecuted && !busy.has(call) && !queue.includes(call)) {
        queue.push(call)
      }
    }
    while (queue.length && busy.size < maxParallel) {
      const call = queue.shift()
      if (call?.state !== 'pending') continue
      busy.add(call)
      void runCall(run, call, wake).then(() => {
        busy.delete(call)
        wake()
      })
    }
  }
  options.onWake?.(wake)
  for (;;) {
    start()
    yield* drain(run)
    if (run.closed || (!busy.size && !dirty)) return
    if (!dirty) await new Promise<void>((resolve) => (resume = run.release = resolve))
    dirty = false
  }
}

/** One call from `pending` to where it can get by itself. Never rejects. */
async function runCall(run: Run, call: ToolCallPart, changed: () => void): Promise<void> {
  const { options } = run
  const { toolCallId, toolName } = call
  const tool = (run.tools ?? options.tools)?.find(({ name }) => name === toolName)
  const write = (chunk: Chunk) => {
    if (run.closed || !isOpenCall(call)) return
    run.write(chunk)
    changed()
  }
  try {
    const { args } = call
    const valid = tool ? await validateArgs(tool, args, options.validator) : { args }
    if ('error' in valid) {
      write({ type: 'tool-error', toolCallId, error: valid.error, errorCode: 'invalid-args' })
    } else if (!call.approval && (await needsApproval(tool, valid.args))) {
      write({ type: 'tool-approval-request', toolCallId })
    } else if (tool?.execute || options.onToolCall) {
      if (call.state === 'pending') await execute(run, call, tool, valid.args, write)
    } else decline(run, call, tool, write)
  } catch (error) {
    write({ type: 'tool-error', toolCallId, error: errorText(error) })
  }
}

async function needsApproval(tool: AnyTool | undefined, args: unknown): Promise<boolean> {
  const needs = tool?.needsApproval
  return typeof needs === 'function' ? needs(args as never) : !!needs
}

/** Nobody here runs the call: it waits for a person, or it is not known at all. */
function decline(
  run: Run,
  call: ToolCallPart,
  tool: AnyTool | undefined,
  write: (chunk: Chunk) => void,
): void {
  const { toolCallId, toolName } = call
  if (tool || run.options.provider.remote) {
    if (call.state === 'running' || call.approval) write({ type: 'tool-wait', toolCallId })
  } else {
    const error = `unknown tool '${toolName}'`
    write({ type: 'tool-error', toolCallId, error, errorCode: 'unknown-tool' })
  }
}

async function execute(
  run: Run,
  part: ToolCallPart,
  tool: AnyTool | undefined,
  args: Readonly<Record<string, unknown>>,
  write: (chunk: Chunk) => void,
): Promise<void> {
  const { messages, context, onToolCall } = run.options
  const { toolCallId, toolName } = part
  const timeoutMs = tool?.execute && tool.timeoutMs
  const controller = new AbortController()
  const { signal } = controller
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const progress = (value: unknown) => write({ type: 'tool-progress', toolCallId, progress: value })
  const expire = () => {
    const error = `no result within ${timeoutMs} ms`
    write({ type: 'tool-error', toolCallId, error, errorCode: 'timeout' })
    controller.abort(new DOMException(error, 'TimeoutError'))
  }
  const call = async () =>
    tool?.execute
      ? tool.execute(args as never, { signal, toolCallId, messages, context, progress })
      : onToolCall?.({ toolName, toolCallId, args, signal })
  run.running.set(part, controller)
  write({ type: 'tool-start', toolCallId })
  const timer = timeoutMs ? setTimeout(expire, timeoutMs) : undefined
  try {
    // A call that was answered, stopped or is over its time is not waited for.
    const result = await Promise.race([call(), ended])
    if (result === undefined && !tool?.execute) return decline(run, part, tool, write)
    resultText(result)
    write({ type: 'tool-result', toolCallId, result: result ?? null })
  } finally {
    clearTimeout(timer)
    run.running.delete(part)
  }
}
