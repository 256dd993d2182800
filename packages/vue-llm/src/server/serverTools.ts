import {
  defined,
  LLMError,
  ToolError,
  type AnyTool,
  type ToolContext,
  type ToolValidator,
} from '../core'
import type { Thrown } from './thrown'

/**
 * Keeps progress that a slow reader has not read yet from piling up: of each call only the newest waits.
 * @internal
 */
export interface ProgressGate {
  wrap(context: ToolContext): ToolContext
  /** To be called when the progress of a call went out. */
  passed(toolCallId: string): void
}

/** @internal */
export function createProgressGate(): ProgressGate {
  const waiting = new Map<string, (() => void) | undefined>()
  return {
    wrap: (context) => ({
      ...context,
      progress(value) {
        const { toolCallId } = context
        const send = () => context.progress(value)
        if (waiting.has(toolCallId)) return void waiting.set(toolCallId, send)
        waiting.set(toolCallId, undefined)
        send()
      },
    }),
    passed(toolCallId) {
      const send = waiting.get(toolCallId)
      waiting.delete(toolCallId)
      if (!send) return
      waiting.set(toolCallId, undefined)
      send()
    },
  }
}

/** The tools of one answer. @internal */
export interface AnswerTools {
  /** Names of the tools that run here; what `prepareStep` adds is added. */
  readonly own: Set<string>
  /** What the model is offered. */
  readonly list: readonly AnyTool[]
  /** Tools of the server as this answer runs them. */
  watch(tools: readonly AnyTool[]): AnyTool[]
  validator: ToolValidator | undefined
}

/**
 * Joins the server's tools and the client's; of two with one name it is the server's. Throws `LLMError('misuse')` for
 * a tool that asks a person where nothing can bring back the answer.
 * @internal
 */
export function createAnswerTools(
  server: readonly AnyTool[],
  client: readonly AnyTool[],
  options: { isStored: boolean; validator: ToolValidator | undefined; maxArgsChars: number },
  thrown: Thrown,
  gate: ProgressGate,
): AnswerTools {
  const own = new Set<string>()
  const originals = new Map<AnyTool, AnyTool>()
  const { validator } = options
  function watch(tools: readonly AnyTool[]): AnyTool[] {
    if (!options.isStored) refuseApproval(tools)
    return tools.map((tool) => {
      const watched = watchTool(tool, options.maxArgsChars, thrown, gate)
      originals.set(watched, tool)
      if (tool.execute) own.add(tool.name)
      return watched
    })
  }
  return {
    own,
    list: joinTools(watch(server), client),
    watch,
    // Calls that the client runs are the client's to check, and its schemas are not to be trusted.
    validator:
      validator &&
      thrown.watch('tool', (tool, args) => {
        const original = originals.get(tool)
        return original?.execute && validator(original, args)
      }),
  }
}

/** Two lists of tools; of two with one name it is that of the first. @internal */
export function joinTools(
  first: readonly AnyTool[] = [],
  second: readonly AnyTool[] = [],
): AnyTool[] {
  const names = new Set(first.map(({ name }) => name))
  return [...first, ...second.filter(({ name }) => !names.has(name))]
}

/** Throws for a tool whose approval could never come back. @internal */
export function refuseApproval(tools: readonly AnyTool[]): void {
  const tool = tools.find(({ execute, needsApproval }) => execute && needsApproval)
  if (!tool) return
  throw new LLMError(
    'misuse',
    `tool '${tool.name}' needs approval, but a client's word alone must not run it: give createLLMHandler ` +
      '`loadMessages` (the stored chat), or leave the tool to the client by giving it no `execute`',
  )
}

function watchTool(
  tool: AnyTool,
  maxArgsChars: number,
  thrown: Thrown,
  gate: ProgressGate,
): AnyTool {
  const { name, description, parameters, timeoutMs, needsApproval } = tool
  return defined({
    name,
    description,
    parameters,
    timeoutMs,
    // Called on the tool, which may be an object of a class.
    needsApproval:
      typeof needsApproval === 'function'
        ? thrown.watch('tool', (args: never) => needsApproval.call(tool, args))
        : needsApproval,
    execute:
      tool.execute &&
      thrown.watch('tool', (args: never, context: ToolContext) => {
        if (JSON.stringify(args).length > maxArgsChars) {
          throw new ToolError(`the arguments are longer than ${maxArgsChars} characters`)
        }
        return tool.execute?.(args, gate.wrap(context))
      }),
    toModelOutput: tool.toModelOutput && ((result: unknown) => tool.toModelOutput?.(result) ?? ''),
  }) as AnyTool
}
