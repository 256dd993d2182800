import { isPlainObject } from '../core'
import type { HttpToolDefinition } from './types'

/** What may be a placeholder: braces without a brace inside. */
const braces = /\{([^{}]+)\}/g

/**
 * Replaces the placeholders of a template in one pass, so that a value is never looked at again. One is whatever names a
 * given argument or a declared property, in a URL also what reads like a name; other braces stay as they are.
 */
export function fillTemplate(
  template: string,
  isPlaceholder: (name: string) => boolean,
  fill: (name: string, offset: number, whole: string) => string,
): string {
  return template.replace(braces, (whole: string, name: string, offset: number) =>
    isPlaceholder(name) ? fill(name, offset, whole) : whole,
  )
}

/** Whether a text reads like the name of an argument. */
export const isNameLike = (name: string): boolean => /^[a-z_]\w*$/i.test(name)

/** Tells what is a placeholder in a URL and what in a header, for a call with these arguments. */
export function placeholderTest(
  { parameters }: HttpToolDefinition,
  args: ReadonlyMap<string, unknown> = new Map(),
): { inURL: (name: string) => boolean; inHeader: (name: string) => boolean } {
  const properties = parameters?.properties
  const inHeader = (name: string) =>
    args.has(name) || (isPlainObject(properties) && Object.hasOwn(properties, name))
  return { inHeader, inURL: (name) => inHeader(name) || isNameLike(name) }
}

/** A URL template and where its parts begin; `masked` has the same length, with letters for placeholders. */
export interface URLTemplate {
  masked: string
  /** End of scheme and slashes, start of the host, of the port, end of both. */
  slashes: number
  host: number
  port: number
  path: number
  /** Where the query's `?` is, or the end; what follows `end` is the fragment. */
  query: number
  end: number
  /** Whether a call chooses the scheme, the host, the port, or all. */
  isOpen: boolean
}

/** Scheme and slashes, credentials, host, port; path; query. */
const urlParts =
  /^(?:([a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/?#\\]*@)?([^/?#\\]*?)(:[^:\]/?#\\]*)?(?=[/?#\\]|$))?([^?#]*)([^#]*)/i

/** Reads the parts of a URL template from its literal text. */
export function readURLTemplate(
  template: string,
  isPlaceholder: (name: string) => boolean,
): URLTemplate {
  const masked = fillTemplate(template, isPlaceholder, (_name, _at, all) => 'x'.repeat(all.length))
  let sum = 0
  const [slashes = 0, host = 0, port = 0, path = 0, query = 0, end = 0] =
    urlParts
      .exec(masked)
      ?.slice(1)
      .map((part = '') => (sum += part.length)) ?? []
  const differs = (from: number, to: number) => template.slice(from, to) !== masked.slice(from, to)
  const isOpen = differs(0, slashes || 1) || differs(host, path)
  return { masked, slashes, host, port, path, query, end, isOpen }
}

/**
 * A value as texts: a scalar as it is, a list of scalars one by one without its `null`s, anything else as JSON; none for
 * what is missing.
 */
export function valueTexts(value: unknown): string[] {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null
  const items: unknown[] = Array.isArray(value) && !value.some(isObject) ? value : [value]
  return items
    .filter((item) => item !== null && item !== undefined)
    .map((item) => (isObject(item) ? JSON.stringify(item) : String(item)))
}
