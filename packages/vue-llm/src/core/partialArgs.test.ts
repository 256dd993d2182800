import {
  array,
  assert,
  constant,
  constantFrom,
  double,
  integer,
  letrec,
  nat,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPartialArgs } from './partialArgs'

/** The snapshot after each of the pieces. */
function read(...pieces: string[]): unknown[] {
  const parser = createPartialArgs()
  return pieces.map((piece) => {
    parser.push(piece)
    return parser.value
  })
}

/** The snapshot of a text that ends here. */
const shown = (text: string): unknown => createPartialArgs(text).value

const end = (text: string): ReturnType<ReturnType<typeof createPartialArgs>['end']> =>
  createPartialArgs(text).end(text)

/** Cuts a text into pieces of these lengths, again and again. */
function cut(whole: string, lengths: number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, n = 0; at < whole.length; n++) {
    const next = at + (lengths[n % lengths.length] ?? 1)
    pieces.push(whole.slice(at, next))
    at = next
  }
  return pieces
}

describe('snapshots', () => {
  it.each([
    // what has come → what is shown
    ['', {}],
    ['  {', {}],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a":"', { a: '' }],
    ['{"a":"b', { a: 'b' }],
    ['{"a":{', { a: {} }],
    ['{"a":[', { a: [] }],
    ['{"a":["x",{"b":"y', { a: ['x', { b: 'y' }] }],
    ['{"a":1', {}],
    ['{"a":1,', { a: 1 }],
    ['{"a":1\n', { a: 1 }],
    ['{"a":-1.5e', {}],
    ['{"a":-1.5e3}', { a: -1500 }],
    ['{"a":[3, 44, 5', { a: [3, 44] }],
    ['{"a":[3, 44, 5]', { a: [3, 44, 5] }],
    ['{"a":tru', {}],
    ['{"a":true', {}],
    ['{"a":true,', { a: true }],
    ['{"a":null]', { a: null }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\\\', { a: 'x\\' }],
    ['{"a":"x\\\\\\', { a: 'x\\' }],
    ['{"a":"x\\\\\\"y', { a: 'x\\"y' }],
    ['{"a":"x\\u', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\u00e9', { a: 'xé' }],
    ['{"a":"x\\ud83d', { a: 'x' }],
    ['{"a":"x\\ud83d\\', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude0', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude00', { a: 'x😀' }],
    ['{"a":"x\ud83d', { a: 'x' }],
    ['{"a":"\ud83d', { a: '' }],
    ['{"a":"x\ud83dy', { a: 'x\ud83dy' }],
    ['{"a":"x\ud83d"', { a: 'x\ud83d' }],
  ])('shows of %j only what is certain', (text, expected) => {
    expect(shown(text)).toEqual(expected)
    expect(read(...text).at(-1) ?? {}).toEqual(expected)
  })

  it('joins a surrogate pair that the pushes cut', () => {
    expect(read('{"a":"\ud83d', '\ude00', '"}')).toEqual([{ a: '' }, { a: '😀' }, { a: '😀' }])
    expect(read('{"\ud83d', '\ude00":"x').at(-1)).toEqual({ '😀': 'x' })
    expect(read('{"a":"\\ud83', 'd\\ude', '00').at(-1)).toEqual({ a: '😀' })
  })

  it('shows a Windows path cut after its backslashes, and quotes escaped after them', () => {
    const pieces = ['{"dir":"D:\\', '\\work\\', '\\","say":"so \\', '"\\\\', '\\"."}']
    expect(read(...pieces)).toEqual([
      { dir: 'D:' },
      { dir: 'D:\\work' },
      { dir: 'D:\\work\\', say: 'so ' },
      { dir: 'D:\\work\\', say: 'so "\\' },
      { dir: 'D:\\work\\', say: 'so "\\".' },
    ])
  })

  it('gives the same object until there is something new', () => {
    const parser = createPartialArgs()
    const empty = parser.value
    for (const piece of ['{', ' ', '"ke', 'y"', ':', '']) {
      parser.push(piece)
      expect(parser.value).toBe(empty)
    }
    parser.push('"val')
    const val = parser.value
    expect(val).not.toBe(empty)
    for (const piece of ['', '\\', 'u00', 'e9"', ',', '"n":', '12']) {
      const before = parser.value
      parser.push(piece)
      expect(parser.value === before).toBe(piece !== 'e9"')
      expect(parser.value).toBe(parser.value)
    }
    expect(val).toEqual({ key: 'val' })
  })

  it('gives the same object when only the closing quote and bracket come', () => {
    for (const open of ['{"a":"', '{"a":"b']) {
      const parser = createPartialArgs(open)
      const before = parser.value
      for (const piece of ['"', ' ', '}']) parser.push(piece)
      expect(parser.value).toBe(before)
      expect(parser.end(`${open}"}`)).toEqual({ args: before })
    }
  })

  it('is frozen at its top, from the empty one to the last', () => {
    for (const text of ['', '{"a":[', '{"a":[]}']) expect(shown(text)).toSatisfy(Object.isFrozen)
    expect(end('{"a":1}')).toSatisfy((result: { args: object }) => Object.isFrozen(result.args))
  })

  it('shares what is closed and copies what is open', () => {
    const [first, second] = read('{"done":{"a":[1]},"open":{"b":"x', 'y') as {
      done: object
      open: object
    }[]
    expect(second?.done).toBe(first?.done)
    expect(second?.open).not.toBe(first?.open)
    expect(first?.open).toEqual({ b: 'x' })
  })

  it('gives the last snapshot of a finished tree as the arguments, also when asked again', () => {
    const whole = '{"a":{"b":[1,2]}}\n'
    const parser = createPartialArgs(whole)
    const { value } = parser
    for (const result of [parser.end(whole), parser.end(whole)]) {
      expect(result).toEqual({ args: { a: { b: [1, 2] } } })
      expect('args' in result && result.args).toBe(value)
    }
  })

  it('shows small arguments grow with every push, on each level', () => {
    const text = JSON.stringify({ list: [{ a: 'one two', b: ['three'] }, { a: 'four five' }] })
    let changes = 0
    let last: unknown
    for (const value of read(...text)) {
      if (last !== value) changes++
      last = value
    }
    expect(changes).toBeGreaterThan('one twothreefour five'.length)
  })

  it('shows a wide list grow before it is closed', () => {
    const sizes = new Set<number>()
    const parser = createPartialArgs('{"list":[')
    for (let n = 0; n < 20_000; n++) {
      parser.push(`${n % 10},`)
      sizes.add((parser.value['list'] as unknown[]).length)
    }
    expect(sizes.size).toBeGreaterThan(100)
    expect(Math.max(...sizes)).toBeGreaterThan(10_000)
  })

  it('shows a wide object of short members grow before it is closed', () => {
    const snapshots = new Set<object>()
    const parser = createPartialArgs('{')
    for (let n = 0; n < 20_000; n++) {
      parser.push(`"${n.toString(36)}":1,`)
      snapshots.add(parser.value)
    }
    expect(snapshots.size).toBeGreaterThan(25)
    expect(Object.keys(parser.value).length).toBeGreaterThan(5000)
  })

  it('shows what follows a wide container with every push again', () => {
    const parser = createPartialArgs(`{"list":[${'1,'.repeat(20_000)}`)
    expect(parser.value).toHaveProperty('list.length', 20_000)
    parser.push('1],"text":"a')
    expect(parser.value['text']).toBe('a')
    parser.push('b')
    expect(parser.value['text']).toBe('ab')
  })

  it('shows all of a wide object when it is whole', () => {
    const whole = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]))
    expect(shown(JSON.stringify(whole))).toEqual(whole)
    expect(shown(`{"a":${JSON.stringify(whole)},`)).toEqual({ a: whole })
  })
})

describe('keys', () => {
  it('makes __proto__ an own property, in copies too, and touches no prototype', () => {
    const text = '{"__proto__":{"polluted":1,"__proto__":{"x":"y"}},"b":{"__proto__":["z"]}}'
    for (const value of read(...text) as Record<string, unknown>[]) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.getPrototypeOf(value['b'] ?? {})).toBe(Object.prototype)
      expect('polluted' in value).toBe(false)
    }
    const half = shown('{"__proto__":{"polluted":"ye') as object
    expect(Object.getOwnPropertyDescriptor(half, '__proto__')?.value).toEqual({ polluted: 'ye' })
    const result = end(text)
    expect('args' in result && JSON.stringify(result.args)).toBe(JSON.stringify(JSON.parse(text)))
    expect(({} as { polluted?: 1 }).polluted).toBeUndefined()
  })

  it.each([
    '{"a":1,"b":2,"a":3}',
    '{"a":{"x":1},"a":{"y":2}}',
    '{"__proto__":1,"__proto__":{"b":2}}',
    '{"b":1,"2":2,"a":3,"1":4}',
    '{"":1,"constructor":2,"toString":"x","hasOwnProperty":null}',
  ])('keeps duplicates and order as JSON.parse does: %s', (text) => {
    const result = end(text)
    expect('args' in result && JSON.stringify(result.args)).toBe(JSON.stringify(JSON.parse(text)))
  })
})

describe('the end', () => {
  it.each(['', ' \n\t\r', 'null', ' null\n'])('takes %j as no arguments', (text) => {
    expect(end(text)).toEqual({ args: {} })
    const parser = createPartialArgs()
    for (const char of text) parser.push(char)
    expect(parser.end(text)).toEqual({ args: {} })
  })

  it.each(['[]', '[{"a":1}]', '"{}"', '12', '-0', 'true', 'false'])(
    'refuses %s, which is no object',
    (text) => expect(end(text)).toEqual({ error: 'expected a JSON object' }),
  )

  it.each([
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":NaN}',
    '{"a":undefined}',
    '{"a":True}',
    "{'a':1}",
    '{a:1}',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":[1}',
    '{,}',
    '{}}',
    '{} x',
    '{},',
    'null,',
    '{}{}',
    'nul',
    'hello there',
    '\u00a0{}',
    '{"a":"x\ny"}',
    '{"a\u0000":1}',
    '{"path":"App\\Http"}',
    '{"path":"C:\\users"}',
    '{"a":"\\u12"}',
    '{"a":"b',
    '{"a":"b\\u0',
    '{"a":12',
    '{"a":[1]',
    '{',
  ])('says of %j that it is not valid JSON, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    const error = 'not valid JSON'
    expect(end(text)).toEqual({ error })
    const parser = createPartialArgs()
    for (const char of text) parser.push(char)
    expect(parser.end(text)).toEqual({ error })
  })

  it.each(['-0', '0', '-1', '1e5', '1E+5', '2.50e-2', '1e999', '12345678901234567890', 'null'])(
    'takes %s as JSON.parse does',
    (text) => expect(end(`{"a":${text}}`)).toEqual({ args: { a: JSON.parse(text) as unknown } }),
  )

  it('takes white space wherever JSON does', () => {
    expect(end('\r\n{ "a"\t: [ 1 , { } , [ ] ] , "b" : "" } ')).toEqual({
      args: { a: [1, {}, []], b: '' },
    })
  })

  it('keeps the last good snapshot and the first error after an error', () => {
    const parser = createPartialArgs('{"path":"App\\Ht')
    parser.push('tp","n":2}')
    const { value } = parser
    const first = parser.end('{"path":"App\\Http","n":2}')
    for (const text of ['x', '}', '{"b":1}']) parser.push(text)
    expect(parser.value).toBe(value)
    expect(parser.end('{"path":"App\\Http","n":2}')).toEqual(first)
    expect(first).toHaveProperty('error')

    const later = createPartialArgs('{"a":"b","c":"d')
    later.push('\n')
    expect(later.value).toEqual({ a: 'b', c: 'd' })
  })

  it('bounds the depth, without a stack overflow', () => {
    const nest = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(end(nest(500))).toEqual({ args: JSON.parse(nest(500)) as unknown })
    expect(end(nest(501))).toEqual({ error: 'nested deeper than 500' })
    expect(end('{"a":'.repeat(1_000_000))).toHaveProperty('error')
    const siblings = `{"a":[${'[[]],'.repeat(2000)}1]}`
    expect(end(siblings)).toEqual({ args: JSON.parse(siblings) as unknown })
  })
})

/** JSON text of a document in one of its many spellings. */
function spell(value: unknown, style: number): string {
  const text = JSON.stringify(value, null, style % 3 === 1 ? '\t' : style % 3 === 2 ? ' \r\n' : '')
  if (style < 3) return text
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
    const units = (JSON.parse(quoted) as string).split('').map((unit) => unit.charCodeAt(0))
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
  })
}

/** Whether `later` is `earlier` grown: no key, element or beginning of a string is lost. */
function grew(earlier: unknown, later: unknown): boolean {
  if (typeof earlier === 'string') return typeof later === 'string' && later.startsWith(earlier)
  if (typeof earlier !== 'object' || earlier === null) return Object.is(earlier, later)
  return (
    typeof later === 'object' &&
    later !== null &&
    Array.isArray(earlier) === Array.isArray(later) &&
    Object.keys(earlier).every(
      (key) =>
        Object.hasOwn(later, key) &&
        grew(Reflect.get(earlier, key) as unknown, Reflect.get(later, key) as unknown),
    )
  )
}

const key = oneof(
  { weight: 6, arbitrary: string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: constantFrom('__proto__', 'constructor', '1', 'a"\\') },
)
const text = oneof(
  string({ unit: 'grapheme', maxLength: 12 }),
  string({ unit: 'binary', maxLength: 12 }),
  // Every UTF-16 unit, lone surrogates too.
  array(oneof(nat(0xffff), integer({ min: 0xd800, max: 0xdfff })), { maxLength: 8 }).map((units) =>
    String.fromCharCode(...units),
  ),
)
const { value: json } = letrec<{ value: unknown; list: unknown; object: object }>((tie) => ({
  value: oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    double({ noNaN: true, noDefaultInfinity: true }),
    integer(),
    constantFrom(null, true, false, -0),
    tie('list'),
    tie('object'),
  ),
  list: array(tie('value'), { maxLength: 5 }),
  object: array(tuple(key, tie('value')), { maxLength: 5 }).map((entries) =>
    Object.fromEntries(entries),
  ),
}))
const document = array(tuple(key, json), { maxLength: 5 }).map((e) => Object.fromEntries(e))
const lengths = array(oneof(constant(1), integer({ min: 1, max: 24 })), {
  minLength: 1,
  maxLength: 5,
})

describe('any document', { timeout: 60_000 }, () => {
  it('is at the end what JSON.parse gives; earlier snapshots stay as they were, and only grow', () => {
    assert(
      property(document, nat(5), lengths, (whole, style, sizes) => {
        const source = spell(whole, style)
        const parser = createPartialArgs()
        const seen: [value: unknown, copy: string][] = []
        for (const piece of cut(source, sizes)) {
          parser.push(piece)
          if (seen.at(-1)?.[0] !== parser.value)
            seen.push([parser.value, JSON.stringify(parser.value)])
        }
        const result = parser.end(source)
        const args = 'args' in result ? result.args : result
        const parsed = JSON.parse(source) as unknown
        expect(args).toEqual(parsed)
        expect(JSON.stringify(args)).toBe(JSON.stringify(parsed))
        for (const [n, [value, copy]] of seen.entries()) {
          if (JSON.stringify(value) !== copy) throw new Error(`changed: ${copy}`)
          if (!grew(value, seen[n + 1]?.[0] ?? args)) throw new Error(`did not grow: ${copy}`)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  it('that was spoiled is an error if and only if JSON.parse throws or finds no object', () => {
    const junk = constantFrom(...'{}[]",:\\u0123eE+-. \n\tntrfalse/\u0000\u001f\u00a0\ud83d')
    const edit = tuple(nat(), nat(3), oneof(junk, constant('')))
    const spoiled = tuple(
      oneof({ weight: 5, arbitrary: document }, json),
      array(edit, { maxLength: 3 }),
    ).map(([whole, edits]) =>
      edits.reduce((source, [at, count, insert]) => {
        const start = at % (source.length + 1)
        return source.slice(0, start) + insert + source.slice(start + count)
      }, JSON.stringify(whole)),
    )
    let refused = 0
    let runs = 0
    assert(
      property(spoiled, lengths, (source, sizes) => {
        let expected: unknown
        try {
          expected = /^[ \t\r\n]*$/.test(source) ? {} : (JSON.parse(source) ?? {})
        } catch {
          expected = undefined
        }
        if (typeof expected !== 'object' || Array.isArray(expected)) expected = undefined
        const parser = createPartialArgs()
        for (const piece of cut(source, sizes)) parser.push(piece)
        const result = parser.end(source)
        runs++
        if (expected === undefined) refused++
        expect('args' in result ? result.args : undefined).toEqual(expected)
        // Where it is cut changes neither the outcome nor the words.
        expect(end(source)).toEqual(result)
      }),
      { numRuns: 20_000 },
    )
    expect(refused).toBeGreaterThan(runs / 5)
    expect(refused).toBeLessThan(runs * 0.95)
  })
})

describe('work', { timeout: 30_000 }, () => {
  /** Counts the members of every container that the snapshots made anew, with a read after each push. */
  function work(source: string, size: number): number {
    const known = new WeakSet<object>()
    const parser = createPartialArgs()
    let count = 0
    for (const piece of cut(source, [size])) {
      parser.push(piece)
      const fresh: unknown[] = [parser.value]
      for (let value = fresh.pop(); value !== undefined; value = fresh.pop()) {
        if (typeof value !== 'object' || value === null || known.has(value)) continue
        known.add(value)
        const members = Object.values(value) as unknown[]
        count += members.length + 1
        for (const member of members) if (typeof member === 'object') fresh.push(member)
      }
    }
    expect(parser.end(source)).toHaveProperty('args')
    return count
  }

  /** Work for each character, over sizes that end at different points between two copies. */
  function rate(make: (n: number) => string, n: number, size: number): number {
    const sources = [1, 1.04, 1.09, 1.22, 1.37, 1.5, 1.61, 1.83].map((factor) =>
      make(Math.round(n * factor)),
    )
    const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b)
    return sum(sources.map((source) => work(source, size))) / sum(sources.map((s) => s.length))
  }

  const rows = (n: number): string =>
    JSON.stringify({
      rows: Array.from({ length: n }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] })),
    })
  const keys = (n: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, id) => [`key${id}`, `v${id}`])))
  const numbers = (n: number): string =>
    JSON.stringify({ numbers: Array.from({ length: n }, (_, id) => (id * 37) % 10_000) })
  const long = (n: number): string => JSON.stringify({ path: 'a', content: 'x\n'.repeat(n) })
  const wide = (n: number): string =>
    JSON.stringify({ head: Array.from({ length: 5000 }, () => 1), text: ['x'.repeat(n)] })

  it.each([
    ['rows', rows, 800, 16],
    ['an object of 20,000 keys', keys, 3000, 16],
    ['an object of 20,000 keys in large pushes', keys, 3000, 1200],
    ['a flat list of numbers', numbers, 12_000, 16],
    ['a flat list of numbers in large pushes', numbers, 12_000, 1200],
    ['one long string', long, 10_000, 16],
    ['a long string beside a wide list', wide, 40_000, 16],
  ])('is linear for %s', (_, make, n, size) => {
    expect(rate(make, 4 * n, size)).toBeLessThan(1.1 * rate(make, n, size))
  })

  it('copies at most a few members for each push of a deep or wide path', () => {
    const deep = `${'{"a":'.repeat(490)}"${'x'.repeat(100_000)}"${'}'.repeat(490)}`
    expect(work(deep, 16)).toBeLessThan(deep.length)
    expect(work(keys(20_000), 16)).toBeLessThan(keys(20_000).length)
  })

  // A parser that copies or scans again what it has would need hours for these.
  it.each([
    ['string', '"', 'x'.repeat(16), '"'],
    ['string of escapes', '"', '\\n\\u00e9'.repeat(2), '"'],
    ['number', '1', '0123456789012345', ''],
  ])('takes a %s of 4 MB in small pushes', (_, open, piece, close) => {
    const parser = createPartialArgs(`{"a":${open}`)
    let reads = 0
    for (let n = 0; n < 250_000; n++) {
      parser.push(piece)
      if (parser.value['a'] !== undefined) reads++
    }
    parser.push(`${close}}`)
    expect(parser.end('')).toHaveProperty('args.a')
    expect(reads).toBe(close ? 250_000 : 0)
  })

  it('ignores what comes after an error cheaply', () => {
    const parser = createPartialArgs('{"a":1,,')
    const more = 'x'.repeat(1_000_000)
    for (let n = 0; n < 100_000; n++) parser.push(more)
    expect(parser.value).toEqual({ a: 1 })
  })
})
