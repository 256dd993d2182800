import { list, record } from './readRequest'

type Json = Record<string, unknown>

/** Follows `$ref`, takes the first real choice of `anyOf` and `oneOf`, and joins `allOf`. */
export function resolveSchema(schema: Json, root: Json, depth = 0): Json {
  if (depth > 8) return {}
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    const path = ref.replace(/^#\/?/, '').split('/').filter(Boolean)
    const target = path.reduce<unknown>((value, key) => record(value)[key], root)
    return resolveSchema(record(target), root, depth + 1)
  }
  const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])].map(record)
  const choice = choices.find(({ type }) => type !== 'null')
  const parts = [...list(schema['allOf']).map(record), ...(choice ? [choice] : [])]
  return parts.reduce<Json>((joined, part) => {
    const next = resolveSchema(part, root, depth + 1)
    return {
      ...joined,
      ...next,
      ...(joined['properties'] || next['properties']
        ? { properties: { ...record(joined['properties']), ...record(next['properties']) } }
        : {}),
      ...(joined['required'] || next['required']
        ? { required: [...list(joined['required']), ...list(next['required'])] }
        : {}),
    }
  }, schema)
}

/** The schema's type: the first that is not null; without one, told by what it has. */
export function typeOf(schema: Json): string {
  const { type } = schema
  if (Array.isArray(type)) return String(type.find((one) => one !== 'null') ?? 'null')
  if (typeof type === 'string') return type
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string'
}
