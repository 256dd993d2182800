import type { DemoCall } from './readRequest'
import { plainName, shorten } from './words'

/** What a call was about, by its first arguments, ready to stand after a noun: ` from Oslo to Rome`, ` “milk”`. */
export function aboutCall({ name, args }: DemoCall): string {
  const { from, to } = args
  if (typeof from === 'string' && typeof to === 'string') return ` from ${from} to ${to}`
  const given = Object.entries(args).map(([key, value]) => [key, sayable(value)] as const)
  const [key, value] = given.find(([, said]) => said) ?? []
  if (!key || !value) return ''
  const plain = plainName(key)
  if (plain === 'to') return ` to ${value}`
  if (/\b(?:city|location|place|country|region|time ?zone)\b/.test(plain)) {
    return ` in ${value.replace(/^[A-Z]\w+\/(?=[A-Z])/, '').replaceAll('_', ' ')}`
  }
  if (/\b(?:query|q|search|term|topic)\b/.test(plain)) return ` for “${value}”`
  if (/\b(?:id|number|code)$/.test(plain)) return ` ${value}`
  // `show_chart` with the title `chart` needs no name.
  if (plainName(name).endsWith(value.toLowerCase())) return ''
  return typeof args[key] === 'string' ? ` “${value}”` : ` for ${value}`
}

/** The place of a call, without a preposition. */
export function placeOfCall(call: DemoCall): string {
  const about = aboutCall(call)
  return about.startsWith(' in ') ? about.slice(4) : about.replace(/[“”]/g, '').trim()
}

function sayable(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? shorten(String(first), 60) : ''
}
