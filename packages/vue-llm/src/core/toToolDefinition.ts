import { errorText, LLMError } from './errors'
import type { AnyTool, JSONSchema, StandardSchema, ToolDefinition } from './types'

/** What schema libraries offer beside validation, in the order in which it is tried. */
interface Convertible {
  readonly '~standard': {
    readonly jsonSchema?: { input(options: { target: string }): JSONSchema } | undefined
  }
  toJSONSchema?(options: { io: 'input' }): JSONSchema
  toJsonSchema?(): JSONSchema
}

/** Whether a tool's `parameters` are a Standard Schema. @internal */
export function isStandardSchema(
  parameters: JSONSchema | StandardSchema | undefined,
): parameters is StandardSchema {
  return !!parameters && '~standard' in parameters
}

/**
 * What a provider sends for a tool: its name, its description and its `parameters` as JSON Schema. A JSON Schema stays
 * the object it is; a Standard Schema gives its own JSON Schema, of what the model has to write. Throws
 * `LLMError('misuse')` for a schema that has none.
 */
export function toToolDefinition({ name, description, parameters }: AnyTool): ToolDefinition {
  return {
    name,
    ...(description && { description }),
    parameters: isStandardSchema(parameters)
      ? fromStandard(name, parameters)
      : (parameters ?? { type: 'object', properties: {} }),
  }
}

function fromStandard(name: string, schema: StandardSchema): JSONSchema {
  const convertible = schema as unknown as Convertible
  let cause: unknown = 'it has no JSON Schema output'
  try {
    const json =
      convertible['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }) ??
      convertible.toJSONSchema?.({ io: 'input' }) ??
      convertible.toJsonSchema?.()
    if (json) {
      const { $schema: _, ...rest } = json
      return rest
    }
  } catch (error) {
    cause = error
  }
  throw new LLMError(
    'misuse',
    `tool '${name}': no JSON Schema from its ${schema['~standard'].vendor} schema ` +
      `(${errorText(cause)}); use one with Standard JSON Schema, or write 'parameters' as JSON Schema`,
    { cause },
  )
}
