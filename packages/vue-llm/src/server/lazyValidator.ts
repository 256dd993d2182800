import type { ToolValidator } from '../core'

let loading: Promise<ToolValidator> | undefined

/**
 * The validator of handlers that were given none: `ajvValidator()`, loaded with the first call that it can check. One
 * for all, so that a missing ajv is told of once.
 */
const lazyValidator: ToolValidator = async (tool, args) => {
  if (!tool.parameters) return undefined
  loading ??= import('../ajv').then(({ ajvValidator }) => ajvValidator())
  return (await loading)(tool, args)
}

/** The validator that an option stands for. @internal */
export const validatorOf = (option: ToolValidator | false | undefined): ToolValidator | undefined =>
  (option ?? lazyValidator) || undefined
