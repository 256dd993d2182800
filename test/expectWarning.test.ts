import { afterEach, expect, test } from 'vitest'
import { expectWarning, settleWarnings, warnings } from './expectWarning.ts'

afterEach(() => {
  warnings.expected = []
  warnings.unexpected = []
})

test('an unexpected warning fails the test', () => {
  console.warn('one', { two: 2 })
  expect(settleWarnings).toThrow('console.warn: one {"two":2}')
})

test('an unexpected error fails the test', () => {
  console.error(new Error('broken'))
  expect(settleWarnings).toThrow('broken')
})

test('an expected warning passes, whether announced before or after', () => {
  expectWarning(/first/)
  console.warn('the first')
  console.error('the second')
  expectWarning(/second/)
  expect(settleWarnings).not.toThrow()
})

test('an expected warning that never comes fails the test', () => {
  expectWarning(/never/)
  expect(settleWarnings).toThrow('/never/')
})

test('one expected warning does not allow another', () => {
  expectWarning(/first/)
  console.warn('first')
  console.warn('other')
  expect(settleWarnings).toThrow('other')
})
