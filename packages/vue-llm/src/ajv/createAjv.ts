import type { Ajv, Options } from 'ajv'
import { LLMError } from '../core'

/** The drafts that ajv has builds for; the older one also reads drafts 06 and 2019-09. */
export type Draft = '07' | '2020'

/** What an instance of ajv is made for. @internal */
export interface AjvKind {
  draft: Draft
  /** The schema's patterns must not be run. */
  isPatternless: boolean
  /** The arguments are long. */
  isLong: boolean
}

/**
 * Keywords that patterns decide, and those that turn around or count what others say: with a pattern that is taken as
 * matched they would refuse what is right.
 */
const patternKeywords = [
  'pattern',
  'patternProperties',
  'not',
  'if',
  'oneOf',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
]

async function load(draft: Draft) {
  // Within `try`, so that bundlers do without a package that is not installed.
  try {
    return draft === '07' ? await import('ajv') : await import('ajv/dist/2020.js')
  } catch (cause) {
    const message = 'ajv could not be loaded (npm install ajv, or set `validator: false`)'
    throw new LLMError('misuse', message, { cause })
  }
}

/**
 * Loads ajv and makes an instance that reads any schema, changes no arguments and writes no logs. Rejects with an
 * `LLMError` where there is no ajv.
 * @internal
 */
export async function createAjv({ draft, isPatternless, isLong }: AjvKind): Promise<Ajv> {
  const module = await load(draft)
  // Bundlers differ in what they take for the default of a CommonJS module.
  const { default: Build = module.default } = module.default as { default?: typeof module.default }
  const options: Options = {
    strict: false,
    // With many problems in a recursive schema ajv needs quadratic time to collect them.
    allErrors: !isLong,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    coerceTypes: false,
    // Else `toString` is there in every object.
    ownProperties: true,
    code: { regExp: Object.assign(isPatternless ? matchAll : toRegExp, { code: 'new RegExp' }) },
  }
  const ajv: Ajv = new Build(options)
  if (isPatternless) for (const keyword of patternKeywords) ajv.removeKeyword(keyword)
  // Its own compares every item with every other.
  return ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isOn: boolean, items: unknown[]) =>
      !isOn || new Set(items.map(toCanonical)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  })
}

/** `additionalProperties` asks the patterns beside it. */
const matchAll = () => ({ test: () => true })

/** Patterns are Unicode by the standard; those that are none under its stricter grammar are in use all the same. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern)
  }
}

/** Equal JSON has equal text, whatever the order of its keys. */
function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Object && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
