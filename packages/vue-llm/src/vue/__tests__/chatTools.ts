import type { AnyTool, OnToolCall, ToolContext } from '../../core'

/** What the tools of a session need of it. */
export interface ToolHost {
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Called when a call begins to run. */
  onRun(toolCallId: string, signal: AbortSignal): void
  onNeedsApproval(): void
}

/** The lists of tools that a session may have. */
export function createToolSets(host: ToolHost): readonly (readonly AnyTool[])[] {
  const tool = (
    name: string,
    run?: (context: ToolContext) => unknown,
    more: Partial<AnyTool> = {},
  ): AnyTool => ({
    name,
    ...(run && {
      execute(_args: never, context: ToolContext) {
        host.onRun(context.toolCallId, context.signal)
        return run(context)
      },
    }),
    ...more,
  })
  const needsApproval = () => {
    host.onNeedsApproval()
    return true
  }
  const all = [
    tool('now', () => Object.freeze({ ok: true })),
    tool('ask'),
    tool('later', async ({ signal, progress }) => {
      progress(Object.freeze({ done: 0 }))
      await host.wait(3, signal)
      signal.throwIfAborted()
      return 'later'
    }),
    tool('sure', () => host.wait(2).then(() => 'sure'), { needsApproval }),
    tool('sureAsk', undefined, { needsApproval }),
    tool('handled'),
    tool('fails', () => {
      throw new Error('this tool always fails')
    }),
    tool('deaf', () => host.wait(20).then(() => 'much later')),
    tool('slow', () => new Promise(() => {}), { timeoutMs: 5 }),
    tool('odd', () => 1n),
  ]
  const few = all.filter(({ name }) => ['now', 'ask', 'sure'].includes(name))
  return [all, few, []]
}

/** An `onToolCall` that answers the calls of `handled` and leaves the others. */
export function createOnToolCall(
  kind: 'none' | 'sync' | 'later',
  host: ToolHost,
): OnToolCall | undefined {
  if (kind === 'none') return undefined
  return ({ toolName, toolCallId, signal }) => {
    host.onRun(toolCallId, signal)
    const result = toolName === 'handled' ? Object.freeze({ handled: true }) : undefined
    return kind === 'sync' ? result : host.wait(4).then(() => result)
  }
}
