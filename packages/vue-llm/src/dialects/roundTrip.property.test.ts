import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import type { AnyTool } from '../core'
import { cutAt, readPieces } from './__tests__/readPieces'
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

interface Call {
  name: string
  args: Record<string, unknown>
}

interface Writer {
  dialects: ToolCallDialect[]
  /** Whether text may stand before and after. */
  takesText: boolean
  /** What is left of the line ends between blocks: they are text. */
  between?: '\n'
  write(calls: Call[]): string
}

const raw = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const entries = ({ args }: Call): string[][] =>
  Object.entries(args).map(([key, value]) => [key, raw(value)])

/** As `repr` of Python writes it, in JSON's escapes. */
function toPython(value: unknown): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${toPython(key)}: ${toPython(item)}`)
      .join(', ')}}`
  }
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  return JSON.stringify(value)
}

const writers: Record<string, Writer> = {
  qwen: {
    dialects: [qwen, hermes],
    takesText: true,
    between: '\n',
    write: (calls) =>
      calls
        .map((call) => {
          const parameters = entries(call).map(
            ([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`,
          )
          return `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`
        })
        .join('\n'),
  },
  hermes: {
    dialects: [qwen, hermes],
    takesText: true,
    between: '\n',
    write: (calls) =>
      calls
        .map(
          ({ name, args }) =>
            `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
        )
        .join('\n'),
  },
  glm: {
    dialects: [qwen, hermes, glm],
    takesText: true,
    between: '\n',
    write: (calls) =>
      calls
        .map((call) => {
          const parameters = entries(call).map(
            ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
          )
          return `<tool_call>${call.name}\n${parameters.join('')}</tool_call>`
        })
        .join('\n'),
  },
  mistral: {
    dialects: [mistral],
    takesText: false,
    write: (calls) =>
      `[TOOL_CALLS]${JSON.stringify(calls.map(({ name, args }) => ({ name, arguments: args })))}`,
  },
  'mistral, named': {
    dialects: [mistral],
    takesText: false,
    write: (calls) =>
      calls.map(({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`).join(''),
  },
  llamaJson: {
    dialects: [llamaJson],
    takesText: false,
    write: (calls) =>
      calls.map(({ name, args }) => JSON.stringify({ name, parameters: args })).join('; '),
  },
  llamaPythonic: {
    dialects: [llamaPythonic],
    takesText: false,
    write: (calls) =>
      `[${calls
        .map(({ name, args }) => {
          const list = Object.entries(args).map(([key, value]) => `${key}=${toPython(value)}`)
          return `${name}(${list.join(', ')})`
        })
        .join(', ')}]`,
  },
  deepseek: {
    dialects: [deepseek],
    takesText: true,
    write: (calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          ({ name, args }) =>
            `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜>`,
        )
        .join('\n')}<｜tool▁calls▁end｜>`,
  },
  'deepseek 3.1': {
    dialects: [deepseek],
    takesText: true,
    write: (calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          ({ name, args }) =>
            `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜>`,
        )
        .join('')}<｜tool▁calls▁end｜>`,
  },
  kimi: {
    dialects: [kimi],
    takesText: true,
    write: (calls) =>
      `<|tool_calls_section_begin|>${calls
        .map(
          ({ name, args }, index) =>
            `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|>`,
        )
        .join('')}<|tool_calls_section_end|>`,
  },
  harmony: {
    dialects: [harmony],
    takesText: false,
    write: (calls) =>
      calls
        .map(
          ({ name, args }) =>
            `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
        )
        .join(''),
  },
}

const tools: AnyTool[] = ['save', 'send_mail'].map((name) => ({
  name,
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      note: { type: ['string', 'null'] },
      count: { type: 'integer' },
      size: { type: 'number' },
      isNew: { type: 'boolean' },
      list: { type: 'array' },
      data: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    },
  },
}))

const marks = [
  '\n',
  '\r\n',
  ' ',
  '<',
  '</',
  '>',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '`',
  ',',
  '😀',
  'é',
  '<tool',
  '<func',
  '</param',
  '<b>',
  '</b>',
  'if (a < b)',
  'True',
  'None',
  '[TOOL',
  '<|',
  '</parameter>.',
  '</function>.',
  '<parameter=x>',
  '<think>',
  '</arg_value>.',
]

/** Words that stand in texts and values, with much of what marks calls in one dialect or another. */
const word = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom(...marks))
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(''))
/** What no dialect takes for an opener. */
const shown = text.map((value) => value.replace(/<think>|\[TOOL/g, ''))

const json = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)) as unknown)
const args = fc
  .record(
    {
      text,
      note: fc.option(text.filter((value) => !/^\s*(null|None)\s*$/.test(value))),
      count: fc.integer(),
      size: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
      isNew: fc.boolean(),
      list: fc.array(json, { maxLength: 3 }),
      data: fc.option(fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 3 })),
    },
    { requiredKeys: [] },
  )
  .map((value) => ({ ...value }))
const call = fc.record({ name: fc.constantFrom('save', 'send_mail'), args })

describe.each(Object.entries(writers))('calls that are written as %s', (_, writer) => {
  it('are read back, with the text around them, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        shown,
        shown,
        fc.array(call, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.boolean(),
        async (before, after, calls, places, isFine) => {
          const { dialects, takesText, between = '', write } = writer
          if (!takesText) before = after = ''
          const whole = before + write(calls) + after
          const pieces = isFine
            ? whole.split('')
            : cutAt(
                whole,
                places.map((place) => place % (whole.length + 1)),
              )
          const outcome = await readPieces(pieces, { tools, dialects })
          expect(outcome.calls).toEqual(calls)
          expect(outcome.text).toBe(before + between.repeat(calls.length - 1) + after)
        },
      ),
      { numRuns: propertyRuns(100) },
    )
  })
})
