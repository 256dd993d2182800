import { isRecord } from './readRequest'
import { capital, joinWords, plainName, shorten } from './words'

type Json = Record<string, unknown>

/** A value in a few words. */
export function say(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) {
    if (value.some(isRecord)) return `${value.length} item${value.length === 1 ? '' : 's'}`
    const shown = value.slice(0, 5).map(say)
    return joinWords(value.length > 5 ? [...shown, `${value.length - 5} more`] : shown) || 'none'
  }
  if (!isRecord(value)) return shorten(String(value), 300)
  const fields = Object.entries(value).map(([key, item]) => `${plainName(key)} ${say(item)}`)
  return shorten(fields.slice(0, 5).join(', '), 200)
}

/** What an object says, as names in plain words and values; without what the arguments said already. */
export function fieldsOf(value: Json, args: Json): [key: string, said: string][] {
  return Object.entries(value)
    .filter(([key, item]) => item !== null && args[key] !== item)
    .filter(([, item]) => typeof item !== 'string' || !Object.values(args).includes(item))
    .filter(([key, item]) => item !== true || !/^(?:ok|success|approved)$/.test(key))
    .map(([key, item]) => [plainName(key), say(item)])
}

/** Fields as `Key: value.` sentences, or as a list where there are many. */
export function describeRecord(fields: readonly (readonly [key: string, said: string])[]): string {
  const lines = fields.slice(0, 8).map(([key, said]) => [capital(key), said] as const)
  if (fields.length > 8) lines.push(['And', `${fields.length - 8} more`])
  return lines.length > 3
    ? lines.map(([key, said]) => `- **${key}:** ${said}`).join('\n')
    : lines.map(([key, said]) => `${key}: ${said}${/[.!?]$/.test(said) ? '' : '.'}`).join(' ')
}
