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
}

const brand = '~vue-llm-error'

/** The one error class. Its message says what happened, with what, and what to do. */
export class LLMError extends Error {
  override readonly name = 'LLMError'
  readonly code: string
  readonly status?: number
  readonly body?: string
  readonly retryAfter?: number

  constructor(code: LLMErrorCode | (string & {}), message: string, options: LLMErrorOptions = {}) {
    const { cause, ...details } = options
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, details)
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether something is an `LLMError` (of any copy of this package), with that code if one is given. */
export function isLLMError(error: unknown, code?: LLMErrorCode): error is LLMError {
  return (
    error instanceof Error &&
    brand in error &&
    (code === undefined || (error as { code?: unknown }).code === code)
  )
}

/** Throw it in a tool whose text may be shown: its message reaches the client as it is, unmasked. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** @internal Any thrown thing as an `LLMError`; what is none already gets `code`. */
export function toLLMError(error: unknown, code: LLMErrorCode = 'provider'): LLMError {
  return isLLMError(error) ? error : new LLMError(code, errorText(error), { cause: error })
}

/** @internal The text of any thrown thing, never empty. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error
  return typeof text === 'string' && text ? text : `${text ?? 'unknown error'}`
}
