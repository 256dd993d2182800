import { errorText, isLLMError, LLMError } from '../core'
import {
  createToolRegistry,
  type ToolRegistry,
  type ToolRegistryOptions,
} from './createToolRegistry'
import { nodeModule } from './nodeModules'

/** Options of {@link toolRegistryFromEnv}: what the environment does not say. */
export interface ToolRegistryFromEnvOptions extends Omit<
  ToolRegistryOptions,
  'source' | 'enabled' | 'maxIterations' | 'timeoutSecs' | 'resultMaxChars'
> {
  /** Reads the file that `LLM_TOOLS_FILE` names. @default `fs.readFileSync` of Node */
  readFile?: ((path: string) => string | Uint8Array) | undefined
  /** The definitions where `LLM_TOOLS_FILE` names no file. */
  definitions?: unknown
}

/** Variables and their values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Makes a registry as the environment says (guide §2): `LLM_TOOLS_FILE`, `LLM_TOOLS_ENABLED`, `LLM_TOOL_MAX_ITERATIONS`,
 * `LLM_TOOL_TIMEOUT_SECS` and `LLM_TOOL_RESULT_MAX_CHARS`. An empty variable counts as none. The file is read once, now;
 * one that is not there is warned of, and no tools are active. Warnings go to the console unless `onWarning` takes them.
 *
 * @throws {@link LLMError} `misuse` naming each variable with a wrong value; `invalid-definition` with every problem of
 * the file in `errors`
 *
 * @example
 * const registry = toolRegistryFromEnv(process.env)
 */
export function toolRegistryFromEnv(
  env: Environment,
  options: ToolRegistryFromEnvOptions = {},
): ToolRegistry {
  const { readFile, ...rest } = options
  const onWarning = options.onWarning ?? warn
  const values = readValues(env)
  const path = env['LLM_TOOLS_FILE']?.trim()
  if (!path || values.enabled === false) {
    return createToolRegistry({ ...rest, ...values, onWarning })
  }
  const file = read(path, readFile)
  if (file === undefined) {
    onWarning({
      path: '',
      message: `LLM_TOOLS_FILE: there is no file ${path}: no tools are active`,
    })
  }
  try {
    return createToolRegistry({ ...rest, ...values, onWarning, definitions: file })
  } catch (error) {
    if (!isLLMError(error, 'invalid-definition')) throw error
    const { message, errors } = error
    throw new LLMError('invalid-definition', `LLM_TOOLS_FILE (${path}): ${message}`, {
      cause: error,
      ...(errors && { errors }),
    })
  }
}

function warn({ path, message }: { path: string; message: string }): void {
  console.warn(`[vue-llm] tool definitions${path && ` ${path}`}: ${message}`)
}

/** The file, or `undefined` where there is none. */
function read(
  path: string,
  readFile: ToolRegistryFromEnvOptions['readFile'] = nodeModule('node:fs')?.readFileSync,
): string | Uint8Array | undefined {
  try {
    if (!readFile) throw new Error('give `readFile`: there is no file system here')
    return readFile(path)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw new LLMError('misuse', `LLM_TOOLS_FILE: ${path} can't be read (${errorText(error)})`, {
      cause: error,
    })
  }
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
}

/** What is set of the switches and limits; everything that is wrong is told at once. */
function readValues(env: Environment) {
  const problems: string[] = []
  const get = <T>(name: string, expected: string, parse: (text: string) => T | undefined) => {
    const text = env[name]?.trim().toLowerCase()
    if (!text) return undefined
    const value = parse(text)
    if (value === undefined) problems.push(`${name}: expected ${expected}, not '${env[name]}'`)
    return value
  }
  const number = (name: string, expected: string, pattern: RegExp, least: number) =>
    get(name, expected, (text) =>
      pattern.test(text) && Number(text) >= least ? Number(text) : undefined,
    )
  const values = {
    enabled: get('LLM_TOOLS_ENABLED', 'true or false', (text) =>
      Object.hasOwn(booleans, text) ? booleans[text] : undefined,
    ),
    maxIterations: number('LLM_TOOL_MAX_ITERATIONS', 'a whole number, 0 or more', /^\d+$/, 0),
    timeoutSecs: number(
      'LLM_TOOL_TIMEOUT_SECS',
      'a number of seconds above 0',
      /^(\d+\.?\d*|\.\d+)$/,
      Number.MIN_VALUE,
    ),
    resultMaxChars: number('LLM_TOOL_RESULT_MAX_CHARS', 'a whole number above 0', /^\d+$/, 1),
  }
  if (problems.length) throw new LLMError('misuse', problems.join('; '))
  return values
}
