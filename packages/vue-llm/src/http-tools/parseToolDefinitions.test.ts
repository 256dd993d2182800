import { describe, expect, it } from 'vitest'
import example from '../../tools.example.json'
import { isLLMError } from '../core'
import { parseToolDefinitions } from './parseToolDefinitions'
import type { DefinitionOptions } from './types'

const ok = { name: 'a', description: 'd', url: 'https://h.example/' }

/** The problems as `path: message`. */
function errorsOf(input: unknown, options?: DefinitionOptions): string[] {
  try {
    parseToolDefinitions(input, options)
    return []
  } catch (error) {
    if (!isLLMError(error, 'invalid-definition') || !error.errors) throw error
    return error.errors.map(({ path, message }) => `${path}: ${message}`)
  }
}

const warningsOf = (input: unknown) =>
  parseToolDefinitions(input).warnings.map(({ path, message }) => `${path}: ${message}`)

describe('reading a file', () => {
  it('1, 35: text, bytes and parsed JSON give the same', () => {
    const definitions = [{ ...ok, parameters: { type: 'object', 'x-b': 1, 'x-a': [null] } }]
    const text = JSON.stringify(definitions)
    for (const input of [
      definitions,
      text,
      `\ufeff${text}`,
      new TextEncoder().encode(`\ufeff${text}`),
    ]) {
      expect(parseToolDefinitions(input)).toEqual({ definitions, warnings: [] })
    }
  })

  it("the guide's examples come back unchanged, without a warning", () => {
    const { definitions, warnings } = parseToolDefinitions(JSON.stringify(example))
    expect(JSON.stringify(definitions)).toBe(JSON.stringify(example))
    expect(warnings).toEqual([])
    expect(definitions).toHaveLength(10)
  })

  it('D26: an empty array is no error here', () => {
    expect(parseToolDefinitions([])).toEqual({ definitions: [], warnings: [] })
  })

  it('D26: null for an optional field is as good as absent', () => {
    const input = { ...ok, parameters: null, method: null, headers: null }
    expect(parseToolDefinitions([input]).definitions).toEqual([ok])
    expect(warningsOf([{ ...ok, description: null }])).toEqual([
      '/0/description: missing, but models decide by it',
    ])
  })

  it('5, 9: unknown fields are left out with a warning; what is inside parameters stays', () => {
    const parameters = JSON.parse('{"type":"object","__proto__":{"x":1}}') as object
    const input = JSON.parse('{"__proto__":1,"a/b~":2,"strict":true}') as object
    const item = Object.defineProperties(
      { ...ok, parameters },
      Object.getOwnPropertyDescriptors(input),
    )
    expect(warningsOf([item])).toEqual([
      '/0/__proto__: unknown, ignored',
      '/0/a~1b~0: unknown, ignored',
      '/0/strict: unknown, ignored',
    ])
    const [definition] = parseToolDefinitions([item]).definitions
    expect(definition?.parameters).toBe(parameters)
    expect(Object.keys(definition ?? {})).toEqual(['name', 'description', 'url', 'parameters'])
  })

  it.each([
    ['', ': empty'],
    ['  ', ': empty'],
    ['{"name":"a"}', ': expected an array of definitions'],
    ['"x"', ': expected an array of definitions'],
    ['null', ': expected an array of definitions'],
    [undefined, ': expected an array of definitions'],
    [new Uint8Array([0x5b, 0xc3, 0x5d]), ': not UTF-8'],
    [new Uint8Array(), ': empty'],
  ])('2, D26: %j%s', (input, text) => {
    expect(errorsOf(input)).toEqual([text])
  })

  it('D26: broken JSON is an error that does not quote the file', () => {
    expect(errorsOf('[{"a": s3cret}]').join()).toMatch(/^: not valid JSON( \([^"]*\d\))?$/)
    expect(errorsOf('[1,').join()).not.toContain('s3cret')
  })
})

describe('D26: what is no definition', () => {
  it.each([
    ['/0/name', { name: { toString: '' }, url: 'http://a/' }],
    ['/0/url', { name: 'a', url: { toString: '' } }],
    ['/0/method', { name: 'a', url: 'http://a/', method: { toString: '' } }],
    ['/0/headers/x', { name: 'a', url: 'http://a/', headers: { x: { toString: '' } } }],
  ])('an object that can’t be made a string, at %s', (path, definition) => {
    expect(() => parseToolDefinitions([definition])).toThrow(
      expect.objectContaining({
        code: 'invalid-definition',
        errors: [{ path, message: expect.stringContaining('expected') as string }],
      }),
    )
  })

  const name = 'expected 1 to 64 characters without spaces, quotes, <, > and ='
  const header = 'expected a name and a text that fit in a header'
  const rows: [object | string | number | null, ...string[]][] = [
    ['x', '/0: expected an object'],
    [null, '/0: expected an object'],
    [[], '/0: expected an object'],
    [{}, `/0/name: missing, ${name}`, '/0/url: missing, expected a URL'],
    ...['', 'a b', 'a"b', "a'b", 'a`b', '<a', 'a>', 'a=b', 'a\n', 'x'.repeat(65), 5, null].map(
      (value): [object, string] => [{ ...ok, name: value }, `/0/name: ${name}`],
    ),
    ...[5, null, [], {}].map((url): [object, string] => [{ ...ok, url }, '/0/url: expected a URL']),
    ...['', 'x', '/items', 'ftp://h.example/', 'file:///x', 'https://', 'http://h:x/'].map(
      (url): [object, ...string[]] => [
        { ...ok, url },
        ...(url === 'https://h/{'
          ? []
          : ['/0/url: expected an absolute http(s) URL, or a baseURL']),
      ],
    ),
    [{ ...ok, description: 5 }, '/0/description: expected text'],
    [{ ...ok, parameters: [] }, '/0/parameters: expected a JSON Schema (an object)'],
    [{ ...ok, parameters: 'x' }, '/0/parameters: expected a JSON Schema (an object)'],
    [{ ...ok, method: 5 }, '/0/method: expected an HTTP method'],
    [{ ...ok, headers: [] }, '/0/headers: expected an object of texts'],
    [{ ...ok, headers: 'X-A: b' }, '/0/headers: expected an object of texts'],
    [{ ...ok, headers: { a: 5 } }, `/0/headers/a: ${header}`],
    [{ ...ok, headers: { a: null } }, `/0/headers/a: ${header}`],
    [{ ...ok, headers: { a: 'b\r\nc: d' } }, `/0/headers/a: ${header}`],
    [{ ...ok, headers: { a: '€' } }, `/0/headers/a: ${header}`],
    [{ ...ok, headers: { 'a b': 'c' } }, `/0/headers/a b: ${header}`],
    [{ ...ok, headers: { 'a/~': 'c' } }, `/0/headers/a~1~0: ${header}`],
    [{ ...ok, headers: { '': 'c' } }, `/0/headers/: ${header}`],
    [{ ...ok, headers: { 'x:': 'c' } }, `/0/headers/x:: ${header}`],
    ...[
      'Connection',
      'keep-alive',
      'Proxy-Authorization',
      'TRANSFER-ENCODING',
      'Upgrade',
      'te',
      'Trailer',
      'Content-Length',
      'Expect',
    ].map((one): [object, string] => [
      { ...ok, headers: { [one]: 'x' } },
      `/0/headers/${one}: belongs to the connection, not to a request`,
    ]),
    [
      { type: 'function', function: { name: 'a' } },
      `/0/name: missing, ${name}`,
      '/0/url: missing, expected a URL',
      '/0/function: expected its fields one level up, and a url',
    ],
  ]

  it.each(rows)('%j', (definition, ...errors) => {
    expect(errorsOf([definition])).toEqual(errors)
  })

  it('3: a name is used once', () => {
    expect(errorsOf([ok, { ...ok, name: 'b' }, ok])).toEqual(['/2/name: the name of /0 too'])
  })

  it('all problems are told at once, in the message too', () => {
    const input = [{ ...ok, url: 5 }, ok, { ...ok, headers: { te: '' } }]
    expect(errorsOf(input)).toEqual([
      '/0/url: expected a URL',
      '/1/name: the name of /0 too',
      '/2/name: the name of /0 too',
      '/2/headers/te: belongs to the connection, not to a request',
    ])
    expect(() => parseToolDefinitions(input)).toThrow(
      'Invalid tool definitions: /0/url: expected a URL; /1/name: the name of /0 too; ',
    )
  })

  it('relative URLs need a baseURL', () => {
    const relative = [{ ...ok, url: '/items/{id}' }]
    expect(errorsOf(relative)).toHaveLength(1)
    expect(errorsOf(relative, { baseURL: 'http://localhost:5173/' })).toEqual([])
  })
})

describe('D26: what is worth a warning', () => {
  const declared = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, {}])),
  })
  const key = declared('key')

  it.each<[object, ...string[]]>([
    [ok],
    [{ ...ok, description: '' }, '/0/description: missing, but models decide by it'],
    [{ ...ok, name: 'wetter.für' }, '/0/name: some models take letters, digits, _ and - only'],
    [{ ...ok, method: 'BAD VERB' }, '/0/method: cannot be sent'],
    [{ ...ok, method: '' }, '/0/method: cannot be sent'],
    [{ ...ok, method: 'connect' }, '/0/method: cannot be sent'],
    [{ ...ok, url: 'https://h.example/{id}' }, '/0/url: {id} is not declared in parameters'],
    [{ ...ok, url: 'https://h.example/{id}', parameters: declared('id') }],
    [{ ...ok, headers: { 'X-A': '{"a":1}' } }],
    [
      { ...ok, headers: { 'X-A': '{nope}' } },
      '/0/headers/X-A: {nope} is not declared in parameters',
    ],
    [{ ...ok, url: 'https://u:p@h.example/' }, '/0/url: secrets belong in headers'],
    [{ ...ok, url: 'https://h.example/?api_key=x' }, '/0/url: secrets belong in headers'],
    [{ ...ok, url: 'https://h.example/?a=1&access_token=x' }, '/0/url: secrets belong in headers'],
    ...[
      '{key}',
      '{key}/x',
      'https://{key}/',
      'https://a.{key}/',
      'http://a:{key}/',
      '{key}://a',
    ].map((url): [object, string] => [
      { ...ok, url, parameters: key },
      '/0/url: a call chooses the host: see allowedHosts',
    ]),
    [
      { ...ok, headers: { 'X-Key': '{key}' }, parameters: key, method: 'get' },
      '/0/headers/X-Key: its argument is sent in the query too: see headerArgs',
    ],
    [{ ...ok, headers: { 'X-Key': '{key}' }, parameters: key, method: 'PUT' }],
    [{ ...ok, headers: { 'X-A': '{key}' }, parameters: key, method: 'GET' }],
    [
      { ...ok, headers: { Cookie: 'x' }, method: 'TRACE' },
      '/0/headers/Cookie: a server may show it in its answer to TRACE',
    ],
    [
      { ...ok, headers: { 'content-type': 'text/csv' } },
      '/0/headers/content-type: the body is JSON all the same',
    ],
    [{ ...ok, headers: { 'content-type': 'application/vnd.api+json' } }],
    [
      { ...ok, headers: { 'X-A': '1', 'x-a': '2' } },
      '/0/headers/x-a: the same name again: the last counts',
    ],
  ])('6, 22, 45, D06, D08, D10, D14: %j', (definition, ...warnings) => {
    expect(warningsOf([definition])).toEqual(warnings)
  })

  it('more than 128 tools', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...ok, name: `t${i}` }))
    expect(warningsOf(many(128))).toEqual([])
    expect(warningsOf(many(129))).toEqual([': more than 128 tools, which some models refuse'])
  })
})
