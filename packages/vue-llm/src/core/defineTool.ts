import type { ArgsOf } from './schemaTypes'
import type { JSONSchema, StandardSchema, Tool } from './types'

/** A tool whose arguments are typed by its schema; see {@link defineTool}. */
export interface InferredTool<
  Name extends string,
  Schema extends JSONSchema | StandardSchema,
  Result,
> extends Tool<ArgsOf<Schema>, Result, Name> {
  parameters?: Schema
}

/** Keeps the schema in the tool's type where what the model writes differs from what `execute` gets. */
type WithSchema<Schema> = Schema extends StandardSchema ? { parameters: Schema } : unknown

/** Fits no tool: keeps a tool that the inferred form refuses from passing as one with explicit type parameters. */
interface NoArgsGiven {
  'give the type parameters, or fix what the schema does not allow': never
}

/**
 * Declares a tool. It only adds types: what comes back is the object that was given.
 *
 * Everything is inferred: the name, the arguments from `parameters` (a JSON Schema, or a Standard Schema such as
 * zod's), the result from `execute`. Messages then narrow by `part.toolName`. With explicit type parameters,
 * `defineTool<Args, Result>`, those count instead; a third one is the name.
 */
export function defineTool<
  const Name extends string,
  const Schema extends JSONSchema | StandardSchema = JSONSchema,
  Result = unknown,
>(tool: InferredTool<Name, Schema, Result>): Tool<ArgsOf<Schema>, Result, Name> & WithSchema<Schema>
export function defineTool<
  Args extends object = NoArgsGiven,
  Result = unknown,
  const Name extends string = string,
>(tool: Tool<NoInfer<Args>, NoInfer<Result>, Name>): Tool<Args, Result, Name>
export function defineTool(tool: unknown): unknown {
  return tool
}
