import type { Ajv } from 'ajv'
import { errorText, isLLMError, LLMError, untrustedSchemas, type ToolValidator } from '../core'
import { createAjv, type AjvKind, type Draft } from './createAjv'
import { findProblems, type CompiledSchema } from './problems'

/** Options of `ajvValidator`. */
export interface AjvValidatorOptions {
  /** The draft of schemas that name none in `$schema`. @default '2020' */
  draft?: '07' | '2020' | undefined
  /**
   * Whether patterns are run: one like `^(a+)+$` takes exponential time, so it must come from someone you trust. Where
   * they are not run, what depends on them passes. @default those of schemas that were not posted (`POST /api/tools`)
   */
  runPatterns?: boolean | undefined
}

/** How many schemas are kept: ajv itself never forgets one. */
const maxCompiled = 500
/** From here on arguments are long. */
const maxShortChars = 16_384

const forbidden =
  'code generation is forbidden here, as by a Content Security Policy without unsafe-eval: ' +
  'compile the schemas before, for precompiledValidator of vue-llm/ajv'

/** Set once nothing can be compiled here: a page whose policy forbids it reports every try. */
let isOff = false

function turnOff(reason: string): void {
  if (!isOff) console.warn(`vue-llm: arguments of tool calls are not checked: ${reason}`)
  isOff = true
}

/**
 * Checks arguments of tool calls by the tools' JSON Schemas, with ajv (an optional peer: `npm install ajv`), which is
 * loaded with the first call. What is wrong becomes text by which the model can correct itself; arguments are never
 * changed. `createLLMHandler` does so by default; in the page give it to `useChat`.
 *
 * Needs `new Function`. Under a Content Security Policy without `unsafe-eval`, without ajv, or for a schema that ajv
 * can't compile, arguments pass unchecked, with one `console.warn`: see `precompiledValidator`.
 *
 * @example
 * const chat = useChat({ provider, model, tools, validator: ajvValidator() })
 */
export function ajvValidator(options: AjvValidatorOptions = {}): ToolValidator {
  checkOptions(options)
  const { draft = '2020', runPatterns } = options
  const instances = new Map<string, Promise<Ajv>>()
  const compiled = new Map<string, Promise<CompiledSchema | undefined>>()

  async function compileAs(schema: object, kind: AjvKind): Promise<CompiledSchema> {
    const key = JSON.stringify(kind)
    const instance = instances.get(key) ?? createAjv(kind)
    instances.set(key, instance)
    return (await instance).compile(schema)
  }

  /** Never rejects. */
  async function compile(
    toolName: string,
    text: string,
    kind: Omit<AjvKind, 'draft'>,
  ): Promise<CompiledSchema | undefined> {
    // ajv refuses the `$schema` of another draft; with `$async` it would give promises.
    const { $schema, $async: _, $id, ...rest } = JSON.parse(text) as Record<string, unknown>
    // As ajv does not keep the schema, it finds `$ref: '#'` by an id only.
    const schema = { ...rest, $id: $id || 'parameters' }
    let failure: unknown
    for (const one of draftsOf($schema, draft)) {
      try {
        return await compileAs(schema, { ...kind, draft: one })
      } catch (error) {
        failure ??= error
        if (isLLMError(error)) turnOff(error.message)
        if ((error as Error).name === 'EvalError') turnOff(forbidden)
        if (isOff) return undefined
      }
    }
    console.warn(
      `vue-llm: arguments of tool '${toolName}' are not checked: its parameters can't be compiled: ` +
        errorText(failure).slice(0, 300),
    )
    return undefined
  }

  return async ({ name, parameters }, args) => {
    if (isOff || !parameters || '~standard' in parameters) return undefined
    const text = JSON.stringify(parameters)
    const isTrusted = runPatterns ?? !untrustedSchemas.has(parameters)
    const isPatternless = !isTrusted && /"pattern(Properties)?":/.test(text)
    const isLong = isLongText(args)
    const key = `${isPatternless} ${isLong} ${text}`
    if (compiled.size >= maxCompiled) {
      compiled.clear()
      instances.clear()
    }
    const compiling = compiled.get(key) ?? compile(name, text, { isPatternless, isLong })
    compiled.set(key, compiling)
    const check = await compiling
    return check && findProblems(name, check, args)
  }
}

/** Given as the validator itself, uncalled, it would get the tool. */
function checkOptions(options: object): void {
  if (!('name' in options)) return
  throw new LLMError('misuse', 'ajvValidator must be called: `validator: ajvValidator()`')
}

function isLongText(args: unknown): boolean {
  try {
    return JSON.stringify(args).length > maxShortChars
  } catch {
    // Nested so deeply that it can't be written.
    return true
  }
}

/** The drafts to read a schema by, in the order in which they are tried: many schemas don't say theirs. */
function draftsOf($schema: unknown, usual: Draft): Draft[] {
  const named = typeof $schema === 'string' ? $schema : ''
  if (named.includes('2020-12')) return ['2020']
  if (/draft-0\d|2019-09/.test(named)) return ['07']
  return [usual, usual === '07' ? '2020' : '07']
}
