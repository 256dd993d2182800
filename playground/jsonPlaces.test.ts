import { propertyRuns } from '#test/propertyRuns'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPlaces, lineOf, placeOf } from './src/jsonPlaces.ts'

describe('places of values', () => {
  const text = '[\n  { "url": "x", "a/b~c": [1, -2.5e3] }\n]'
  const found = findPlaces(text)
  const shown = (pointer: string) => {
    const { start, end } = placeOf(found, pointer)
    return text.slice(start, end)
  }

  it.each([
    ['/0/url', '"x"'],
    ['/0/a~1b~0c/1', '-2.5e3'],
    ['/0', '{ "url": "x", "a/b~c": [1, -2.5e3] }'],
    ['', text],
  ])('%s is %s', (pointer, value) => expect(shown(pointer)).toBe(value))

  it.each([
    ['/0/name', '{'],
    ['/0/headers/Accept', '{'],
    ['/7', '['],
  ])('%s is missing: the place is where it should be in', (pointer, value) => {
    expect(shown(pointer)).toBe(value)
  })

  it('have line and column, from 1', () => {
    expect(lineOf(text, placeOf(found, '/0/url').start)).toEqual({ line: 2, column: 12 })
    expect(lineOf(text, 0)).toEqual({ line: 1, column: 1 })
  })

  it('any JSON has one for each of its values, which holds that value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent)
        const { places, error } = findPlaces(json)
        expect(error).toBe(undefined)
        const visit = (item: unknown, pointer: string): number => {
          const { start, end } = places.get(pointer) ?? { start: 0, end: 0 }
          expect(JSON.parse(json.slice(start, end))).toEqual(JSON.parse(JSON.stringify(item)))
          if (!(item instanceof Object)) return 1
          return Object.entries(item).reduce((count, [key, inner]) => {
            const name = key.replace(/~/g, '~0').replace(/\//g, '~1')
            return count + visit(inner, `${pointer}/${name}`)
          }, 1)
        }
        expect(visit(value, '')).toBe(places.size)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

describe('errors', () => {
  it.each([
    ['', 0, 'a value is missing here'],
    ['[1 2]', 3, 'expected a comma or ]'],
    ['[1,]', 3, 'expected a value'],
    ['{"a" 1}', 5, 'expected a colon'],
    ['{a: 1}', 1, 'expected a name in double quotes'],
    ['{"a": 1', 7, 'a comma or } is missing here'],
    ['["a\n"]', 3, 'a closing " is missing here'],
    ['["\\x"]', 2, 'expected a known escape'],
    ['[01]', 2, 'expected a comma or ]'],
    ['[1] x', 4, 'expected nothing more'],
    ["['a']", 1, 'expected a value'],
  ])('%j: at %d, %s', (text, start, message) => {
    expect(findPlaces(text).error).toMatchObject({ start, message })
  })

  it('are found exactly where JSON.parse finds any', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', ',', '}', '[', '\\', '0', '\t'),
      )
      .map(([json, at, gone, put]) => {
        const start = at % (json.length + 1)
        return json.slice(0, start) + put + json.slice(start + gone)
      })
    fc.assert(
      fc.property(broken, (text) => {
        let isJSON = true
        try {
          JSON.parse(text)
        } catch {
          isJSON = false
        }
        const { error } = findPlaces(text)
        expect(error === undefined).toBe(isJSON)
      }),
      { numRuns: propertyRuns(1000) },
    )
  })
})
