import { ToolError } from '../core'

/** Whether a header or query parameter of that name holds a credential. @internal */
export const isCredentialName = (name: string): boolean =>
  /cookie|key|token|secret|password|auth/i.test(name)

/** The error of a request that was not sent, or got no answer: `tool request failed: ` and the detail (guide §6). @internal */
export const requestError = (detail: string): ToolError =>
  new ToolError(`tool request failed: ${detail}`)
