import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import type { AnyTool } from '../core'
import { cuttings, readPieces } from './__tests__/readPieces'

const random = propertyRuns(20) > 20 ? 200 : 20

const tools: AnyTool[] = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
  { name: 'any' },
]

const call = (content: string): string =>
  `<tool_call>\n<function=write_file>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`
const wrote = (content: string) => ({ name: 'write_file', args: { content } })
const now = { name: 'now', args: {} }

type Row = [about: string, text: string, shown: string, calls: unknown[]]

const rows: Row[] = [
  [
    'several calls in one block',
    'a<tool_call><function=now></function>\n<function=any><parameter=x>1</parameter></function></tool_call>b',
    'ab',
    [now, { name: 'any', args: { x: '1' } }],
  ],
  ['nothing in a block', 'a<tool_call>\n</tool_call>b', 'ab', []],
  [
    'a value that has no end',
    '<tool_call><function=any><parameter=x>\nfoo\n',
    '',
    [{ name: 'any', args: { x: 'foo' } }],
  ],
  ['a call that has no end', '<tool_call><function=now>\n', '', [now]],
  ['a call that only began, of a tool that nobody knows', '<tool_call><function=nope>', '', []],
  [
    'a closer that is cut',
    '<tool_call><function=any><parameter=x>\nfoo\n</parame',
    '',
    [{ name: 'any', args: { x: 'foo' } }],
  ],
  ['a block whose closer is cut', '<tool_call><function=now></function>\n</tool_c', '', [now]],
  ['an opener that is cut', 'see <tool_ca', 'see <tool_ca', []],
  ['a call that is cut in its tag', 'a<tool_call>\n<func', 'a', []],
  [
    'line ends of Windows',
    'a\r\n<tool_call>\r\n<function=any>\r\n<parameter=x>\r\n1\r\n2\r\n</parameter>\r\n</function>\r\n</tool_call>\r\nb',
    'a\r\n\r\nb',
    [{ name: 'any', args: { x: '1\r\n2' } }],
  ],
  ['no opener, with indentation', 'a\n  <function=now>\n  </function>\nb', 'a\n  \nb', [now]],
  ['no opener, at the beginning', '<function=now></function></tool_call>b', 'b', [now]],
  ['no opener, twice', '<function=now></function>\n<function=now></function>', '\n', [now, now]],
  [
    'no opener and no such tool',
    'a\n<function=nope></function>',
    'a\n<function=nope></function>',
    [],
  ],
  ['no opener within a line', 'a <function=now></function>', 'a <function=now></function>', []],
  ['a mere beginning of a name', '<function=no', '<function=no', []],
  ['the tag in backticks', 'write `<tool_call>` first', 'write `<tool_call>` first', []],
  ['the tag before a backtick', 'a<tool_call>`</tool_call>b', 'ab', []],
  ['no opener after what was thought', '<think>\na</think><function=now></function>', '', [now]],
  ['the tag in prose', 'the <tool_call> tag', 'the <tool_call> tag', []],
  [
    'the tag in prose before a call',
    'the <tool_call> tag <tool_call><function=now></function></tool_call>.',
    'the <tool_call> tag .',
    [now],
  ],
  ['what is no call', 'a<tool_call>hello</tool_call>b', 'ab', []],
  [
    'words between a call and the closer',
    'a<tool_call><function=now></function> x </tool_call>b',
    'ab',
    [now],
  ],
  [
    'words after a call that has no closer',
    'a<tool_call><function=now></function>\nhello',
    'a\nhello',
    [now],
  ],
  [
    'a name that is none',
    'a<tool_call><function=the "name"><parameter=x>1</parameter></function></tool_call>b',
    'ab',
    [],
  ],
  ['an empty name', 'a<tool_call><function=></function></tool_call>b', 'ab', []],
  [
    'a malformed call and no closer before the next',
    'a<tool_call><function=a b>x<tool_call><function=now></function></tool_call>b',
    'ab',
    [now],
  ],
  ['a malformed call and no closer', 'a<tool_call><function=a b>x', 'a', []],
  [
    'no closer of the last value',
    '<tool_call><function=any><parameter=x>1</function></tool_call>',
    '',
    [{ name: 'any', args: { x: '1' } }],
  ],
  [
    'no closer but that of the block',
    '<tool_call><function=any><parameter=x>\n1\n</tool_call> b',
    ' b',
    [{ name: 'any', args: { x: '1' } }],
  ],
  [
    'no closer but that of the block, before another',
    '<tool_call><function=any><parameter=x>1</tool_call> b <tool_call><function=now></function></tool_call>',
    ' b ',
    [{ name: 'any', args: { x: '1' } }, now],
  ],
  [
    'no closers before the next call',
    `<tool_call>\n<function=write_file>\n<parameter=path>\na\n${call('b')}\nc`,
    '\nc',
    [{ name: 'write_file', args: { path: 'a' } }, wrote('b')],
  ],
  [
    'a parameter without closer before one of the tool',
    '<tool_call><function=write_file><parameter=path>a<parameter=content>b</parameter></function></tool_call>',
    '',
    [{ name: 'write_file', args: { path: 'a', content: 'b' } }],
  ],
  [
    'parameters that the tool does not have',
    '<tool_call><function=write_file><parameter=path>a</parameter><parameter=x>1</parameter>\n<parameter=y>2</parameter></function></tool_call>',
    '',
    [{ name: 'write_file', args: { path: 'a', x: '1', y: '2' } }],
  ],
  ['a tag of a parameter in a value', call('a <parameter=x> b'), '', [wrote('a <parameter=x> b')]],
  [
    'closers in a value',
    call('a </parameter> b </function> c </tool_call> d'),
    '',
    [wrote('a </parameter> b </function> c </tool_call> d')],
  ],
  [
    'a whole parameter in a value',
    call('a\n</parameter>\n<parameter=x>\nb\n<parameter=y>\n'),
    '',
    [wrote('a\n</parameter>\n<parameter=x>\nb\n<parameter=y>\n')],
  ],
  [
    'whole calls in a value',
    call(`a\n${call('b')}\n${call(call('c'))}\nd`),
    '',
    [wrote(`a\n${call('b')}\n${call(call('c'))}\nd`)],
  ],
  [
    'the beginning of a call in a value',
    `${call('write "<tool_call>\n<function=now>" first')}\n${call('x')}`,
    '\n',
    [wrote('write "<tool_call>\n<function=now>" first'), wrote('x')],
  ],
  [
    'JSON in a value',
    call('<tool_call>{"name":"now"}</tool_call>'),
    '',
    [wrote('<tool_call>{"name":"now"}</tool_call>')],
  ],
  ...[
    '</parameter1>',
    '</parameter_function>',
    '</parameter=path>',
    '</parameter',
    '</parameter >',
  ].flatMap((closer): Row[] => [
    [
      `a closer like ${closer} before a parameter`,
      `<tool_call><function=write_file><parameter=path>\na\n${closer}\n<parameter=content>b</parameter></function></tool_call>`,
      '',
      [{ name: 'write_file', args: { path: 'a', content: 'b' } }],
    ],
    [
      `a closer like ${closer} before that of the function, or of the block`,
      `<tool_call><function=any><parameter=x>a${closer}\n</function></tool_call><tool_call><function=any><parameter=x>b${closer}</tool_call>`,
      '',
      [
        { name: 'any', args: { x: 'a' } },
        { name: 'any', args: { x: 'b' } },
      ],
    ],
  ]),
  [
    'a closer with more in it at the end',
    '<tool_call><function=any><parameter=x>\na\n</parameter1>',
    '',
    [{ name: 'any', args: { x: 'a' } }],
  ],
  [
    'closers with more in them in a value',
    call('a </parameterList>\n</parameters>\n</function>\n</parameters> </parameters>'),
    '',
    [wrote('a </parameterList>\n</parameters>\n</function>\n</parameters> </parameters>')],
  ],
  [
    'a parameter in a value that the call has already',
    `<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n"\n<parameter=path>\nb\n</parameter>\n<parameter=content>\nc\n</parameter>\n"\n</parameter>\n</function>\n</tool_call>`,
    '',
    [
      {
        name: 'write_file',
        args: {
          path: 'a',
          content: '"\n<parameter=path>\nb\n</parameter>\n<parameter=content>\nc\n</parameter>\n"',
        },
      },
    ],
  ],
  [
    'a parameter that is given twice',
    '<tool_call><function=any><parameter=x>1</parameter><parameter=y>2</parameter><parameter=x>3</parameter></function></tool_call>',
    '',
    [{ name: 'any', args: { x: '3', y: '2' } }],
  ],
  ['code in a value', call('if (a < b && c </d>) <e'), '', [wrote('if (a < b && c </d>) <e')]],
  ['line ends around a value', call('\n  a\n\n'), '', [wrote('\n  a\n\n')]],
  ['an empty value', call(''), '', [wrote('')]],
  [
    'characters of two code units',
    `😀${call('a😀"\\\u0000b')}😀`,
    '😀😀',
    [wrote('a😀"\\\u0000b')],
  ],
  [
    'names that objects have by themselves',
    '<tool_call><function=any><parameter=constructor>1</parameter><parameter=toString>2</parameter></function></tool_call>',
    '',
    [{ name: 'any', args: { constructor: '1', toString: '2' } }],
  ],
]

describe('the XML of Qwen', () => {
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
