/**
 * A frozen shallow copy of a plain array or object; anything else as it is. Payloads (`args`, `result`, `data`,
 * `metadata`) are immutable values: a frozen top keeps Vue from making them deeply reactive, and the caller's own
 * object stays untouched.
 *
 * @internal
 */
export function seal<T>(value: T): T {
  if (Object.isFrozen(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.slice()) as T
  return isPlainObject(value) ? Object.freeze({ ...value }) : value
}

/** Whether a value is an object made by a literal or by JSON. @internal */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  const prototype: unknown = !!value && typeof value === 'object' && Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The same fields without those that are `undefined`. @internal */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const result = { ...fields }
  for (const key in result) if (result[key] === undefined) delete result[key]
  return result as { [K in keyof T]: Exclude<T[K], undefined> }
}
