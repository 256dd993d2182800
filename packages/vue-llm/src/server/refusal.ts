/** A request that is answered with an HTTP error in place of a stream. @internal */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The refusal of a body whose value at that JSON Pointer is not what it must be. @internal */
export const invalid = (pointer: string, what: string): Refusal =>
  new Refusal(400, 'invalid-request', pointer ? `${pointer}: ${what}` : what)

/** @internal */
export const tooLarge = (what: string): Refusal => new Refusal(413, 'too-large', what)

/** An HTTP error as JSON: `{ error: { code, message } }`. @internal */
export const toErrorResponse = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    { error: { code, message } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
