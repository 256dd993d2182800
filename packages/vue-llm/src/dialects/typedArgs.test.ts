import { describe, expect, it } from 'vitest'
import type { JSONSchema } from '../core'
import { cutAt, readPieces } from './__tests__/readPieces'

const anyOf = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) })

const rows: [schema: unknown, text: string, value: unknown][] = [
  [{ type: 'string' }, '75001', '75001'],
  [{ type: 'string' }, 'null', 'null'],
  [{ type: 'string' }, ' a ', ' a '],
  [{}, '1', '1'],
  [true, '1', '1'],
  [null, '1', '1'],
  [{ enum: ['a'] }, 'a', 'a'],
  [{ $ref: '#/x' }, '{}', '{}'],
  [{ type: 'integer' }, '42', 42],
  [{ type: 'integer' }, ' -7\n', -7],
  [{ type: 'integer' }, '007', 7],
  [{ type: 'integer' }, '3.0', '3.0'],
  [{ type: 'integer' }, '1e3', '1e3'],
  [{ type: 'integer' }, '9007199254740991', 9007199254740991],
  [{ type: 'integer' }, '12345678901234567890', '12345678901234567890'],
  [{ type: 'integer' }, '', ''],
  [{ type: 'number' }, '-2.35', -2.35],
  [{ type: 'number' }, '1e3', 1000],
  [{ type: 'number' }, '1e999', '1e999'],
  [{ type: 'number' }, 'NaN', 'NaN'],
  [{ type: 'boolean' }, 'TRUE', true],
  [{ type: 'boolean' }, 'False', false],
  [{ type: 'boolean' }, 'yes', 'yes'],
  [{ type: 'boolean' }, '1', '1'],
  [{ type: 'object' }, '{"a": [1]}', { a: [1] }],
  [{ type: 'object' }, '[1]', '[1]'],
  // Objects that can't be made a string.
  [{ type: 'object' }, '{"toString":""}', { toString: '' }],
  [{ type: 'array' }, '[{"toString":""}]', [{ toString: '' }]],
  [{ type: 'object' }, '{"a": ', '{"a": '],
  [
    { type: 'object' },
    "{'a': True, 'b': None, 'c': (1, 2,), 'd': 'it\\'s \"x\"'}",
    { a: true, b: null, c: [1, 2], d: 'it\'s "x"' },
  ],
  [{ type: 'object' }, '{"a": "it\'s (None), True"}', { a: "it's (None), True" }],
  [{ type: 'array' }, "['\\xe9', \"it's\", False,]", ['é', "it's", false]],
  [{ type: 'array' }, "['a", "['a"],
  [{ type: 'array' }, '{}', '{}'],
  [{ type: 'array' }, "['\\d+', 'C:\\Users', 'a\nb', '\\n']", ['\\d+', 'C:\\Users', 'a\nb', '\n']],
  [{ type: 'object' }, '"{\\"a\\": 1}"', { a: 1 }],
  [{ type: 'object' }, '"{\'a\': [True]}"', { a: [true] }],
  [anyOf('array', 'null'), "'[1]'", [1]],
  [{ type: 'object' }, '"[1]"', '"[1]"'],
  [{ type: 'object' }, '"a"', '"a"'],
  [{ type: 'integer' }, '"5"', '"5"'],
  [{ type: 'boolean' }, '"true"', '"true"'],
  [{ type: ['string', 'null'] }, '"null"', '"null"'],
  [{ type: ['string', 'null'] }, 'None', null],
  [{ type: ['string', 'null'] }, 'null', null],
  [{ type: ['string', 'null'] }, '42', '42'],
  [{ type: ['string', 'null'] }, 'nullable', 'nullable'],
  [{ type: 'string', nullable: true }, 'null', null],
  [anyOf('integer', 'null'), '5', 5],
  [anyOf('string', 'integer', 'null'), '5', 5],
  [anyOf('string', 'integer', 'null'), 'five', 'five'],
  [{ oneOf: [{ type: 'boolean' }, anyOf('array')] }, '[1]', [1]],
  [{ oneOf: [{ type: 'boolean' }, anyOf('array')] }, 'true', true],
  [{ type: 'number' }, '9007199254740991', 9007199254740991],
  [{ type: 'number' }, '12345678901234567890', '12345678901234567890'],
  [{ type: 'number' }, '-12345678901234567890', '-12345678901234567890'],
  [{ type: 'number' }, '-9007199254740992', -9007199254740992],
  [{ type: 'number' }, '9007199254740993', '9007199254740993'],
  [{ type: 'number' }, '1e30', 1e30],
  [anyOf('number', 'null'), '12345678901234567890', '12345678901234567890'],
  [{ type: ['integer', 'boolean'] }, '12345678901234567890', '12345678901234567890'],
  [{ enum: [1, 2, 3] }, '2', 2],
  [{ enum: [1, 2, 3] }, 'two', 'two'],
  [{ enum: ['1', '2'] }, '2', '2'],
  [{ enum: ['a', null] }, 'null', null],
  [{ enum: ['a', null] }, 'a', 'a'],
  [{ enum: [true, 'auto'] }, 'True', true],
  [{ enum: [true, 'auto'] }, 'auto', 'auto'],
  [{ enum: [[1], [2]] }, '[2]', [2]],
  [{ type: 'string', enum: ['1', '2'] }, '2', '2'],
  [{ type: 'string', enum: ['a', null] }, 'null', 'null'],
  [{ const: 7 }, '7', 7],
  [{ const: null }, 'None', null],
  [{ const: '7' }, '7', '7'],
  [{ const: { a: 1 } }, "{'a': 1}", { a: 1 }],
  [{ allOf: [{ type: 'integer' }, { minimum: 0 }] }, '5', 5],
  [{ allOf: [{ description: 'a' }, anyOf('integer', 'null')] }, 'null', null],
  [{ allOf: 'x', anyOf: null }, '5', '5'],
  [{ $ref: '#/$defs/count' }, '5', 5],
  [{ $ref: '#/$defs/count' }, 'five', 'five'],
  [{ $ref: '#/$defs/again' }, '5', 5],
  [{ $ref: '#/$defs/a~1b~0c' }, 'true', true],
  [{ anyOf: [{ $ref: '#/$defs/list' }, { type: 'null' }] }, '[[1]]', [[1]]],
  [{ allOf: [{ $ref: '#/$defs/list' }], description: 'a' }, '[1]', [1]],
  [{ $ref: '#/$defs/loop' }, '5', '5'],
  [{ $ref: '#/$defs/none' }, '5', '5'],
  [{ $ref: 'https://x.test/a' }, '5', '5'],
  [{ $ref: '#/constructor/prototype' }, '5', '5'],
  [{ $ref: 5 }, '5', '5'],
  [{ $ref: '#' }, '{"x": "{}"}', { x: '{}' }],
]

const $defs = {
  count: { type: 'integer' },
  again: { $ref: '#/$defs/count' },
  loop: { anyOf: [{ $ref: '#/$defs/loop' }, { allOf: [{ $ref: '#/$defs/loop' }] }] },
  list: { type: 'array', items: { $ref: '#/$defs/list' } },
  'a/b~c': { type: 'boolean' },
}

const of = (types: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
})

const call = (value: string): string =>
  `<tool_call><function=f><parameter=x>${value}</parameter></function></tool_call>`

describe('the schema gives the type of a value that is raw text', () => {
  it.each(rows)('%j of %j', async (schema, text, value) => {
    const tools = [{ name: 'f', parameters: { type: 'object', properties: { x: schema }, $defs } }]
    const written = call(`\n${text}\n`)
    const places = written.split('').map((_, index) => [index])
    for (const place of [[], ...places]) {
      const { calls } = await readPieces(cutAt(written, place), { tools })
      expect(calls).toEqual([{ name: 'f', args: { x: value } }])
    }
  })
})

describe('the arguments may be declared', () => {
  const written =
    '<tool_call><function=f><parameter=x>1</parameter><parameter=y>2<parameter=z>3</parameter></function></tool_call>'

  it.each<[about: string, parameters: JSONSchema, args: object]>([
    [
      'behind a reference',
      { $ref: '#/$defs/all', $defs: { all: of({ x: 'integer', y: 'string' }) } },
      { x: 1, y: '2<parameter=z>3' },
    ],
    [
      'in parts',
      { allOf: [of({ x: 'integer' }), of({ y: 'string', z: 'integer' })] },
      { x: 1, y: '2', z: 3 },
    ],
    [
      'in one of two ways',
      { anyOf: [of({ x: 'integer', y: 'string' }), of({ x: 'null', y: 'boolean' })] },
      { x: 1, y: '2<parameter=z>3' },
    ],
    ['in no way', { allOf: [{}] }, { x: '1', y: '2', z: '3' }],
  ])('%s', async (_, parameters, args) => {
    for (const pieces of [[written], written.split('')]) {
      const { calls } = await readPieces(pieces, { tools: [{ name: 'f', parameters }] })
      expect(calls).toEqual([{ name: 'f', args }])
    }
  })
})

describe('one line end is taken off on either side', () => {
  it.each([
    ['a', 'a'],
    ['\na\n', 'a'],
    ['\r\na\r\n', 'a'],
    ['\n\n a \n\n', '\n a \n'],
    ['\na\r\n', 'a\r'],
    ['a\r\n', 'a'],
    ['a\r', 'a\r'],
    ['\r', '\r'],
    ['\n', ''],
    ['\r\n', ''],
    ['\n\n', ''],
    ['\ra\n', '\ra'],
  ])('%j', async (written, value) => {
    for (const pieces of [[call(written)], call(written).split('')]) {
      const { calls } = await readPieces(pieces, { tools: [{ name: 'f' }] })
      expect(calls).toEqual([{ name: 'f', args: { x: value } }])
    }
  })
})
