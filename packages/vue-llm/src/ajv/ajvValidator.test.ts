import { expectWarning } from '#test/expectWarning'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untrustedSchemas, type JSONSchema } from '../core'
import { validateArgs } from '../core/validateArgs'
import { ajvValidator, type AjvValidatorOptions } from './index'

type Args = Readonly<Record<string, unknown>>

const checkWith =
  (options?: AjvValidatorOptions, validator = ajvValidator(options)) =>
  async (parameters: JSONSchema, args: Args, name = 't') =>
    validator({ name, parameters }, args)
const check = checkWith()

const object = (properties: object, more: object = {}): JSONSchema => ({
  type: 'object',
  properties: properties as Record<string, unknown>,
  ...more,
})

describe('what the model reads (D16)', () => {
  it.each<[string, JSONSchema, Args, string | undefined]>([
    ['right arguments', object({ days: { type: 'integer' } }), { days: 3 }, undefined],
    ['a wrong type', object({ days: { type: 'integer' } }), { days: '3' }, '/days must be integer'],
    [
      'several problems',
      object({ days: { type: 'integer' }, city: { type: 'string' } }, { required: ['unit'] }),
      { days: 1.5, city: 7 },
      "must have required property 'unit'; /days must be integer; /city must be string",
    ],
    [
      'a place inside',
      object({ stops: { type: 'array', items: object({ at: { type: 'number' } }) } }),
      { stops: [{ at: 1 }, { at: null }] },
      '/stops/1/at must be number',
    ],
    [
      'a value that is none of those allowed: they are named',
      object({ unit: { enum: ['c', 'f'] } }),
      { unit: 'k' },
      '/unit must be equal to one of the allowed values: ["c","f"]',
    ],
    [
      'another value than the only one allowed',
      object({ kind: { const: 'a' } }),
      { kind: 'b' },
      '/kind must be equal to constant: "a"',
    ],
    [
      'a name that is not allowed: it is named',
      object({}, { additionalProperties: false }),
      { citty: 'Rome' },
      'must NOT have additional properties: "citty"',
    ],
    [
      'items that are there twice, whatever the order of their keys',
      object({ list: { type: 'array', uniqueItems: true } }),
      { list: [{ a: 1, b: [{ c: 2, d: 3 }] }, 1, { b: [{ d: 3, c: 2 }], a: 1 }] },
      '/list must NOT have duplicate items',
    ],
    [
      'items that only look alike',
      object({ list: { type: 'array', uniqueItems: true } }),
      { list: [1, '1', true, 'true', null, 'null', [1, 2], [2, 1], {}, []] },
      undefined,
    ],
  ])('of %s', async (_, parameters, args, problem) => {
    const text = problem && `invalid arguments for tool 't': ${problem}`
    expect(await check(parameters, args)).toBe(text)
  })

  it('is the first five problems, and the start of each', async () => {
    const long = 'x'.repeat(5000)
    const parameters = object({}, { additionalProperties: { type: 'string' } })
    const args = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', long].map((key) => [key, 1]))
    expect(await check(parameters, args)).toMatch(/: \/a must be string;.*; \/e must be string$/)
    const text = await check(object({}, { additionalProperties: false }), { [long]: 1 })
    expect(text?.length).toBeLessThan(300)
  })
})

it('never changes arguments: nothing is coerced, filled in or removed', async () => {
  const parameters = object(
    { n: { type: 'number', default: 3 }, id: { type: 'integer' }, b: { type: 'boolean' } },
    { additionalProperties: false },
  )
  const args = Object.freeze({ n: null, id: '12345678901234567890', b: 'true', x: 1 })
  expect(await check(parameters, args)).toMatch(
    /: "x"; \/n must be number; \/id must be integer; \/b must be boolean$/,
  )
  expect(await check(parameters, Object.freeze({}))).toBe(undefined)
})

it('leaves a Standard Schema to itself, and tools without parameters alone', async () => {
  const validator = ajvValidator()
  for (const parameters of [z.object({ n: z.number() }), v.object({ n: v.number() })]) {
    expect(await validator({ name: 't', parameters }, { n: 'x' })).toBe(undefined)
    const { error } = (await validateArgs({ name: 't', parameters }, { n: 'x' }, validator)) as {
      error: string
    }
    expect(error).toMatch(/^n: /)
  }
  expect(await validator({ name: 't' }, { n: 1 })).toBe(undefined)
})

describe('schemas as they are in the wild', () => {
  it.each<[string, JSONSchema, Args, Args]>([
    [
      'with keywords that no draft has',
      object({ a: { type: 'string', example: 'x', 'x-order': 1, format: 'no-such' } }),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'of draft 07 with a tuple',
      object(
        { a: { items: [{ type: 'string' }], additionalItems: false } },
        { $schema: 'http://json-schema.org/draft-07/schema#' },
      ),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'of 2020-12 with a tuple',
      object(
        { a: { prefixItems: [{ type: 'string' }], items: false } },
        { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      ),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'that name no draft, with a tuple of 2020-12',
      object({ a: { prefixItems: [{ type: 'string' }], items: false } }),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'that name no draft, with a tuple of draft 07',
      object({ a: { items: [{ type: 'string' }], additionalItems: false } }),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'of a draft that nobody knows',
      object({ a: { type: 'string' } }, { $schema: 'https://example.com/draft' }),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'as zod writes them',
      { ...(z.toJSONSchema(z.object({ a: z.union([z.email(), z.int().min(3)]) })) as object) },
      { a: 3 },
      { a: 'x' },
    ],
    [
      'that refer to themselves',
      object({ a: { $ref: '#' } }, { additionalProperties: false }),
      { a: { a: {} } },
      { a: { b: {} } },
    ],
    [
      'with a pattern that the Unicode grammar refuses',
      object({ a: { pattern: '^[\\w-.]+$' } }),
      { a: 'x-.' },
      { a: '!' },
    ],
    [
      'that say they are asynchronous',
      object({ a: { type: 'string' } }, { $async: true }),
      { a: 'x' },
      { a: 1 },
    ],
  ])('%s', async (_, parameters, right, wrong) => {
    expect(await check(parameters, right)).toBe(undefined)
    expect(await check(parameters, wrong)).toMatch(/^invalid arguments for tool 't': /)
  })

  it('with one $id, many times', async () => {
    for (const type of ['string', 'integer', 'string']) {
      const parameters = object({ a: { type } }, { $id: 'https://example.com/tool' })
      expect(await check(parameters, { a: true })).toContain(`/a must be ${type}`)
    }
  })

  it('with the $id of the standard do no harm to the next', async () => {
    const $id = 'https://json-schema.org/draft/2020-12/schema'
    expect(await check(object({ a: { type: 'string' } }, { $id }), { a: 1 })).toContain('/a must')
    expect(await check(object({ b: { type: 'string' } }), { b: 1 })).toContain('/b must')
  })

  it('are read by the draft that the options say, where they say none themselves', async () => {
    // To draft 07 `prefixItems` is nothing, so `items: false` leaves no item.
    const parameters = object({ a: { prefixItems: [{}], items: false } })
    expect(await check(parameters, { a: [1] })).toBe(undefined)
    expect(await checkWith({ draft: '07' })(parameters, { a: [1] })).toContain('/a')
  })

  it.each<[string, JSONSchema]>([
    ['that are wrong', object({ a: { type: 'strnig' } })],
    ['that refer elsewhere', object({ a: { $ref: 'https://example.com/x' } })],
    ['with a pattern that is none', object({ a: { pattern: '(' } })],
  ])('%s leave the arguments unchecked, with one warning', async (_, parameters) => {
    expectWarning(
      /^console\.warn: vue-llm: arguments of tool 'odd' are not checked: its parameters/,
    )
    const one = checkWith()
    expect(await one(parameters, { a: 1 }, 'odd')).toBe(undefined)
    const { warn } = console
    console.warn = () => expect.unreachable()
    expect(await one(parameters, { a: 2 }, 'odd')).toBe(undefined)
    console.warn = warn
  })
})

describe('attacks', () => {
  it('a `$schema` that can’t be made a string', async () => {
    const parameters = { $schema: { toString: '' }, type: 'object', required: ['city'] } as const
    expect(await ajvValidator()({ name: 'posted', parameters }, {})).toContain('city')
  })

  /** With this pattern one test of 40 characters would take hours. */
  const slow = { type: 'string', pattern: '^(a+)+$' }
  const attack = `${'a'.repeat(40)}!`
  const posted = (parameters: JSONSchema): JSONSchema => {
    untrustedSchemas.add(parameters)
    return parameters
  }

  // Read from text, as a literal with `then` looks like a promise.
  const never = JSON.parse('{"if": {"pattern": "^(a+)+$"}, "then": false}') as JSONSchema

  it('a pattern of a schema of one’s own is run', async () => {
    expect(await check(object({ a: slow }), { a: 'b' })).toContain('/a must match pattern')
    expect(
      await checkWith({ runPatterns: true })(posted(object({ a: slow })), { a: 'b' }),
    ).toContain('/a must match pattern')
  })

  it.each<[string, JSONSchema, Args]>([
    ['pattern', object({ a: slow }), { a: attack }],
    ['patternProperties', { patternProperties: { '^(a+)+$': false } }, { [attack]: 1 }],
    [
      'patternProperties beside additionalProperties',
      { patternProperties: { '^(a+)+$': {} }, additionalProperties: false },
      { [attack]: 1 },
    ],
    ['propertyNames', { propertyNames: slow }, { [attack]: 1 }],
    ['not', object({ a: { not: slow } }), { a: attack }],
    ['oneOf', object({ a: { oneOf: [slow, { ...slow, minLength: 1 }] } }), { a: attack }],
    ['if', object({ a: { if: slow, else: false } }), { a: attack }],
    ['if, that holds', object({ a: never }), { a: attack }],
    ['contains', object({ a: { contains: slow, maxContains: 1 } }), { a: [attack, attack] }],
    ['a reference', object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: slow } }), { a: attack }],
  ])('no pattern of a posted schema is run: %s', async (_, parameters, args) => {
    const start = performance.now()
    expect(await check(posted(parameters), args)).toBe(undefined)
    expect(await checkWith({ runPatterns: false })(parameters, args)).toBe(undefined)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('what stands beside a pattern that is not run is checked all the same', async () => {
    const parameters = posted(object({ a: slow, n: { type: 'integer' }, pattern: slow }))
    expect(await check(parameters, { a: 1, n: 'x' })).toContain(
      '/a must be string; /n must be integer',
    )
  })

  it('a posted schema without patterns is checked in full', async () => {
    const parameters = posted(object({ a: { not: { type: 'string' } }, pattern: { oneOf: [{}] } }))
    expect(await check(posted(object({ a: { not: { type: 'string' } } })), { a: 'x' })).toContain(
      '/a must NOT be valid',
    )
    expect(await check(parameters, { a: 'x' })).toBe(undefined)
  })

  it('long arguments take linear time, whatever is wrong with them', async () => {
    const node = object({ next: { $ref: '#/$defs/node' } })
    const start = performance.now()
    const tree = object({ list: { items: { $ref: '#/$defs/node' } } }, { $defs: { node } })
    const list = Array.from({ length: 200_000 }, () => 1)
    expect(await check(tree, { list })).toContain('/list/0 must be object')
    const unique = object({ list: { uniqueItems: true } })
    expect(await check(unique, { list: list.map((_, index) => [index]) })).toBe(undefined)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('arguments that are nested without end are refused', async () => {
    const parameters = object({ a: { $ref: '#' } })
    const args = { a: {} } as { a: object }
    for (let i = 0, at = args; i < 1e5; i++) at = at.a = { a: {} }
    expect(await check(parameters, args)).toBe("invalid arguments for tool 't': nested too deeply")
  })

  it('names of Object’s own are ordinary', async () => {
    const parameters = object({ constructor: { type: 'string' }, toString: { type: 'string' } })
    expect(await check(parameters, {})).toBe(undefined)
    expect(await check(object({}, { required: ['toString'] }), {})).toContain("'toString'")
  })
})

it('goes on when it has let go of the schemas that it had', async () => {
  const one = checkWith()
  const kept = object({ a: { type: 'string' } })
  for (let i = 0; i < 600; i++) {
    const other = object({ [`a${i}`]: { type: 'string' } })
    expect(await one(other, { [`a${i}`]: 1 })).toContain(`/a${i} must be string`)
    expect(await one(kept, { a: 1 })).toContain('/a must be string')
  }
})

it('that was not called says so, in place of passing for what is wrong with the arguments', async () => {
  const validator = ajvValidator as unknown as ReturnType<typeof ajvValidator>
  await expect(validateArgs({ name: 't' }, {}, validator)).rejects.toMatchObject({
    code: 'misuse',
    message: 'ajvValidator must be called: `validator: ajvValidator()`',
  })
})
