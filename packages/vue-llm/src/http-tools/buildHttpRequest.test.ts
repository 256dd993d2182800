// long: a named test for every rule of a request
import { describe, expect, it } from 'vitest'
import { buildHttpRequest } from './buildHttpRequest'
import type { HttpRequestOptions, HttpToolDefinition } from './types'

const declare = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

const get = (url: string, ...names: string[]): HttpToolDefinition => ({
  name: 't',
  url,
  method: 'GET',
  parameters: declare(...names),
})

const urlOf = (definition: HttpToolDefinition, args: object, options?: HttpRequestOptions) =>
  buildHttpRequest(definition, args, options).url

/** The text of the refusal, or what would be sent. */
function refusal(definition: HttpToolDefinition, args: unknown, options?: HttpRequestOptions) {
  try {
    return JSON.stringify(buildHttpRequest(definition, args, options))
  } catch (error) {
    return `${error as Error}`
  }
}

const failed = (detail: string) => `ToolError: tool request failed: ${detail}`

describe('the method', () => {
  it.each([
    [undefined, 'POST'],
    ['patch', 'PATCH'],
    ['pUrGe', 'PURGE'],
    ['m-search', 'M-SEARCH'],
    ["!#$%&'*+-.^_`|~", "!#$%&'*+-.^_`|~"],
  ])('7: %s goes out as %s', (method, sent) => {
    const definition = { name: 't', url: 'https://h.example/', ...(method && { method }) }
    expect(buildHttpRequest(definition, {}).method).toBe(sent)
  })

  it.each(['', ' GET', 'GET ', 'G T', 'gét', 'GET\r\nX: 1', 'A/B', 'A:B', '{verb}', 'ＧＥＴ'])(
    '22, D11: %j is refused when it is called, as it is written',
    (method) => {
      expect(refusal({ name: 'x', url: 'https://h.example/', method }, {})).toBe(
        `ToolError: invalid HTTP method '${method}' for tool 'x'`,
      )
    },
  )

  it('D11: null is no method, so that it is POST', () => {
    const definition = { name: 't', url: 'https://h.example/', method: null } as never
    expect(buildHttpRequest(definition, {}).method).toBe('POST')
  })

  it.each(['CONNECT', 'connect'])('D14: %s is sent from nowhere', (method) => {
    expect(refusal({ name: 't', url: 'https://h.example/', method }, {})).toBe(
      failed("HTTP method 'CONNECT' cannot be sent from this runtime"),
    )
  })
})

describe('where the arguments go (guide §3, by verb)', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])('16: %s: query, no body', (method) => {
    const definition = { name: 't', url: 'https://h.example/{id}?v=1', method }
    expect(buildHttpRequest(definition, { id: 5, force: true })).toEqual({
      method,
      url: 'https://h.example/5?v=1&force=true',
      headers: {},
      body: null,
    })
  })

  it.each(['POST', 'PUT', 'PATCH', 'PURGE', 'TRACK', 'QUERY'])('17: %s: a JSON body', (method) => {
    const definition = { name: 't', url: 'https://h.example/{id}?v=1', method }
    expect(buildHttpRequest(definition, { b: 'é', id: 5, a: [null, 1] })).toEqual({
      method,
      url: 'https://h.example/5?v=1',
      headers: { 'content-type': 'application/json' },
      body: '{"b":"é","a":[null,1]}',
    })
    expect(buildHttpRequest(definition, { id: 5 }).body).toBe('{}')
  })

  it('12: every placeholder is replaced, in URL and headers', () => {
    const definition = {
      ...get('https://h.example/{a}/{a}?x={a}', 'a'),
      headers: { 'X-A': '{a}-{a}', 'X-B': '({a})' },
    }
    expect(buildHttpRequest(definition, { a: 1 })).toMatchObject({
      url: 'https://h.example/1/1?x=1',
      headers: { 'x-a': '1-1', 'x-b': '(1)' },
    })
  })

  it.each([
    ['text', 'text'],
    [2, '2'],
    [-2.35, '-2.35'],
    [false, 'false'],
    [0, '0'],
    [1e21, '1e%2B21'],
  ])('13: %j is written %s', (value, text) => {
    expect(urlOf(get('https://h.example/{v}'), { v: value })).toBe(`https://h.example/${text}`)
  })

  it('14: what the URL took is not sent again, wherever it stands', () => {
    const definition = get('https://{host}/{path}?q={query}', 'host', 'path', 'query')
    const args = { host: 'h.example', path: 'p', query: 'q', rest: 'r' }
    expect(urlOf(definition, args, { allowedHosts: ['h.example'] })).toBe(
      'https://h.example/p?q=q&rest=r',
    )
    const post = { ...definition, method: 'POST' }
    expect(buildHttpRequest(post, args, { allowedHosts: ['h.example'] }).body).toBe('{"rest":"r"}')
  })

  it('15, D06: what only a header took is sent all the same, unless headerArgs is omit', () => {
    const headers = { 'X-Key': '{key}' }
    const asQuery = { ...get('https://h.example/', 'key'), headers }
    const asBody = { ...asQuery, method: 'POST' }
    expect(urlOf(asQuery, { key: 'k' })).toBe('https://h.example/?key=k')
    expect(buildHttpRequest(asBody, { key: 'k', a: 1 }).body).toBe('{"key":"k","a":1}')
    expect(urlOf(asQuery, { key: 'k' }, { headerArgs: 'omit' })).toBe('https://h.example/')
    const omitted = buildHttpRequest(asBody, { key: 'k', a: 1 }, { headerArgs: 'omit' })
    expect(omitted).toMatchObject({ body: '{"a":1}', headers: { 'x-key': 'k' } })
  })

  it('19: arguments that the schema does not name are sent', () => {
    expect(urlOf(get('https://h.example/', 'a'), { a: 1, b: 2 })).toBe('https://h.example/?a=1&b=2')
  })
})

describe('values in a URL', () => {
  it.each([
    ['a b', 'a%20b'],
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['100%', '100%25'],
    ['%2e%2e', '%252e%252e'],
    ['%2F', '%252F'],
    ['?x=1#f&y', '%3Fx%3D1%23f%26y'],
    ["!'()*", '%21%27%28%29%2A'],
    ['A-z_0.~', 'A-z_0.~'],
    ['é😀', '%C3%A9%F0%9F%98%80'],
    ['a\ud800b', 'a%EF%BF%BDb'],
    ['\udc00', '%EF%BF%BD'],
    [';:@=+$,', '%3B%3A%40%3D%2B%24%2C'],
    ['\r\n\t\0', '%0D%0A%09%00'],
    ['{token}', '%7Btoken%7D'],
    ['$&$1', '%24%26%241'],
  ])('D01: %j becomes %s, in path, query, and query argument', (value, text) => {
    const args = { v: value }
    expect(urlOf(get('https://h.example/p/{v}/q'), args)).toBe(`https://h.example/p/${text}/q`)
    expect(urlOf(get('https://h.example/?x={v}'), args)).toBe(`https://h.example/?x=${text}`)
    expect(urlOf(get('https://h.example/'), args)).toBe(`https://h.example/?v=${text}`)
    expect(urlOf(get('https://h.example/'), { [value]: 1 })).toBe(`https://h.example/?${text}=1`)
  })

  it('D02: literal text around a placeholder in the query stays', () => {
    const definition = get('https://h.example/?at={lat},{lon}&q=({q})', 'lat', 'lon', 'q')
    expect(urlOf(definition, { lat: 1.5, lon: -2, q: 'a b' })).toBe(
      'https://h.example/?at=1.5,-2&q=(a%20b)',
    )
  })

  it('D03: what a placeholder is', () => {
    expect(urlOf(get('https://h.example/{user-id}', 'user-id'), { 'user-id': 7 })).toMatch(/\/7$/)
    // A given argument needs no declaration.
    expect(urlOf(get('https://h.example/{user id}'), { 'user id': 7 })).toMatch(/\/7$/)
    expect(urlOf(get('https://h.example/{}/{1}'), {})).toBe('https://h.example/%7B%7D/%7B1%7D')
    expect(urlOf(get('https://h.example/{{a}}'), { a: 1 })).toBe('https://h.example/%7B1%7D')
    expect(refusal(get('https://h.example/{nope}'), {})).toBe(failed("missing argument 'nope'"))
    // Names that JavaScript's objects have.
    expect(refusal(get('https://h.example/{constructor}'), {})).toBe(
      failed("missing argument 'constructor'"),
    )
    expect(urlOf(get('https://h.example/{a?b&c#d}', 'a?b&c#d'), { 'a?b&c#d': 1 })).toMatch(/\/1$/)
  })

  it('D03: a value is never looked at again', () => {
    const definition = { ...get('https://h.example/{a}/{b}', 'a', 'b'), headers: { 'X-A': '{a}' } }
    expect(buildHttpRequest(definition, { a: '{b}', b: 's3cret' })).toMatchObject({
      url: 'https://h.example/%7Bb%7D/s3cret',
      headers: { 'x-a': '{b}' },
    })
  })

  it.each([[{}], [{ id: null }], [{ id: '' }], [{ id: [] }], [{ id: [null] }]])(
    'D04: no request without a value in the path: %j',
    (args) => {
      const definition = { ...get('https://h.example/items/{id}', 'id'), method: 'DELETE' }
      expect(refusal(definition, args)).toBe(failed("missing argument 'id'"))
    },
  )

  it.each([
    ['?q={q}&l={l}', { q: 'x' }, '?q=x'],
    ['?q={q}&l={l}', { q: null, l: 'x' }, '?l=x'],
    ['?q={q}', {}, ''],
    ['?q={q}', { q: [] }, ''],
    ['?q={q}', { q: '' }, '?q='],
    ['?a&q={q}&b', {}, '?a&b'],
    ['?q={q}#f', {}, ''],
    ['?q={q}', { other: 1 }, '?other=1'],
  ])('D04: %s with %j is %s', (template, args, query) => {
    expect(urlOf(get(`https://h.example/${template}`, 'q', 'l'), args)).toBe(
      `https://h.example/${query}`,
    )
  })

  it.each(['?q=a{q}', '?q={q}b', '?x=y={q}', '?{q}', '?{q}=1', '?at={q},{r}'])(
    'D04: a value that is missing within %s is an error',
    (template) => {
      expect(refusal(get(`https://h.example/${template}`, 'q', 'r'), { r: 1 })).toBe(
        failed("missing argument 'q'"),
      )
    },
  )

  it('D04: a default of the schema is not filled in', () => {
    const parameters = { type: 'object', properties: { id: { default: 1 } } }
    expect(refusal({ name: 't', url: 'https://h.example/{id}', parameters }, {})).toBe(
      failed("missing argument 'id'"),
    )
  })

  it.each([
    [['a', 'b c'], 'v=a&v=b%20c', 'a,b%20c'],
    [[1, true, null, 'x'], 'v=1&v=true&v=x', '1,true,x'],
    [[], '', undefined],
    [null, '', undefined],
    [[[1], null], 'v=%5B%5B1%5D%2Cnull%5D', '%5B%5B1%5D%2Cnull%5D'],
    [{ a: 1 }, 'v=%7B%22a%22%3A1%7D', '%7B%22a%22%3A1%7D'],
    ['', 'v=', undefined],
  ])('D05: %j in a query is %s, in a path %s', (value, query, path) => {
    expect(urlOf(get('https://h.example/'), { v: value })).toBe(
      `https://h.example/${query && '?'}${query}`,
    )
    expect(refusal(get('https://h.example/{v}'), { v: value })).toContain(
      path === undefined ? "missing argument 'v'" : `"https://h.example/${path}"`,
    )
  })

  it('D05: a body holds values as they are, null too', () => {
    const args = { a: null, b: [null, {}], c: '' }
    expect(buildHttpRequest({ name: 't', url: 'https://h.example/' }, args).body).toBe(
      JSON.stringify(args),
    )
  })

  it('D07: the query of the template stays byte for byte, and first', () => {
    expect(urlOf(get('https://h.example/?a=b%20c&flag&z=1+2&%E0&&'), { q: 1 })).toBe(
      'https://h.example/?a=b%20c&flag&z=1+2&%E0&&&q=1',
    )
  })

  it('D07: what the template fixes is not sent again, and fragments are not sent', () => {
    expect(urlOf(get('https://h.example/?q=1&a%20b=2#frag?x={y}'), { q: 9, 'a b': 9, r: 3 })).toBe(
      'https://h.example/?q=1&a%20b=2&r=3',
    )
    expect(urlOf(get('https://h.example/?q={query}', 'query'), { query: 1, q: 9 })).toBe(
      'https://h.example/?q=1',
    )
    // Its pair is left out, and fixed all the same.
    expect(urlOf(get('https://h.example/?q={query}', 'query'), { q: 9 })).toBe('https://h.example/')
  })

  it.each(['.', '..', '../x', 'a/..', 'a\\..\\b', './a', 'a/./b'])(
    'D12: %j is refused in a path',
    (id) => {
      expect(refusal(get('https://h.example/items/{id}'), { id })).toBe(
        failed("argument 'id' is not allowed in the URL path"),
      )
      expect(urlOf(get('https://h.example/items?f={id}'), { id })).toContain('?f=')
    },
  )

  it.each(['...', 'a..b', '.a', '..a', 'a.'])('D12: %j is fine in a path', (id) => {
    expect(urlOf(get('https://h.example/items/{id}'), { id })).toBe(`https://h.example/items/${id}`)
  })

  it('D35: a URL takes 8 KiB', () => {
    expect(urlOf(get('https://h.example/'), { a: 'x'.repeat(8000) })).toHaveLength(8021)
    expect(refusal(get('https://h.example/'), { a: 'x'.repeat(8192) })).toBe(
      failed('URL longer than 8 KiB'),
    )
  })
})

describe('headers', () => {
  const post = (headers: Record<string, string>, ...names: string[]): HttpToolDefinition => ({
    name: 't',
    url: 'https://h.example/',
    parameters: declare(...names),
    headers,
  })
  const headersOf = (definition: HttpToolDefinition, args: object = {}) =>
    buildHttpRequest(definition, args).headers

  it('8: go out as they are; names are no templates', () => {
    expect(headersOf(post({ 'X-Filter': '{"a":1} {nope} {}', '{a}': 'x' }), { a: 1 })).toEqual({
      'x-filter': '{"a":1} {nope} {}',
      '{a}': 'x',
      'content-type': 'application/json',
    })
  })

  it.each([[{}], [{ k: null }], [{ k: '' }], [{ k: [] }]])(
    'D04: one whose value is missing is left out: %j',
    (args) => {
      const definition = post({ Authorization: 'Bearer {k}', 'X-A': '1' }, 'k')
      expect(headersOf(definition, args)).toEqual({
        'x-a': '1',
        'content-type': 'application/json',
      })
    },
  )

  it.each(['a\r\nX-Evil: 1', 'a\n', '\0', 'é', '😀', 'a\u007f', '\u0080'])(
    'D13: %j is refused, and not echoed',
    (token) => {
      expect(refusal(post({ Authorization: 'Bearer {token}' }, 'token'), { token })).toBe(
        failed("argument 'token' has characters not allowed in a header"),
      )
    },
  )

  it('D13: a tab and visible ASCII are fine', () => {
    expect(headersOf(post({ 'X-A': '{a}' }, 'a'), { a: '\t ~!' })['x-a']).toBe('\t ~!')
  })

  it('D05: a list is joined by commas', () => {
    expect(headersOf(post({ 'X-A': '{a}' }, 'a'), { a: [1, null, 'b'] })['x-a']).toBe('1,b')
  })

  it('D08: Content-Type is ours only with a body and without one of the definition', () => {
    expect(headersOf(post({ 'content-TYPE': 'text/csv' }))).toEqual({ 'content-type': 'text/csv' })
    expect(headersOf({ ...post({}), method: 'DELETE' })).toEqual({})
    expect(headersOf(post({ 'Content-Type': '{t}' }, 't'))['content-type']).toBe('application/json')
  })

  it('D08: of two names that differ by case the last counts', () => {
    expect(headersOf({ ...post({ 'X-a': '1', 'x-A': '2' }), method: 'GET' })).toEqual({
      'x-a': '2',
    })
  })

  it.each([
    ['https://user:p%40ss@h.example/x', 'user:p@ss'],
    ['https://user@h.example/x', 'user:'],
    ['https://ü:%e2%82%ac%@h.example/x', 'ü:€%'],
  ])('D09: the credentials of %s become Basic', (url, credentials) => {
    expect(buildHttpRequest({ name: 't', url, method: 'GET' }, {})).toEqual({
      method: 'GET',
      url: 'https://h.example/x',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: null,
    })
  })

  it('D09: unless the definition has an Authorization, even one that is left out', () => {
    const definition = {
      ...get('https://user:pass@h.example/', 'token'),
      headers: { AUTHORIZATION: 'Bearer {token}' },
    }
    expect(headersOf(definition, { token: 't' })).toEqual({ authorization: 'Bearer t' })
    expect(headersOf(definition)).toEqual({})
  })

  it('D15: names of JavaScript objects are names as any', () => {
    const definition = post(
      JSON.parse('{"__proto__":"a","constructor":"b"}') as { [k: string]: string },
    )
    expect(Object.entries(headersOf(definition))).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['content-type', 'application/json'],
    ])
  })
})

describe('D10: a host that the call chooses', () => {
  const options = { allowedHosts: ['h.example', '*.example.com', 'LOCAL.test'] }

  it.each([
    ['https://{shop}.example.com/o', { shop: 'acme' }, 'https://acme.example.com/o'],
    ['https://{shop}.example.com/o', { shop: 'a.b' }, 'https://a.b.example.com/o'],
    ['{url}', { url: 'https://h.example/a?b=c&d' }, 'https://h.example/a?b=c&d'],
    ['{base}/x/{id}', { base: 'http://h.example:81/v1', id: '1' }, 'http://h.example:81/v1/x/1'],
    ['http://h.example:{port}/', { port: 8080 }, 'http://h.example:8080/'],
    ['{scheme}://h.example/', { scheme: 'http' }, 'http://h.example/'],
    ['https://{host}/', { host: 'LOCAL.TEST' }, 'https://local.test/'],
    // A whole URL has a query, which stays first, and a fragment, which is not sent.
    ['{url}', { url: 'https://h.example/a?b=c', d: 1 }, 'https://h.example/a?b=c&d=1'],
    ['{url}', { url: 'https://h.example/a?b=c', b: 1 }, 'https://h.example/a?b=c'],
    ['{url}', { url: 'https://h.example/a?', d: 1 }, 'https://h.example/a?d=1'],
    ['{url}', { url: 'https://h.example/a?b=c?d#e', f: 1 }, 'https://h.example/a?b=c?d&f=1'],
    ['{url}', { url: 'https://h.example/a#b?c' }, 'https://h.example/a'],
    ['{url}', { url: 'https://h.example/a#b', c: 1 }, 'https://h.example/a?c=1'],
    ['{base}/x?k={k}', { base: 'https://h.example', k: 'a&b' }, 'https://h.example/x?k=a%26b'],
  ])('%s with %j is %s', (url, args, sent) => {
    expect(urlOf(get(url), args, options)).toBe(sent)
  })

  it.each([
    ['https://{host}/x', { host: '169.254.169.254' }, "host '169.254.169.254' is not allowed"],
    ['https://{host}/x', { host: '0x7f.1' }, "host '127.0.0.1' is not allowed"],
    ['https://{host}/x', { host: '2130706433' }, "host '127.0.0.1' is not allowed"],
    ['https://{host}/x', { host: '017700000001' }, "host '127.0.0.1' is not allowed"],
    ['{url}', { url: 'http://①②⑦.0.0.1/' }, "host '127.0.0.1' is not allowed"],
    ['{url}', { url: 'http://[::ffff:127.0.0.1]/' }, "host '[::ffff:7f00:1]' is not allowed"],
    ['{url}', { url: 'https://h.example@evil.test/' }, "host 'evil.test' is not allowed"],
    ['{url}', { url: 'https://evil.test\\@h.example/' }, "host 'evil.test' is not allowed"],
    ['{url}', { url: 'https:evil.test' }, "host 'evil.test' is not allowed"],
    ['{url}', { url: 'https://evilexample.com' }, "host 'evilexample.com' is not allowed"],
    ['{url}', { url: 'https://example.com' }, "host 'example.com' is not allowed"],
    ['{url}', { url: 'https://h.example./' }, "host 'h.example.' is not allowed"],
    ['{url}', { url: ' \thttps://evil.test' }, "host 'evil.test' is not allowed"],
    ['{url}', { url: 'file:///etc/passwd' }, "scheme 'file' is not allowed"],
    ['{url}', { url: 'data:text/plain,hi' }, "scheme 'data' is not allowed"],
    ['{url}', { url: 'javascript:alert(1)' }, "scheme 'javascript' is not allowed"],
    ['{url}', { url: '/items' }, 'the URL is not valid'],
    ['{url}', {}, "missing argument 'url'"],
    ['https://{host}/x', {}, "missing argument 'host'"],
    ['https://{host}/x', { host: '' }, "missing argument 'host'"],
    [
      'https://{h}.example.com/',
      { h: 'evil.test/' },
      "argument 'h' is not allowed in the URL host",
    ],
    [
      'https://{h}.example.com/',
      { h: 'evil.test#' },
      "argument 'h' is not allowed in the URL host",
    ],
    ['https://{h}.example.com/', { h: 'evil@x' }, "argument 'h' is not allowed in the URL host"],
    ['https://{h}/', { h: '①②⑦.0.0.1' }, "argument 'h' is not allowed in the URL host"],
    ['https://{h}/', { h: '[::1]' }, "argument 'h' is not allowed in the URL host"],
    ['http://h.example:{p}/', { p: '80@x' }, "argument 'p' is not allowed in the URL host"],
    ['http://h.example:{p}/', { p: '80a' }, "argument 'p' is not allowed in the URL port"],
    [
      '{base}/x',
      { base: 'https://h.example/?a' },
      "argument 'base' is not allowed in the URL path",
    ],
    ['{base}/x', { base: 'https://h.example/#' }, "argument 'base' is not allowed in the URL path"],
    [
      '{base}/x',
      { base: 'https://h.example/..' },
      "argument 'base' is not allowed in the URL path",
    ],
    [
      '{base}/x',
      { base: 'https://h.example/%2E.' },
      "argument 'base' is not allowed in the URL path",
    ],
    ...['\t', '\n', '\r'].map((char): [string, object, string] => [
      '{base}/x',
      { base: `https://h.example/.${char}./y` },
      "argument 'base' is not allowed in the URL path",
    ]),
  ])('%s with %j: %s', (url, args, text) => {
    expect(refusal(get(url), args, options)).toBe(failed(text))
  })

  it('a host of the definition needs no list, a private one neither', () => {
    expect(urlOf(get('http://127.0.0.1:1/{a}'), { a: 1 })).toBe('http://127.0.0.1:1/1')
  })

  it('arguments within the credentials of a URL are no part of the host', () => {
    const definition = get('https://{user}:{pass}@h.example/', 'user', 'pass')
    const { url, headers } = buildHttpRequest(definition, { user: 'a@evil.test/', pass: ':' })
    expect(url).toBe('https://h.example/')
    expect(atob(headers['authorization']?.slice(6) ?? '')).toBe('a@evil.test/::')
  })

  it('a line break within the definition hides no host', () => {
    expect(refusal(get('ht\ntps://{host}/x'), { host: 'evil.test' })).toBe(
      failed("host 'evil.test' is not allowed"),
    )
  })
})

describe('relative URLs', () => {
  it('D26: are resolved against baseURL, whose origin is trusted', () => {
    const options = { baseURL: 'http://h.example/v1/' }
    expect(urlOf(get('/items/{id}'), { id: 'a/b' }, options)).toBe('http://h.example/items/a%2Fb')
    expect(urlOf(get('items?x=1'), { id: '5' }, options)).toBe('http://h.example/v1/items?x=1&id=5')
    expect(refusal(get('/items'), {})).toBe(failed('the URL is not valid'))
    expect(refusal(get('//{host}/'), { host: 'evil.test' }, options)).toBe(
      failed("host 'evil.test' is not allowed"),
    )
    expect(refusal(get('/{a}'), { a: '/evil.test' }, options)).toContain('/%2Fevil.test')
  })
})

describe('the arguments', () => {
  const definition = { name: 't', url: 'https://h.example/' }
  const invalid = (what: string) => `ToolError: invalid arguments for tool 't': ${what}`

  it.each(['{"__proto__":1}', '{"a":[{"b":{"__proto__":{"x":1}}}]}'])(
    'D15: %s is refused',
    (text) => {
      expect(refusal(definition, text)).toBe(invalid("forbidden key '__proto__'"))
      expect(refusal(definition, JSON.parse(text))).toBe(invalid("forbidden key '__proto__'"))
      expect(Object.prototype).not.toHaveProperty('x')
    },
  )

  it('D15: constructor and toString are names as any', () => {
    expect(buildHttpRequest(definition, { constructor: 1, toString: 2 }).body).toBe(
      '{"constructor":1,"toString":2}',
    )
  })

  it.each([undefined, null, '', '  ', '{}'])('D16: %j is no argument at all', (args) => {
    expect(buildHttpRequest(definition, args).body).toBe('{}')
  })

  it.each([
    ['{"city":', 'not valid JSON'],
    ['[1]', 'expected a JSON object'],
    ['"x"', 'expected a JSON object'],
    ['5', 'expected a JSON object'],
    [[1], 'expected a JSON object'],
    [5, 'expected a JSON object'],
  ])('D16: %j: %s', (args, text) => {
    expect(refusal(definition, args)).toBe(invalid(text))
  })

  it('D35: take 64 KiB', () => {
    const argsOf = (length: number) => ({ a: 'é'.repeat(length) })
    expect(buildHttpRequest(definition, argsOf(32_764)).body).toHaveLength(32_772)
    expect(refusal(definition, argsOf(32_765))).toBe(invalid('larger than 64 KiB'))
  })
})
