import { LLMError, untrustedSchemas } from '../core'
import {
  createHttpTools,
  parseToolDefinitions,
  type DefinitionProblem,
  type HttpTool,
  type HttpToolDefinition,
  type HttpToolOptions,
} from '../http-tools'
import { createNodeTransport } from './createNodeTransport'

/** Where the active definitions come from: the start, a `POST /api/tools`, or nowhere. */
export type ToolSource = 'file' | 'request' | 'none'

/** Options of {@link createToolRegistry}; those of `createHttpTools` mean the same. */
export interface ToolRegistryOptions extends Pick<
  HttpToolOptions,
  | 'allowedHosts'
  | 'allowPrivateNetwork'
  | 'baseURL'
  | 'fetch'
  | 'headerArgs'
  | 'onRequest'
  | 'onWarning'
  | 'redirect'
  | 'transport'
  | 'wrapResult'
> {
  /** The definitions of the start: a list, or a file's text or bytes. */
  definitions?: unknown
  /** What `source` says of them. @default 'file', or 'none' where there are none */
  source?: ToolSource | undefined
  /** `false` turns tools off, for `replace` too. @default on as soon as there are definitions */
  enabled?: boolean | undefined
  /** Rounds with calls in one turn (guide §2); 0 turns tools off. @default 4 */
  maxIterations?: number | undefined
  /** Seconds for one request of a tool. @default 15 */
  timeoutSecs?: number | undefined
  /** Most characters of a result. @default 2000 */
  resultMaxChars?: number | undefined
  /** Whether there is a model at all: without one `POST /api/tools` answers 503. @default true */
  llmEnabled?: boolean | undefined
}

/** What one turn works with, whatever is replaced meanwhile. */
export interface ToolSnapshot {
  readonly tools: readonly HttpTool[]
  readonly maxIterations: number
}

/** The HTTP tools of a server, which can be replaced while it runs. */
export interface ToolRegistry {
  /** Whether the model is offered tools. */
  readonly enabled: boolean
  readonly source: ToolSource
  readonly count: number
  /** The active definitions as they were given, with their secrets. */
  readonly tools: readonly HttpToolDefinition[]
  readonly maxIterations: number
  readonly timeoutSecs: number
  readonly resultMaxChars: number
  /** Whether there is a model at all; may be changed. */
  llmEnabled: boolean
  /**
   * Takes other definitions for the turns that begin from now on: a list, or a file's text or bytes. They live in
   * memory only. Patterns in their schemas are not run, since they may take exponential time.
   *
   * @throws {@link LLMError} `invalid-definition` with every problem in `errors`, also for an empty list; `misuse` where
   * tools are turned off. The active definitions stay then.
   */
  replace(definitions: unknown): void
  /** What a turn that begins now works with. */
  snapshot(): ToolSnapshot
}

/**
 * Makes the registry of a server's HTTP tools: for `createLLMHandler({ registry })`, which takes a snapshot for each turn, and
 * `createToolsHandler({ registry })`, which shows and replaces the definitions.
 *
 * @throws {@link LLMError} `invalid-definition` with every problem in `errors`
 */
export function createToolRegistry(options: ToolRegistryOptions = {}): ToolRegistry {
  const { maxIterations = 4, timeoutSecs = 15, resultMaxChars = 2000, llmEnabled = true } = options
  const { definitions = [], source = 'file', onWarning, ...rest } = options
  const httpOptions: HttpToolOptions = {
    ...(!rest.fetch && { transport: createNodeTransport() }),
    ...rest,
    timeoutMs: timeoutSecs * 1000,
    resultMaxChars,
  }
  const read = (input: unknown) => {
    const parsed = parseToolDefinitions(input, httpOptions)
    const tools = createHttpTools(parsed.definitions, httpOptions)
    return { ...parsed, tools }
  }
  const warn = (warnings: readonly DefinitionProblem[]) =>
    warnings.forEach((warning) => onWarning?.(warning))
  const isOff = options.enabled === false || maxIterations === 0
  let active = read(definitions)
  let from = active.tools.length ? source : 'none'
  warn(active.warnings)

  return {
    maxIterations,
    timeoutSecs,
    resultMaxChars,
    llmEnabled,
    get enabled() {
      return !isOff && active.tools.length > 0
    },
    get source() {
      return from
    },
    get count() {
      return active.tools.length
    },
    get tools() {
      return active.definitions
    },
    replace(input) {
      if (isOff) {
        throw new LLMError(
          'misuse',
          'tool calling is turned off (LLM_TOOLS_ENABLED is false, or LLM_TOOL_MAX_ITERATIONS 0)',
        )
      }
      const next = readPosted(input, read)
      for (const { parameters } of next.tools) if (parameters) untrustedSchemas.add(parameters)
      active = next
      from = 'request'
      warn(next.warnings)
    },
    snapshot: () => ({ tools: isOff ? [] : active.tools, maxIterations }),
  }
}

/** What was posted, unless it holds nothing or can't be shown again. */
function readPosted<T extends { definitions: readonly HttpToolDefinition[] }>(
  input: unknown,
  read: (input: unknown) => T,
): T {
  let problem = 'no tool definition'
  try {
    const next = read(input)
    // What is nested without end can be parsed but not written.
    JSON.stringify(next.definitions)
    if (next.definitions.length) return next
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    problem = 'nested too deeply'
  }
  throw new LLMError('invalid-definition', problem, { errors: [{ path: '', message: problem }] })
}
