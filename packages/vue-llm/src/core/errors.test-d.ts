import { expectTypeOf, test } from 'vitest'
import { isLLMError, type LLMError } from './errors'

declare const thrown: unknown
declare const error: LLMError

test('something thrown becomes an LLMError', () => {
  if (isLLMError(thrown)) {
    expectTypeOf(thrown).toEqualTypeOf<LLMError>()
  }
  if (isLLMError(thrown, 'http')) {
    expectTypeOf(thrown.status).toEqualTypeOf<number | undefined>()
  }
})

test('one code after the other can be asked for', () => {
  if (isLLMError(error, 'http')) expectTypeOf(error.code).toEqualTypeOf<'http'>()
  else if (isLLMError(error, 'timeout')) expectTypeOf(error.code).toEqualTypeOf<'timeout'>()
  else expectTypeOf(error).toEqualTypeOf<LLMError>()
})
