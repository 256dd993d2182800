import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { compileDefinitionShape } from '../../scripts/compileDefinitionShape.mjs'
import example from '../../tools.example.json'
import schema from '../../tools.schema.json'
import { invalidPaths } from './definitionShape'
import { pointer } from './pointer'

const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

/** Where ajv itself finds an error. */
function place({ instancePath, params, propertyName }: ErrorObject): string {
  const key: unknown = params['missingProperty'] ?? propertyName ?? params['propertyName']
  return instancePath + (typeof key === 'string' ? pointer(key) : '')
}

describe('the compiled schema of definition files', () => {
  it('is what the script makes of tools.schema.json', async () => {
    const checkedIn = readFileSync(new URL('definitionShape.js', import.meta.url), 'utf8')
    expect(checkedIn, 'run node packages/vue-llm/scripts/compileDefinitionShape.mjs').toBe(
      await compileDefinitionShape(),
    )
  })

  it('runs where code may not be made of strings', () => {
    const checkedIn = readFileSync(new URL('definitionShape.js', import.meta.url), 'utf8')
    expect(checkedIn).not.toMatch(/ajv|\bFunction\b|\beval\b|import|require/)
  })

  it('takes the example', () => {
    expect(invalidPaths(example)).toEqual([])
  })

  it('finds an error where ajv finds one', () => {
    const value = fc.oneof(
      fc.constantFrom(null, 5, true, [], {}, '', 'a b', 'https://h.example/', 'GET', 'a\r\nb'),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ minLength: 63, maxLength: 66, unit: fc.constantFrom('a', '😀') }),
      fc.dictionary(
        fc.constantFrom('X-A', 'a b', '', 'a/b', '~', '__proto__', 'é'),
        fc.constantFrom('x', '\n', '€', 'ÿ', '\t', 5, null),
      ),
    )
    const field = fc.constantFrom(
      'name',
      'description',
      'parameters',
      'url',
      'method',
      'headers',
      'x',
    )
    const item = fc.oneof({ weight: 9, arbitrary: fc.dictionary(field, value) }, value)
    const file = fc.oneof({ weight: 9, arbitrary: fc.array(item, { maxLength: 4 }) }, value)
    fc.assert(
      fc.property(file, (data) => {
        validate(data)
        const expected = new Set((validate.errors ?? []).map(place))
        expect(new Set(invalidPaths(data))).toEqual(expected)
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})
