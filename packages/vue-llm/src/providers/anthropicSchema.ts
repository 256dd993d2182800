import { isPlainObject, type JSONSchema } from '../core'

/** What the API's decoder can't hold, and refuses. */
const refused =
  /^(\$schema|m(in|ax)[A-Z].*|(exclusiveM|m)(in|ax)imum|multipleOf|pattern|uniqueItems)$/

/**
 * A JSON Schema as Anthropic takes it for the form of an answer: objects are closed, and ranges, lengths and patterns,
 * which the API refuses, are left to who reads the answer.
 * @internal
 */
export function toAnthropicSchema(schema: JSONSchema): JSONSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    // The name of a property holds a schema, a keyword holds none.
    if (!isPlainObject(value)) return refused.test(key) ? undefined : value
    const { type, oneOf } = value
    return {
      ...value,
      ...(oneOf ? { oneOf: undefined, anyOf: oneOf } : {}),
      ...(type === 'object' && { additionalProperties: false }),
    }
  })
  return JSON.parse(text) as JSONSchema
}
