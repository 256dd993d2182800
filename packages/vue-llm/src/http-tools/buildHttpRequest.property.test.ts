import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { isPlainObject } from '../core'
import { buildHttpRequest } from './buildHttpRequest'
import type { HttpRequest, HttpToolDefinition } from './types'

const numRuns = propertyRuns(500)

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        '.',
        '/',
        '\\',
        '%',
        '2e',
        '2F',
        '?',
        '#',
        '@',
        ':',
        '{',
        '}',
        '&',
        '=',
        ' ',
        '\ud800',
        '\r',
        '\n',
        '$&',
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

/** What a well-behaved server reads of a text that may hold halves of a pair. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd')

/** The request, or the error as text. */
function outcome(definition: HttpToolDefinition, args: unknown): HttpRequest | string {
  try {
    return buildHttpRequest(definition, args)
  } catch (error) {
    return `${error as Error}`
  }
}

describe('any value', () => {
  const url = 'https://u:p@h.example:8443/a/{v}/b?x=1&q={v}&y=[{w}]'
  const parameters = { type: 'object', properties: { v: {}, w: {} } }

  it('stays within its segment, its pair and its header, or is refused', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (v, w, name) => {
        const headers = { 'X-V': '<{v}>' }
        const args = { v, w, [`r${name}`]: v }
        const request = outcome({ name: 't', url, method: 'GET', parameters, headers }, args)
        if (typeof request === 'string') {
          return /^ToolError: tool request failed: (missing a|a)rgument 'v'/.test(request)
        }
        const { origin, pathname, search, hash } = new URL(request.url)
        expect(origin + hash).toBe('https://h.example:8443')
        const [, a, value, b, ...more] = pathname.split('/')
        expect([a, b, more]).toEqual(['a', 'b', []])
        expect(decodeURIComponent(value ?? '')).toBe(wellFormed(v))
        const pairs = search
          .slice(1)
          .split('&')
          .map((pair) => pair.split('=').map(decodeURIComponent))
        expect(pairs).toEqual([
          ['x', '1'],
          ['q', wellFormed(v)],
          ['y', `[${wellFormed(w)}]`],
          [wellFormed(`r${name}`), wellFormed(v)],
        ])
        expect(new Headers(request.headers).get('x-v')).toBe(`<${v}>`)
        return true
      }),
      { numRuns },
    )
  })

  it('as JSON never ends in anything but a request or a ToolError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('GET', 'POST', 'x y'), (args, method) => {
        const request = outcome({ name: 't', url, method, parameters }, args)
        expect(
          typeof request === 'string'
            ? request.startsWith('ToolError: ')
            : method === 'GET'
              ? request.body === null
              : isPlainObject(JSON.parse(`${request.body}`)),
        ).toBe(true)
      }),
      { numRuns },
    )
  })
})
