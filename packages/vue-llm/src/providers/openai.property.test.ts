import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { isLLMError, type Chunk } from '../core'
import { createChatCompletions } from './openai'

const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] })
const events: unknown[] = [
  choice({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
  choice({ delta: { reasoning_content: 'hm 🤔' } }),
  choice({ delta: { content: 'Let me look.' } }),
  choice({
    delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] },
  }),
  choice({ delta: { tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] } }),
  choice({
    delta: { tool_calls: [{ index: 1, id: 'b', function: { name: 'find', arguments: '{}' } }] },
  }),
  choice({ delta: { tool_calls: [{ index: 0, function: { arguments: '"sky"}' } }] } }),
  choice({ delta: {}, finish_reason: 'tool_calls' }),
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 5 } },
]
const toBody = (list: unknown[]) =>
  new TextEncoder().encode(
    [...list.map((e) => JSON.stringify(e)), '[DONE]'].map((d) => `data: ${d}\n\n`).join(''),
  )

/** What is wrong with how a provider reads these bytes: nothing, whatever they are. */
async function problems(bytes: Uint8Array, cut: number): Promise<string[]> {
  const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  const provider = createChatCompletions({ fetch: async () => new Response(body) })
  const chunks: Chunk[] = []
  const found: string[] = []
  try {
    const signal = new AbortController().signal
    const request = {
      model: 'm',
      messages: [],
      tools: [{ name: 'look' }, { name: 'find' }],
      signal,
    }
    for await (const chunk of provider.stream(request)) chunks.push(chunk)
  } catch (error) {
    if (!isLLMError(error)) found.push(`threw ${error}`)
    if (chunks.length) found.push('rejected after its first chunk')
  }
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const [index, chunk] of chunks.entries()) {
    const left = chunks.length - 1 - index
    if (chunk.type === 'step-end' && left) found.push('a step-end that is not last')
    if (chunk.type === 'error' && left > 1) found.push('chunks after an error')
    if (chunk.type === 'tool-call-start') {
      if (seen.has(chunk.toolCallId)) found.push('an id twice')
      seen.add(chunk.toolCallId)
      open.add(chunk.toolCallId)
    }
    if (chunk.type === 'tool-call-delta' && !open.has(chunk.toolCallId)) {
      found.push('arguments of no open call')
    }
    if (chunk.type === 'tool-call-end' && !open.delete(chunk.toolCallId)) {
      found.push('an end of no open call')
    }
  }
  const last = chunks.at(-1)
  if (last && last.type !== 'step-end' && last.type !== 'error')
    found.push(`ends with ${last.type}`)
  const ended = chunks.some((chunk) => chunk.type === 'tool-call-end')
  if (ended && last?.type === 'step-end' && !/stop|tool-calls|other/.test(last.finishReason)) {
    found.push('a call that ended in a round that did not')
  }
  if (Object.keys({}).length || 'polluted' in {}) found.push('a changed prototype')
  return found
}

const cut = fc.nat(2000)
const mutation = fc.record({
  kind: fc.constantFrom('flip', 'drop', 'double', 'cut'),
  at: fc.nat(2000),
  length: fc.integer({ min: 1, max: 60 }),
  byte: fc.nat(255),
})

describe('whatever a server sends', () => {
  it('breaks no rule of a stream: bytes changed, dropped, doubled, cut', async () => {
    const body = toBody(events)
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 4 }), cut, async (mutations, place) => {
        let bytes = [...body]
        for (const { kind, at, length, byte } of mutations) {
          const from = at % (bytes.length || 1)
          if (kind === 'flip') bytes[from] = byte
          else if (kind === 'drop') bytes.splice(from, length)
          else if (kind === 'double') bytes.splice(from, 0, ...bytes.slice(from, from + length))
          else bytes = bytes.slice(0, from)
        }
        expect(await problems(Uint8Array.from(bytes), place)).toEqual([])
      }),
      { numRuns: propertyRuns(1000) },
    )
  })

  it('breaks no rule of a stream: fields of another type, events out of order', async () => {
    const values = fc.oneof(
      fc.constantFrom(null, true, 0, -1, '', 'x', [], {}, [null], { text: {} }, '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const list = fc.array(fc.tuple(fc.constantFrom(...events), fc.nat(30), values), {
      maxLength: 9,
    })
    await fc.assert(
      fc.asyncProperty(list, cut, async (changes, place) => {
        const changed = changes.map(([event, field, value]) => {
          let count = 0
          // The field of that number, in the order of JSON, is another one.
          return JSON.parse(JSON.stringify(event), (_, old) => (count++ === field ? value : old))
        })
        expect(await problems(toBody(changed), place)).toEqual([])
      }),
      { numRuns: propertyRuns(1000) },
    )
  })
})
