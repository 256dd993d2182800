import { type } from 'arktype'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { StandardIssue, StandardResult, StandardSchema, ToolValidator } from './types'
import { validateArgs } from './validateArgs'

function schema(
  validate: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>,
): StandardSchema {
  return { '~standard': { version: 1, vendor: 'own', validate } }
}

const tool = { name: 'a' }
const args = { city: 'Oslo' }

describe('validateArgs', () => {
  it('lets everything pass without schema and validator', async () => {
    const parameters = { type: 'object', required: ['missing'] }
    expect(await validateArgs(tool, args)).toEqual({ args })
    expect(await validateArgs({ name: 'a', parameters }, args)).toEqual({ args })
  })

  it('asks the validator about a tool with a JSON Schema, and keeps the arguments as they are', async () => {
    const described = { name: 'a', parameters: { type: 'object' } }
    const validator = vi.fn<ToolValidator>(() => undefined)
    expect(await validateArgs(described, args, validator)).toEqual({ args })
    expect(validator).toHaveBeenCalledExactlyOnceWith(described, args)
    expect(await validateArgs(tool, args, () => 'city: not a city')).toEqual({
      error: 'city: not a city',
    })
  })

  it('takes any text of a validator as an error, the empty one too', async () => {
    expect(await validateArgs(tool, args, () => '')).toEqual({ error: '' })
  })

  it('waits for a check that takes its time', async () => {
    const later = () => Promise.resolve('no')
    expect(await validateArgs(tool, args, later)).toEqual({ error: 'no' })
    const parameters = schema((value) => Promise.resolve({ value: [value] }))
    expect(await validateArgs({ name: 'a', parameters }, args)).toEqual({ args: [args] })
  })

  it('lets a Standard Schema decide alone', async () => {
    const validator = vi.fn<ToolValidator>(() => 'never asked')
    const parameters = schema((value) => ({ value }))
    expect(await validateArgs({ name: 'a', parameters }, args, validator)).toEqual({ args })
    expect(validator).not.toHaveBeenCalled()
  })

  it('gives execute what the schema makes of the arguments', async () => {
    const unit = z.string().default('celsius')
    const parameters = z.object({ city: z.string().transform((text) => text.length), unit })
    expect(await validateArgs({ name: 'a', parameters }, args)).toEqual({
      args: { city: 4, unit: 'celsius' },
    })
  })

  it.each<[string, StandardIssue[], string]>([
    ['a message alone', [{ message: 'wrong' }], 'wrong'],
    ['an empty path', [{ message: 'wrong', path: [] }], 'wrong'],
    ['keys', [{ message: 'wrong', path: ['stops', 1, 'city'] }], 'stops.1.city: wrong'],
    ['key objects', [{ message: 'wrong', path: [{ key: 'stops' }, { key: 0 }] }], 'stops.0: wrong'],
    ['a symbol', [{ message: 'wrong', path: [Symbol('s')] }], 'Symbol(s): wrong'],
    ['several', [{ message: 'one', path: ['a'] }, { message: 'two' }], 'a: one; two'],
  ])('writes issues as one text: %s', async (_, issues, error) => {
    const parameters = schema(() => ({ issues }))
    expect(await validateArgs({ name: 'a', parameters }, args)).toEqual({ error })
  })

  it.each<[string, StandardSchema]>([
    ['zod', z.object({ city: z.object({ name: z.string() }) })],
    ['valibot', v.object({ city: v.object({ name: v.string() }) })],
    ['arktype', type({ city: { name: 'string' } })],
  ])('names the place of an issue, and accepts what fits: %s', async (_, parameters) => {
    const found = { name: 'a', parameters }
    const good = { city: { name: 'Oslo' } }
    expect(await validateArgs(found, good)).toEqual({ args: good })
    expect(await validateArgs(found, { city: { name: 1 } })).toEqual({
      error: expect.stringMatching(/^city\.name: .*string/),
    })
  })

  it('gives either arguments or an error, as the schema says', async () => {
    const parameters = z.record(z.string(), z.number().max(100))
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.oneof(fc.nat(200), fc.string())),
        async (given) => {
          const fits = Object.values(given).every(
            (value) => typeof value === 'number' && value <= 100,
          )
          expect(Object.keys(await validateArgs({ name: 'a', parameters }, given))).toEqual([
            fits ? 'args' : 'error',
          ])
        },
      ),
    )
  })
})
