/** One thing that a schema found wrong, as ajv writes it. */
export interface SchemaProblem {
  /** JSON Pointer to what is wrong; empty for the arguments as a whole. */
  readonly instancePath: string
  readonly message?: string | undefined
  readonly params?: object | undefined
}

/** A schema as a function, as ajv and its standalone code make it: on `false` it leaves what is wrong in `errors`. */
export interface CompiledSchema {
  (args: unknown): unknown
  errors?: readonly SchemaProblem[] | null | undefined
}

/** The most problems that the model is told of at once, and the most characters of each. */
const maxProblems = 5
const maxProblemChars = 200

/** Runs a compiled schema: text that tells the model what is wrong, or `undefined`. @internal */
export function findProblems(
  toolName: string,
  check: CompiledSchema,
  args: unknown,
): string | undefined {
  const problems: string[] = []
  try {
    if (check(args)) return undefined
    problems.push(...(check.errors ?? []).slice(0, maxProblems).map(describe))
  } catch (error) {
    // A schema that refers to itself follows the arguments down until the stack is full.
    if (!(error instanceof RangeError)) throw error
    problems.push('nested too deeply')
  }
  return `invalid arguments for tool '${toolName}': ${problems.join('; ')}`
}

function describe({ instancePath, message = 'is invalid', params = {} }: SchemaProblem): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<
    string,
    unknown
  >
  // What ajv's own message leaves out, and the model has to know to do better.
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue
  const text = `${instancePath} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`
  return text.length > maxProblemChars ? `${text.slice(0, maxProblemChars)}…` : text.trimStart()
}
