import type { ToolValidator } from '../core'
import { findProblems, type CompiledSchema } from './problems'

/**
 * Checks arguments by schemas that were compiled before, keyed by the tools' names: for pages whose Content Security
 * Policy forbids `new Function`, and to keep ajv out of a bundle. Calls of tools that have none pass unchecked.
 *
 * @example
 * // validators.js was written by ajv's standalone code, one export for each tool
 * import * as schemas from './validators.js'
 *
 * useChat({ provider, model, tools, validator: precompiledValidator(schemas) })
 */
export function precompiledValidator(
  schemas: Readonly<Record<string, CompiledSchema>>,
): ToolValidator {
  return ({ name }, args) => {
    const check = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    return check && findProblems(name, check, args)
  }
}
