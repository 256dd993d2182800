import { describe, expect, it } from 'vitest'
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
]

const call = (value: string): string =>
  `<tool_call><function=f><parameter=x>${value}</parameter></function></tool_call>`

describe('the schema gives the type of a value that is raw text', () => {
  it.each(rows)('%j of %j', async (schema, text, value) => {
    const tools = [{ name: 'f', parameters: { type: 'object', properties: { x: schema } } }]
    const written = call(`\n${text}\n`)
    const places = written.split('').map((_, index) => [index])
    for (const place of [[], ...places]) {
      const { calls } = await readPieces(cutAt(written, place), { tools })
      expect(calls).toEqual([{ name: 'f', args: { x: value } }])
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
