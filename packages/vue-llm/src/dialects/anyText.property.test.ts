import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import type { AnyTool, FinishReason } from '../core'
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
} from './index'

const tools: AnyTool[] = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: { x: { type: 'string' }, y: { type: 'array' }, z: { type: ['string', 'null'] } },
    },
  },
  { name: 'now' },
]

const qwenMarks = [
  '<tool_call>',
  '</tool_call>',
  '<function=f>',
  '<function=now>',
  '<function=nope>',
  '<function=',
  '</function>',
  '<parameter=x>',
  '<parameter=y>',
  '<parameter=u>',
  '</parameter>',
  '</parameter',
]
const jsonMarks = [
  '{"name":"now"',
  ',"arguments":{"x":"',
  '"arguments":',
  '"',
  '}',
  '}}',
  '{',
  ',',
  ':',
  '\\',
  '[1]',
]
const otherMarks = [
  '[',
  ']',
  '[TOOL_CALLS]',
  '[ARGS]',
  'now',
  'now(',
  'x=',
  ')',
  "'",
  '<|python_tag|>',
  '<arg_key>',
  '</arg_key>',
  '<arg_value>',
  '</arg_value>',
  '<think>',
  '</think>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<|tool_call_argument_begin|>',
  '<|tool_call_end|>',
  '<|channel|>',
  'analysis',
  ' to=now',
  '<|message|>',
  '<|end|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜tool▁sep｜>',
  '<｜tool▁call▁end｜>',
  '```',
  '<｜DSML｜tool_calls>',
  '<｜DSML｜invoke name="now">',
  '</｜DSML｜invoke>',
  '<|python_start|>',
]
const plainMarks = ['\n', '\r\n', ' ', '`', 'a', '<', '</', '😀', 'None']

const all = [qwen, hermes, glm, mistral, kimi, deepseek, harmony, llamaJson, llamaPythonic]

describe.each([
  ['the default dialects', [qwen, hermes], [...qwenMarks, ...jsonMarks, ...plainMarks]],
  ['all dialects', all, [...qwenMarks, ...jsonMarks, ...plainMarks, ...otherMarks]],
])('any text, read with %s', (_, dialects, marks) => {
  it('gives the same wherever it is cut, and each call that begins is ended or taken back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...marks), { maxLength: 30 }).map((words) => words.join('')),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.constantFrom<FinishReason>('stop', 'length'),
        async (text, places, finishReason) => {
          const options = { tools, dialects, finishReason }
          const read = async (pieces: string[]) => {
            const outcome = await readPieces(pieces, options)
            return { text: outcome.text, calls: outcome.calls, reasoning: outcome.reasoning }
          }
          const whole = await readPieces([text], options)
          const right = { text: whole.text, calls: whole.calls, reasoning: whole.reasoning }
          expect(await read(text.split(''))).toEqual(right)
          const random = places.map((place) => place % (text.length + 1))
          expect(await read(cutAt(text, random))).toEqual(right)

          const idsOf = (...types: string[]) =>
            whole.chunks.flatMap((chunk) =>
              types.includes(chunk.type) && 'toolCallId' in chunk ? chunk.toolCallId : [],
            )
          const begun = idsOf('tool-call-start')
          const closed = idsOf('tool-call-end', 'tool-call-cancel')
          expect(new Set(closed).size).toBe(closed.length)
          expect(begun).toEqual(expect.arrayContaining(closed))
          expect(begun.length - closed.length).toBeLessThanOrEqual(finishReason === 'stop' ? 0 : 1)
        },
      ),
      { numRuns: propertyRuns(1000) },
    )
  })
})
