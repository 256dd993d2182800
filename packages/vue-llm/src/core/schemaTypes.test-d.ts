import { describe, expectTypeOf, it } from 'vitest'
import type { ArgsOf, FromJsonSchema } from './schemaTypes'
import type { JSONSchema, StandardSchema } from './types'

/** The type that a schema gives, written the way users write it. */
declare function typeOf<const S>(schema: S): FromJsonSchema<S>

describe('FromJsonSchema', () => {
  it('knows the primitive types and lists of types', () => {
    expectTypeOf(typeOf({ type: 'string', minLength: 1 })).toEqualTypeOf<string>()
    expectTypeOf(typeOf({ type: 'number' })).toEqualTypeOf<number>()
    expectTypeOf(typeOf({ type: 'integer' })).toEqualTypeOf<number>()
    expectTypeOf(typeOf({ type: 'boolean' })).toEqualTypeOf<boolean>()
    expectTypeOf(typeOf({ type: 'null' })).toEqualTypeOf<null>()
    expectTypeOf(typeOf({ type: ['string', 'null'] })).toEqualTypeOf<string | null>()
    const mixed = typeOf({ type: ['array', 'integer'], items: { type: 'string' } })
    expectTypeOf(mixed).toEqualTypeOf<string[] | number>()
  })

  it('knows enum and const, also without a type', () => {
    expectTypeOf(typeOf({ enum: ['a', 1, null] })).toEqualTypeOf<'a' | 1 | null>()
    expectTypeOf(typeOf({ type: 'string', enum: ['a', 'b'] })).toEqualTypeOf<'a' | 'b'>()
    expectTypeOf(typeOf({ const: 'a' })).toEqualTypeOf<'a'>()
  })

  it('tells required keys from optional ones, nested too', () => {
    const place = typeOf({
      type: 'object',
      properties: {
        city: { type: 'string' },
        at: {
          type: 'object',
          properties: { lat: { type: 'number' }, note: { type: 'string' } },
          required: ['lat'],
        },
      },
      required: ['at'],
    })
    expectTypeOf(place).toEqualTypeOf<{ at: { lat: number; note?: string }; city?: string }>()
    // @ts-expect-error no such key
    void place.town
  })

  it('offers more keys only where additionalProperties says so', () => {
    expectTypeOf(typeOf({ type: 'object' })).toEqualTypeOf<Record<string, unknown>>()
    const scores = typeOf({ type: 'object', additionalProperties: { type: 'number' } })
    expectTypeOf(scores).toEqualTypeOf<Record<string, number>>()
    const properties = { city: { type: 'string' } } as const
    const closed = typeOf({ type: 'object', properties, additionalProperties: false })
    expectTypeOf(closed).toEqualTypeOf<{ city?: string }>()
    const open = typeOf({ type: 'object', properties, additionalProperties: true })
    expectTypeOf(open.city).toEqualTypeOf<string | undefined>()
    expectTypeOf(open['other']).toEqualTypeOf<unknown>()
  })

  it('knows arrays and tuples', () => {
    expectTypeOf(typeOf({ type: 'array' })).toEqualTypeOf<unknown[]>()
    expectTypeOf(typeOf({ type: 'array', items: { type: 'string' } })).toEqualTypeOf<string[]>()
    expectTypeOf(typeOf({ items: { enum: ['a', 'b'] } })).toEqualTypeOf<('a' | 'b')[]>()
    const prefixItems = [{ type: 'string' }, { type: 'number' }] as const
    const closed = typeOf({ type: 'array', prefixItems, items: false })
    expectTypeOf(closed).toEqualTypeOf<[string, number]>()
    const open = typeOf({ type: 'array', prefixItems, items: { type: 'boolean' } })
    expectTypeOf(open).toEqualTypeOf<[string, number, ...boolean[]]>()
  })

  it('joins anyOf and oneOf, and crosses allOf', () => {
    const either = [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] as const
    expectTypeOf(typeOf({ anyOf: either })).toEqualTypeOf<string | number[]>()
    expectTypeOf(typeOf({ oneOf: either })).toEqualTypeOf<string | number[]>()
    const both = typeOf({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    })
    expectTypeOf(both).toMatchObjectType<{ a: string; b: number }>()
    const conditions = typeOf({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    })
    expectTypeOf(conditions).toEqualTypeOf<{ a?: string; b?: number }>()
  })

  it('is unknown where it does not know, and never for false', () => {
    expectTypeOf(typeOf({ $ref: '#/$defs/a' })).toEqualTypeOf<unknown>()
    expectTypeOf(typeOf({})).toEqualTypeOf<unknown>()
    expectTypeOf(typeOf(true)).toEqualTypeOf<unknown>()
    expectTypeOf(typeOf(false)).toEqualTypeOf<never>()
    expectTypeOf<FromJsonSchema<JSONSchema>>().toEqualTypeOf<unknown>()
    const wide = { type: 'object', properties: { a: { type: 'string' } } }
    expectTypeOf<FromJsonSchema<typeof wide>>().toEqualTypeOf<unknown>()
  })

  it('ends in schemas without an end', () => {
    interface Endless {
      readonly anyOf: readonly [Endless, { readonly type: 'string' }]
    }
    interface Tree {
      readonly type: 'object'
      readonly properties: { readonly child: Tree; readonly name: { readonly type: 'string' } }
    }
    expectTypeOf<FromJsonSchema<Endless>>().toEqualTypeOf<unknown>()
    type Grandchild = NonNullable<NonNullable<FromJsonSchema<Tree>['child']>['child']>
    expectTypeOf<Grandchild['name']>().toEqualTypeOf<string | undefined>()
  })
})

describe('ArgsOf', () => {
  it('is always an object', () => {
    expectTypeOf<ArgsOf<JSONSchema>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<{ readonly type: 'string' }>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<StandardSchema>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<StandardSchema<string>>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<StandardSchema<{ a: 1 } | null>>>().toEqualTypeOf<{ a: 1 }>()
  })

  it('has two sides for a Standard Schema', () => {
    type Schema = StandardSchema<{ on: string }, { on: Date }>
    expectTypeOf<ArgsOf<Schema>>().toEqualTypeOf<{ on: Date }>()
    expectTypeOf<ArgsOf<Schema, 'input'>>().toEqualTypeOf<{ on: string }>()
  })
})
