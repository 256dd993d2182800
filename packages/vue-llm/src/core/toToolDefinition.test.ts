import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isLLMError } from './errors'
import { isStandardSchema, toToolDefinition } from './toToolDefinition'
import type { AnyTool, JSONSchema, StandardSchema } from './types'

const city: JSONSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

function standard(more: object = {}, jsonSchema?: unknown): StandardSchema {
  const validate = (value: unknown) => ({ value })
  return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema }, ...more }
}

function thrown(tool: AnyTool): unknown {
  try {
    return toToolDefinition(tool)
  } catch (error) {
    return error
  }
}

describe('toToolDefinition', () => {
  it('keeps name and description and drops everything that stays on this side', () => {
    const tool = { name: 'a', description: 'b', parameters: city, execute: () => 1, timeoutMs: 5 }
    expect(toToolDefinition(tool)).toEqual({ name: 'a', description: 'b', parameters: city })
  })

  it('leaves an absent or empty description out', () => {
    expect(Object.keys(toToolDefinition({ name: 'a' }))).toEqual(['name', 'parameters'])
    expect(toToolDefinition({ name: 'a', description: '' })).not.toHaveProperty('description')
  })

  it('hands a JSON Schema on unchanged, whatever is in it', () => {
    const parameters = { $schema: 'x', required: [], 'x-own': { a: 1 } }
    expect(toToolDefinition({ name: 'a', parameters }).parameters).toBe(parameters)
  })

  it('asks for any object where a tool has no parameters', () => {
    const empty = { type: 'object', properties: {} }
    expect(toToolDefinition({ name: 'a' }).parameters).toEqual(empty)
  })

  it.each<[string, StandardSchema]>([
    ['zod', z.object({ city: z.string() })],
    ['arktype', type({ city: 'string' })],
    ['valibot, wrapped', toStandardJsonSchema(v.object({ city: v.string() }))],
    ['a toJSONSchema method', standard({ toJSONSchema: () => ({ ...city, $schema: 'x' }) })],
    ['a toJsonSchema method', standard({ toJsonSchema: () => ({ ...city, $schema: 'x' }) })],
    ['Standard JSON Schema', standard({}, { input: () => ({ ...city, $schema: 'x' }) })],
  ])('takes the JSON Schema that a library makes itself: %s', (_, parameters) => {
    expect(toToolDefinition({ name: 'a', parameters }).parameters).toStrictEqual(city)
  })

  it('describes what the model writes, not what execute gets', () => {
    const unit = z.enum(['celsius', 'kelvin']).default('celsius')
    const parameters = z.object({ unit, at: z.string().transform((text) => new Date(text)) })
    expect(toToolDefinition({ name: 'a', parameters }).parameters).toMatchObject({
      properties: { unit: { default: 'celsius' }, at: { type: 'string' } },
      required: ['at'],
    })
    const asked: unknown[] = []
    const toJSONSchema = (options: unknown) => (asked.push(options), city)
    toToolDefinition({ name: 'a', parameters: standard({ toJSONSchema }) })
    const input = (options: unknown) => (asked.push(options), city)
    toToolDefinition({ name: 'a', parameters: standard({ toJSONSchema }, { input }) })
    expect(asked).toEqual([{ io: 'input' }, { target: 'draft-2020-12' }])
  })

  it('gives plain JSON only', () => {
    const parameters = z.toJSONSchema(z.object({ city: z.string() }), { io: 'input' })
    const made = toToolDefinition({ name: 'a', parameters }).parameters
    expect(Reflect.ownKeys(made).toSorted()).toEqual(['properties', 'required', 'type'])
    expect(structuredClone(made)).toEqual(made)
  })

  it('names tool, library and way out where a schema has no JSON Schema', () => {
    const error = thrown({ name: 'book', parameters: v.object({ city: v.string() }) })
    expect(isLLMError(error, 'misuse')).toBe(true)
    expect(String(error)).toMatch(/'book'.*valibot.*Standard JSON Schema.*write 'parameters'/)
  })

  it('says why a library could not make the JSON Schema', () => {
    const error = thrown({ name: 'book', parameters: z.object({ on: z.date() }) })
    expect(isLLMError(error, 'misuse')).toBe(true)
    expect(String(error)).toMatch(/'book'.*zod.*Date cannot be represented/)
    expect(error).toHaveProperty('cause', expect.any(Error))
  })
})

describe('isStandardSchema', () => {
  it.each<[boolean, string, AnyTool['parameters']]>([
    [false, 'nothing', undefined],
    [false, 'a JSON Schema', city],
    [true, 'zod', z.object({})],
    [true, 'valibot', v.object({})],
    [true, 'arktype, whose schemas are functions', type({ city: 'string' })],
  ])('is %s for %s', (expected, _, parameters) => {
    expect(isStandardSchema(parameters)).toBe(expected)
  })
})
