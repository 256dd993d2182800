import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import type { AnyTool } from '../core'
import { cuttings, readPieces } from './__tests__/readPieces'
import {
  deepseek,
  glm,
  harmony,
  hermes,
  kimi,
  llamaJson,
  llamaPythonic,
  mistral,
  qwen,
  type ToolCallDialect,
} from './index'

const random = propertyRuns(20) > 20 ? 200 : 20

const tools: AnyTool[] = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
]

const oslo = { name: 'get_weather', args: { city: 'Oslo', days: 3 } }
const now = { name: 'now', args: {} }
const json = '{"city": "Oslo", "days": 3}'
const all = [qwen, hermes, glm, mistral, kimi, deepseek, harmony]

type Row = [
  about: string,
  dialects: ToolCallDialect[],
  text: string,
  shown: string,
  calls: unknown[],
  reasoning?: string,
]

const rows: Row[] = [
  [
    'a list of Mistral',
    [mistral],
    `a[TOOL_CALLS][{"name": "get_weather", "arguments": ${json}}, {"name": "now", "arguments": {}, "id": "abc"}]`,
    'a',
    [oslo, now],
  ],
  [
    'a list of Mistral without end',
    all,
    `a[TOOL_CALLS] [{"name": "get_weather", "arguments": ${json}}`,
    'a',
    [oslo],
  ],
  ['an empty list of Mistral', all, 'a[TOOL_CALLS] []', 'a', []],
  ['a broken list of Mistral', all, 'a[TOOL_CALLS] [{"name": "now", "arguments": {]}] b', 'a', []],
  [
    'named calls of Mistral',
    all,
    `a[TOOL_CALLS]get_weather[ARGS]${json}[TOOL_CALLS]now[CALL_ID]x1[ARGS]{}`,
    'a',
    [oslo, now],
  ],
  ['a named call of Mistral without a mark', all, `[TOOL_CALLS]get_weather${json}`, '', [oslo]],
  [
    'one object of Mistral',
    all,
    `[TOOL_CALLS] {"name": "get_weather", "arguments": ${json}}`,
    '',
    [oslo],
  ],
  [
    'words about the mark of Mistral',
    all,
    'a `[TOOL_CALLS]` is {b}',
    'a `[TOOL_CALLS]` is {b}',
    [],
  ],
  [
    'more words about it',
    [mistral],
    'The [TOOL_CALLS] mark, and [TOOL_CALLS]. Then {more}',
    'The [TOOL_CALLS] mark, and [TOOL_CALLS]. Then {more}',
    [],
  ],
  ['a name of Mistral without more', all, 'a[TOOL_CALLS]get_wea', 'a', []],
  ['a bracket of Mistral', all, 'a [TOOL] [TOOL_CALLS', 'a [TOOL] [TOOL_CALLS', []],

  ['a call of Llama', [llamaJson], `{"name": "get_weather", "parameters": ${json}}`, '', [oslo]],
  [
    'calls of Llama',
    [llamaJson],
    `\n{"type": "function", "name": "get_weather", "parameters": ${json}}; {"name": "now", "parameters": {}}`,
    '\n',
    [oslo, now],
  ],
  [
    'a call of Llama after its tag',
    [llamaJson],
    `a<|python_tag|>{"name": "now", "parameters": {}}`,
    'a',
    [now],
  ],
  [
    'an answer in JSON',
    [llamaJson],
    '{"name": "Bob", "age": 3} {"name": "now"}',
    '{"name": "Bob", "age": 3} {"name": "now"}',
    [],
  ],
  [
    'another answer in JSON',
    [llamaJson],
    '{ "city": {"name": "now"}}',
    '{ "city": {"name": "now"}}',
    [],
  ],
  ['JSON after words', [llamaJson], 'a {"name": "now"}', 'a {"name": "now"}', []],
  ['JSON after a call', [llamaJson], '{"name": "now"} {"a": 1}', ' {"a": 1}', [now]],
  ['a broken call of Llama', [llamaJson], '{"name": "now", "parameters": {"a": }} x', '', []],

  [
    'a list of Python',
    [llamaPythonic],
    "[get_weather(city='Oslo', days=3), now()]",
    '',
    [oslo, now],
  ],
  [
    'values of Python',
    [llamaPythonic],
    "[now(a=\"x, )\", b=[1, (2,), {'c': None}], d=True, e=-1.5, f='it\\'s \"x\"')] z",
    ' z',
    [
      {
        name: 'now',
        args: { a: 'x, )', b: [1, [2], { c: null }], d: true, e: -1.5, f: 'it\'s "x"' },
      },
    ],
  ],
  [
    'backslashes of Python',
    [llamaPythonic],
    String.raw`[now(a='\d+\.', b="C:\Users\x41\\", c='a\tb\'')]`,
    '',
    [{ name: 'now', args: { a: String.raw`\d+\.`, b: String.raw`C:\UsersA` + '\\', c: "a\tb'" } }],
  ],
  [
    'a list of Python with white space',
    [llamaPythonic],
    '[ get_weather( city = "Oslo" , days = 3 ) , now( ) ]',
    '',
    [oslo, now],
  ],
  [
    'a list of Python in its tags',
    [llamaPythonic],
    'a<|python_start|>[now()]<|python_end|>b',
    'ab',
    [now],
  ],
  [
    'a list that is none',
    [llamaPythonic],
    '[now](https://example.com)',
    '[now](https://example.com)',
    [],
  ],
  ['a list of names', [llamaPythonic], '[now, nowhere()]', '[now, nowhere()]', []],
  ['a list of other functions', [llamaPythonic], '[ nowhere()]', '[ nowhere()]', []],
  ['a list after words', [llamaPythonic], 'a [now()]', 'a [now()]', []],
  ['a broken list of Python', [llamaPythonic], '[now(a=b)] x', '', []],
  ['a list of Python without end', [llamaPythonic], '[now()', '', [now]],

  [
    'calls of DeepSeek V3',
    all,
    `a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n\`\`\`json\n{}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>b`,
    'ab',
    [oslo, now],
  ],
  [
    'calls of DeepSeek V3.1',
    all,
    `a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    'a',
    [oslo, now],
  ],
  [
    'a call of DeepSeek alone',
    all,
    `a<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${json}<｜tool▁call▁end｜>b`,
    'ab',
    [oslo],
  ],
  [
    'a call of DeepSeek without end',
    all,
    `a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${json}`,
    'a',
    [oslo],
  ],
  [
    'a broken call of DeepSeek',
    all,
    'a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>b',
    'ab',
    [],
  ],

  [
    'calls of DeepSeek V3.2',
    all,
    'a<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="now">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>b',
    'ab',
    [oslo, now],
  ],
  [
    'a call of DeepSeek V3.2 with values of all kinds',
    all,
    '<｜DSML｜tool_calls><｜DSML｜invoke name="now"><｜DSML｜parameter name="a" string="true"> "x"\n</b></｜DSML｜parameter><｜DSML｜parameter name="b" string="false">null</｜DSML｜parameter><｜DSML｜parameter name="c" string="false">[1, {}]</｜DSML｜parameter><｜DSML｜parameter name="d" string="false">x</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>',
    '',
    [{ name: 'now', args: { a: ' "x"\n</b>', b: null, c: [1, {}], d: 'x' } }],
  ],
  [
    'a call of DeepSeek V3.2 without end',
    all,
    'a<｜DSML｜tool_calls><｜DSML｜invoke name="now">',
    'a',
    [now],
  ],
  [
    'a broken call of DeepSeek V3.2',
    all,
    'a<｜DSML｜tool_calls><｜DSML｜invoke name="now">x</｜DSML｜invoke></｜DSML｜tool_calls>b',
    'ab',
    [],
  ],
  [
    'calls of Kimi',
    all,
    `a<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${json}<|tool_call_end|> <|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>b`,
    'ab',
    [oslo, now],
  ],
  [
    'a call of Kimi alone',
    all,
    `a<|tool_call_begin|> now:0 <|tool_call_argument_begin|> {} <|tool_call_end|>b<|tool_calls_section_end|>`,
    'ab',
    [now],
  ],
  [
    'a call of Kimi without end',
    all,
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${json}`,
    '',
    [oslo],
  ],
  [
    'a call of Kimi without arguments',
    all,
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|><|tool_call_end|><|tool_calls_section_end|>',
    '',
    [now],
  ],
  [
    'a broken call of Kimi',
    all,
    'a<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{x}<|tool_call_end|><|tool_calls_section_end|>b',
    'ab',
    [],
  ],

  [
    'calls of GLM',
    all,
    'a\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n<tool_call>now\n</tool_call>b',
    'a\n\nb',
    [oslo, now],
  ],
  [
    'calls of GLM on one line',
    all,
    'a<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></tool_call><tool_call>now</tool_call>b',
    'ab',
    [oslo, now],
  ],
  [
    'a closer in a value of GLM',
    all,
    '<tool_call>get_weather<arg_key>city</arg_key><arg_value>a</arg_value> b\n</arg_value></tool_call>',
    '',
    [{ name: 'get_weather', args: { city: 'a</arg_value> b\n' } }],
  ],
  [
    'a call of GLM without end',
    all,
    '<tool_call>get_weather<arg_key>city</arg_key><arg_value>a',
    '',
    [{ name: 'get_weather', args: { city: 'a' } }],
  ],
  ['what is no call of GLM', all, 'a<tool_call>garbage</tool_call>b', 'ab', []],
  [
    'XML of Qwen beside GLM',
    [glm, hermes, qwen],
    '<tool_call><function=now></function></tool_call><tool_call>{"name":"now"}</tool_call>',
    '',
    [now, now],
  ],

  [
    'channels of Harmony',
    all,
    `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see. <|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${json}<|call|>`,
    'Let me see. ',
    [oslo],
    'Hm.',
  ],
  [
    'the answer of Harmony',
    all,
    '<|start|>assistant<|channel|>final<|message|>It is <b>cold</b>.<|return|>',
    'It is <b>cold</b>.',
    [],
  ],
  [
    'a recipient before the channel',
    all,
    `<|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}`,
    '',
    [now],
  ],
  [
    'a recipient whose beginning was in the prompt',
    all,
    ` to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>${json}<|call|>`,
    ' ',
    [oslo],
  ],
  [
    'a recipient without a channel, and one after reasoning',
    all,
    `to=functions.now <|message|>{}<|call|><|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary<|message|>${json}<|call|>`,
    '',
    [now, oslo],
    'Hm.',
  ],
  ...[
    'to=functions.now is how',
    'to=functions.now',
    'to=functions. <|message|>',
    'to=functions.now <|chan',
    'to=functions.now <b>',
    'to=functions.now<|channel|>commentary {}',
    'to=functions. now<|channel|>commentary<|mess',
    'a to=functions.now',
    'to=function',
  ].map((text): Row => [`words about a recipient: ${text}`, all, text, text, []]),
  [
    'a broken call of Harmony',
    all,
    `<|channel|>commentary to=functions.now<|message|>{x}<|call|><|channel|>final<|message|>b`,
    'b',
    [],
  ],
  [
    'a result of Harmony that is made up',
    all,
    '<|channel|>commentary to=functions.now<|message|>{}<|call|><|start|>functions.now to=assistant<|channel|>commentary<|message|>{"t":1}<|end|><|start|>assistant<|channel|>final<|message|>b',
    'b',
    [now],
  ],
  ['a token of Harmony in a text', all, 'the <|channel|> token', 'the <|channel|> token', []],

  [
    'a <think> that begins',
    all,
    '<think>\nHm. <tool_call></think>\n\nYes.',
    '\n\nYes.',
    [],
    'Hm. <tool_call>',
  ],
  ['an empty <think>', all, '<think>\n\n</think>\n\nYes.', '\n\nYes.', [], ''],
  ['a <think> without end', all, '<think>Hm. </thin', '', [], 'Hm. '],
  ['a <think> within a text', all, 'a <think>b</think>', 'a <think>b</think>', [], ''],
]

describe('calls written as text', () => {
  it.each(rows)('reads %s', async (_, dialects, text, shown, calls, reasoning) => {
    for (const pieces of cuttings(text, random)) {
      const outcome = await readPieces(pieces, { tools, dialects })
      expect(
        { text: outcome.text, calls: outcome.calls, reasoning: outcome.reasoning },
        `cut as ${JSON.stringify(pieces)}`,
      ).toEqual({ text: shown, calls, reasoning: reasoning ?? '' })
    }
  })
})
