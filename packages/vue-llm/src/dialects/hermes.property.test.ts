import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import type { AnyTool } from '../core'
import { cuttings, readPieces } from './__tests__/readPieces'

const random = propertyRuns(20) > 20 ? 200 : 20
const tools: AnyTool[] = [{ name: 'f' }]
const f = (args: unknown = {}) => ({ name: 'f', args })

type Row = [about: string, text: string, shown: string, calls: unknown[]]

const rows: Row[] = [
  [
    'arguments before the name',
    'a<tool_call>{"arguments":{"x":1},"name":"f"}</tool_call>b',
    'ab',
    [f({ x: 1 })],
  ],
  ['"parameters"', '<tool_call>{"name":"f","parameters":{"x":1}}</tool_call>', '', [f({ x: 1 })]],
  ['no arguments', '<tool_call>{"name":"f"}</tool_call>', '', [f()]],
  ['null for arguments', '<tool_call>{"name":"f","arguments":null}</tool_call>', '', [f()]],
  [
    'more keys',
    '<tool_call>{"id":1,"name":"f","arguments":{},"x":[{"name":"g"}]}</tool_call>',
    '',
    [f()],
  ],
  [
    'a name with escapes',
    '<tool_call>{"n\\u0061me":"\\u0066","arguments":{}}</tool_call>',
    '',
    [f()],
  ],
  [
    'several calls in a block',
    '<tool_call>{"name":"f"}\n{"name":"g"}</tool_call>',
    '',
    [f(), { name: 'g', args: {} }],
  ],
  [
    'a list for arguments',
    '<tool_call>{"name":"f","arguments":[1]}</tool_call>',
    '',
    [{ name: 'f', argsText: '[1]', errorCode: 'invalid-args' }],
  ],
  [
    'line ends in it',
    '<tool_call>\r\n{\n "name" : "f" ,\n "arguments" : { "x" : [ 1 , { } ] }\n}\r\n</tool_call>',
    '',
    [f({ x: [1, {}] })],
  ],
  [
    'tags in a string',
    '<tool_call>{"name":"f","arguments":{"x":"<tool_call>{}</tool_call>"}}</tool_call>b',
    'b',
    [f({ x: '<tool_call>{}</tool_call>' })],
  ],
  [
    'no closer, and a call after it',
    '<tool_call>{"name":"f"}\n<tool_call>{"name":"f"}</tool_call>b',
    '\nb',
    [f(), f()],
  ],
  [
    'a brace too many',
    'a<tool_call>{"name":"f","arguments":{"x":1}}}</tool_call>b',
    'ab',
    [f({ x: 1 })],
  ],
  ['a brace too few', 'a<tool_call>{"name":"f","arguments":{"x":1}</tool_call>b', 'ab', []],
  ['broken arguments', 'a<tool_call>{"name":"f","arguments":{"x":1,}}</tool_call>b', 'ab', []],
  ['a broken member', 'a<tool_call>{"name":"f",}</tool_call>b', 'ab', []],
  ['words for a value', 'a<tool_call>{"name":"f","arguments":{"x":yes}}</tool_call>b', 'ab', []],
  ['quotes of Python', "a<tool_call>{'name':'f'}</tool_call>b", 'ab', []],
  [
    'a string that has no end',
    'a<tool_call>{"name":"f","arguments":{"x":"y}}</tool_call>b',
    'ab',
    [],
  ],
  [
    'a string that ends far behind',
    'a<tool_call>{"name":"f","arguments":{"x":"y}}</tool_call>b "c" d',
    'ab "c" d',
    [],
  ],
  ['no name', 'a<tool_call>{"arguments":{"x":1}}</tool_call>b', 'ab', []],
  ['a name that is none', 'a<tool_call>{"name":"f g","arguments":{"x":1}}</tool_call>b', 'ab', []],
  ['a name that is a number', 'a<tool_call>{"name":1,"arguments":{"x":1}}</tool_call>b', 'ab', []],
  ['an empty object', 'a<tool_call>{}</tool_call>b', 'ab', []],
  [
    'a call that is broken before one that is not',
    'a<tool_call>{"name":"f",</tool_call><tool_call>{"name":"f"}</tool_call>b',
    'ab',
    [f()],
  ],
]

describe('the JSON of Hermes', () => {
  it.each(rows)('reads %s', async (_, text, shown, calls) => {
    for (const pieces of cuttings(text, random)) {
      const outcome = await readPieces(pieces, { tools })
      expect(
        { text: outcome.text, calls: outcome.calls },
        `cut as ${JSON.stringify(pieces)}`,
      ).toEqual({ text: shown, calls })
    }
  })
})
