import { callsOf, closingChunk, isApproved, isOpenCall } from './calls'
import { errorText } from './errors'
import { isOverLimit } from './nextStep'
import type { Run } from './run'
import { resultText } from './toolOutput'
import type { Chunk, ToolCallPart } from './types'
import { validateArgs } from './validateArgs'

/** How many calls run side by side. */
const maxParallel = 8

/**
 * Runs what can run: approved calls, and with `fresh` the calls of the round just read. Ends once all of
 * them have an outcome or wait for a person.
 * @internal
 */
export async function* runCalls(run: Run, fresh: boolean): AsyncGenerator<Chunk, void> {
  const { options, message } = run
  if (!run.joined) return
  const todo = new Set<ToolCallPart>()
  const busy = new Set<ToolCallPart>()
  const isTooMany = fresh && isOverLimit(options.messages, options.limits)
  for (const call of fresh ? callsOf(message) : []) {
    if (call.state !== 'pending' || call.providerExecuted) continue
    if (isTooMany) run.write(closingChunk(call.toolCallId, 'limit'))
    else if (!call.approval) todo.add(call)
  }
  let dirty = false
  let resume = () => {}
  const wake = () => {
    dirty = true
    resume()
  }
  options.onWake?.(wake)
  for (;;) {
    for (const call of run.closed ? [] : callsOf(message)) {
      if ((!todo.has(call) && !isApproved(call)) || busy.has(call) || busy.size >= maxParallel) {
        continue
      }
      todo.delete(call)
      busy.add(call)
      void runCall(run, call, wake).then(() => {
        busy.delete(call)
        wake()
      })
    }
    for (let chunk; (chunk = run.outbox.shift());) yield chunk
    if (run.closed || (!busy.size && !dirty)) return
    if (!dirty) await new Promise<void>((resolve) => (resume = run.release = resolve))
    dirty = false
  }
}

/** One call from `pending` to where it can get by itself. Never rejects. */
// long: the life of one call, in order
async function runCall(run: Run, call: ToolCallPart, changed: () => void): Promise<void> {
  const { messages, context, validator, onToolCall, provider, tools } = run.options
  const { toolCallId, toolName, args } = call
  const tool = (run.tools ?? tools)?.find(({ name }) => name === toolName)
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (chunk: Chunk) => {
    if (run.closed || !isOpenCall(call)) return
    run.write(chunk)
    changed()
  }
  const progress = (value: unknown) => write({ type: 'tool-progress', toolCallId, progress: value })
  const execute = async (input: Readonly<Record<string, unknown>>) =>
    tool?.execute
      ? tool.execute(input as never, { signal, toolCallId, messages, context, progress })
      : onToolCall?.({ toolName, toolCallId, args: input, signal })
  try {
    const valid = tool ? await validateArgs(tool, args, validator) : { args }
    if ('error' in valid) {
      return write({
        type: 'tool-error',
        toolCallId,
        error: valid.error,
        errorCode: 'invalid-args',
      })
    }
    const needs = tool?.needsApproval
    const asks = typeof needs === 'function' ? await needs(valid.args as never) : needs
    if (asks && !call.approval) return write({ type: 'tool-approval-request', toolCallId })
    // It may have been answered meanwhile, or the run have ended.
    if (run.closed || call.state !== 'pending') return
    let result: unknown
    if (tool?.execute || onToolCall) {
      run.running.set(call, controller)
      write({ type: 'tool-start', toolCallId })
      if (signal.aborted) return
      const { timeoutMs } = tool ?? {}
      const expire = () => {
        const error = `no result within ${timeoutMs} ms`
        write({ type: 'tool-error', toolCallId, error, errorCode: 'timeout' })
        controller.abort(new DOMException(error, 'TimeoutError'))
      }
      // A longer one than timers can hold, such as Infinity, is none.
      if (timeoutMs && timeoutMs < 2 ** 31) timer = setTimeout(expire, timeoutMs)
      // A call that was answered, stopped or is over its time is not waited for.
      const ended = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve())
      })
      result = await Promise.race([execute(valid.args), ended])
      // Thrown here: a race that rejects keeps its reason, and the reason the stack, as long as the tool's promise lives.
      signal.throwIfAborted()
    }
    if (result !== undefined || tool?.execute) {
      resultText(result)
      write({ type: 'tool-result', toolCallId, result })
    } else if (!tool && !provider.remote) {
      const error = `unknown tool '${toolName}'`
      write({ type: 'tool-error', toolCallId, error, errorCode: 'unknown-tool' })
    } else if (isApproved(call) || (call.state as string) === 'running') {
      write({ type: 'tool-wait', toolCallId })
    }
  } catch (error) {
    write({ type: 'tool-error', toolCallId, error: errorText(error) })
  } finally {
    clearTimeout(timer)
    run.running.delete(call)
  }
}
