import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { hasKit, readEntries, readKit } from '../../test/conformanceKit'
import type { AnyTool } from '../core'
import { cuttings, readPieces, type Outcome } from './__tests__/readPieces'

const random = propertyRuns(20) > 20 ? 200 : 20

interface Call {
  name: string
  args: unknown
}

interface Case {
  id: string
  text: string
  chunks?: string[]
  tools: AnyTool[]
  calls: Call[]
  expected: string
  compare: 'exact' | 'trimmed' | 'contains' | 'not'
  forbidden?: string[]
}

interface TextCase {
  id: string
  text: string
  chunks?: string[]
  tools: AnyTool[]
  assert?: 'content-contains' | 'content-trimmed' | 'calls-only' | 'no-crash'
  expect: { content: string | null; toolCalls: Call[] }
}

interface HttpToolsFile {
  textCallTools: AnyTool[]
  textCalls: {
    id: string
    text: string
    chunks?: string[]
    expectText: string
    expectCalls: { name: string; arguments: unknown }[]
  }[]
}

interface Reported {
  id: string
  format: string
  chunks: string[]
  tools: AnyTool[]
  expect: { text: string; toolCalls: Call[]; noDeltaContains?: string[] }
}

const comparisons = {
  'content-contains': 'contains',
  'content-trimmed': 'trimmed',
  'calls-only': 'not',
  'no-crash': 'not',
} as const

function textCases(): Case[] {
  const { cases } = JSON.parse(readKit('text-tool-calls.json').toString()) as { cases: TextCase[] }
  return cases.map(({ id, text, chunks, tools, assert, expect: right }) => ({
    id,
    text,
    ...(chunks && { chunks }),
    tools: tools.length ? tools : [{ name: 'another' }],
    calls: right.toolCalls,
    expected: right.content ?? '',
    compare: assert ? comparisons[assert] : 'exact',
  }))
}

function httpToolsCases(): Case[] {
  const file = JSON.parse(readKit('http-tools.json').toString()) as HttpToolsFile
  return file.textCalls.map(({ id, text, chunks, expectText, expectCalls }) => ({
    id,
    text,
    ...(chunks && { chunks }),
    tools: file.textCallTools,
    calls: expectCalls.map((call) => ({ name: call.name, args: call.arguments })),
    expected: expectText,
    compare: 'exact',
  }))
}

function reportedCases(): Case[] {
  return readEntries<Reported>('reported-cases.json')
    .filter(({ format }) => format === 'text-tool-call')
    .map(({ id, chunks, tools, expect: right }) => ({
      id,
      text: chunks.join(''),
      chunks,
      tools,
      calls: right.toolCalls,
      expected: right.text,
      compare: 'trimmed',
      ...(right.noDeltaContains && { forbidden: right.noDeltaContains }),
    }))
}

const cases = hasKit ? [...textCases(), ...httpToolsCases(), ...reportedCases()] : []

/** What is judged of a text: white space alone is nothing. */
const visible = (text: string, { compare }: Case): string =>
  compare === 'trimmed' ? text.trim() : text.trim() && text

/** What became of a text, in a form that {@link wanted} shares where all is right. */
function judged({ calls, chunks, text }: Outcome, right: Case): unknown {
  const { compare, expected, forbidden = [] } = right
  const shown = [text, ...chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : ''))]
  const isContained = compare === 'not' || (compare === 'contains' && text.includes(expected))
  return {
    calls,
    text: isContained ? visible(expected, right) : visible(text, right),
    forbidden: forbidden.filter((part) => shown.some((one) => one.includes(part))),
  }
}

function wanted(right: Case): unknown {
  const calls = right.calls.map(({ name, args }) =>
    typeof args === 'string' ? { name, argsText: args, errorCode: 'invalid-args' } : { name, args },
  )
  return { calls, text: visible(right.expected, right), forbidden: [] }
}

describe.skipIf(!hasKit)('calls written as text, of the conformance kit', () => {
  it('are there', () => {
    expect(cases.length).toBeGreaterThan(65)
  })

  it.each(cases)('$id', async (right) => {
    const { text, tools, chunks = [text] } = right
    for (const pieces of [chunks, ...cuttings(text, random)]) {
      const outcome = judged(await readPieces(pieces, { tools }), right)
      expect(outcome, `cut as ${JSON.stringify(pieces)}`).toEqual(wanted(right))
    }
  })
})
