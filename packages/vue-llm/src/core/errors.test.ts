import { describe, expect, it, vi } from 'vitest'
import { errorText, isLLMError, LLMError, toLLMError, ToolError } from './errors'

describe('LLMError', () => {
  it('is an Error with a code, and with what is known', () => {
    const cause = new Error('why')
    const error = new LLMError('http', 'no', { cause, status: 429, body: 'b', retryAfter: 5 })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'LLMError',
      code: 'http',
      message: 'no',
      status: 429,
      body: 'b',
      retryAfter: 5,
    })
    expect(error.cause).toBe(cause)
    expect(String(error)).toBe('LLMError: no')
  })

  it('has no fields for what is not known', () => {
    const error = new LLMError('misuse', 'no')
    for (const field of ['cause', 'status', 'body', 'retryAfter']) {
      expect(error).not.toHaveProperty(field)
    }
  })
})

describe('isLLMError', () => {
  it('knows its own, by code too', () => {
    const error: unknown = new LLMError('http', 'no')
    expect(isLLMError(error)).toBe(true)
    expect(isLLMError(error, 'http')).toBe(true)
    expect(isLLMError(error, 'network')).toBe(false)
  })

  it('knows those of another copy of the package', async () => {
    vi.resetModules()
    const copy = await import('./errors')
    expect(copy.LLMError).not.toBe(LLMError)
    expect(isLLMError(new copy.LLMError('http', 'no'), 'http')).toBe(true)
    expect(copy.isLLMError(new LLMError('http', 'no'))).toBe(true)
  })

  it.each([
    ['an Error', new Error('x')],
    ['an error that looks like one', Object.assign(new Error('x'), { code: 'http' })],
    ['a ToolError', new ToolError('x')],
    ['an object', { name: 'LLMError', code: 'http', message: 'x' }],
    ['null', null],
    ['undefined', undefined],
    ['a string', 'http'],
  ])('does not take %s for one', (_what, value) => {
    expect(isLLMError(value)).toBe(false)
  })
})

describe('toLLMError', () => {
  it('leaves an LLMError as it is', () => {
    const error = new LLMError('http', 'no')
    expect(toLLMError(error, 'misuse')).toBe(error)
  })

  it('makes one of anything else, and keeps that as its cause', () => {
    const thrown = new TypeError('x')
    expect(toLLMError(thrown)).toMatchObject({ code: 'provider', message: 'x', cause: thrown })
    expect(toLLMError('y', 'network')).toMatchObject({ code: 'network', message: 'y', cause: 'y' })
  })
})

const named = new Error('')
named.name = 'AbortError'

describe('errorText', () => {
  it.each([
    ['an Error', new Error('no such city'), 'no such city'],
    ['an Error without a message', named, 'AbortError'],
    ['a string', 'no', 'no'],
    ['a number', 404, '404'],
    ['an object with a message', { message: 'no' }, 'no'],
    ['a symbol', Symbol('no'), 'Symbol(no)'],
  ])('of %s is what it says, without a prefix', (_what, thrown, text) => {
    expect(errorText(thrown)).toBe(text)
  })

  it.each([
    ['an empty string', ''],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
    ['an object without a prototype', Object.create(null) as unknown],
    ['an object whose message is no text', { message: { code: 1 } }],
    ['an empty list', []],
    ['false', false],
  ])('of %s is some text all the same', (_what, thrown) => {
    const text: unknown = errorText(thrown)
    expect(typeof text).toBe('string')
    expect(text).not.toBe('')
  })
})
