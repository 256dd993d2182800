/** What kind of failure an {@link LLMError} is. */
export type LLMErrorCode =
  | 'http'
  | 'network'
  | 'timeout'
  | 'provider'
  | 'truncated'
  | 'invalid-response'
  | 'invalid-definition'
  | 'misuse'

/** What an {@link LLMError} may carry beside its message. */
export interface LLMErrorOptions {
  cause?: unknown
  /** HTTP status, with `http`. */
  status?: number
  /** The response's body as text, with `http`; configured secrets are replaced. */
  body?: string
  /** Milliseconds the server asked to wait, with `http`. */
  retryAfter?: number
  /** Every problem and its place as a JSON Pointer, with `invalid-definition`. */
  errors?: readonly { path: string; message: string }[]
}

/** Shared by all copies of the package, so that they know each other's errors. */
const brand = Symbol.for('vue-llm.error')

/** The one error class. Its message says what happened, with what, and what to do. */
export class LLMError extends Error {
  override readonly name = 'LLMError'
  readonly code: string
  declare readonly status?: number
  declare readonly body?: string
  declare readonly retryAfter?: number
  declare readonly errors?: readonly { path: string; message: string }[]
  readonly [brand] = true

  constructor(code: LLMErrorCode | (string & {}), message: string, options: LLMErrorOptions = {}) {
    super(message)
    this.code = code
    Object.assign(this, options)
  }
}

/** Whether something is an `LLMError` (of any copy of this package), with that code if one is given. */
export function isLLMError(error: unknown): error is LLMError
/** Whether something is an `LLMError` with that code. */
export function isLLMError<Code extends LLMErrorCode>(
  error: unknown,
  code: Code,
): error is LLMError & { readonly code: Code }
export function isLLMError(error: unknown, code?: LLMErrorCode): boolean {
  return error instanceof Error && brand in error && (!code || (error as LLMError).code === code)
}

/** Throw it in a tool whose text may be shown: its message reaches the client as it is, unmasked. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Any thrown thing as an `LLMError`; what is none already gets `code`. @internal */
export function toLLMError(error: unknown, code: LLMErrorCode = 'provider'): LLMError {
  return isLLMError(error) ? error : new LLMError(code, errorText(error), { cause: error })
}

/** The text of any thrown thing, never empty. @internal */
export function errorText(error: unknown): string {
  const { message, name } = Object(error) as Partial<Error>
  const text: unknown = message || name || error
  return (typeof text !== 'object' && String(text ?? '')) || 'unknown error'
}
