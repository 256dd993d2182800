import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { applyChunk, callsOf, createMessage, isLLMError, type Chunk } from '../core'
import { createAnthropicProvider } from './anthropic'
import { createGeminiProvider } from './gemini'

const part = (one: object) => ({ candidates: [{ content: { parts: [one] } }] })
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

const wires = {
  anthropic: {
    create: createAnthropicProvider,
    events: [
      { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: 'hm 🤔' },
        { type: 'signature_delta', signature: 's' },
      ),
      ...block(
        1,
        { type: 'text', text: '' },
        { type: 'citations_delta', citation: { url: 'https://a.example', title: 'A' } },
        { type: 'text_delta', text: 'Let me look.' },
      ),
      ...block(
        2,
        { type: 'tool_use', id: 'a', name: 'look', input: {} },
        { type: 'input_json_delta', partial_json: '{"at":' },
        { type: 'input_json_delta', partial_json: '"sky"}' },
      ),
      ...block(3, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      ...block(4, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ url: 'https://a.example' }],
      }),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_details: { explanation: 'no' } },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    create: createGeminiProvider,
    events: [
      part({ text: 'hm 🤔', thought: true, thoughtSignature: 's' }),
      part({ text: 'Let me look.' }),
      part({ functionCall: { id: 'a', name: 'look', args: { at: 'sky' } } }),
      part({ functionCall: { name: 'find', willContinue: true } }),
      part({
        functionCall: {
          partialArgs: [{ jsonPath: '$.at[0].name', stringValue: 'the s', willContinue: true }],
          willContinue: true,
        },
      }),
      part({
        functionCall: {
          partialArgs: [{ jsonPath: '$.at[0].name', stringValue: 'ea' }],
          willContinue: true,
        },
      }),
      part({ functionCall: {} }),
      part({ executableCode: { language: 'PYTHON', code: 'print(1)' } }),
      part({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }),
      part({ inlineData: { mimeType: 'image/png', data: 'iVBO' } }),
      {
        candidates: [
          {
            finishReason: 'STOP',
            groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example' } }] },
          },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
      },
    ],
  },
}

const toBody = (events: unknown[]) =>
  new TextEncoder().encode(events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join(''))

/** What is wrong with how a provider reads these bytes: nothing, whatever they are. */
async function problems(wire: keyof typeof wires, bytes: Uint8Array, cut: number) {
  const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
    })
  const provider = wires[wire].create({ maxRetries: 0, fetch: async () => new Response(body()) })
  const chunks: Chunk[] = []
  const found: string[] = []
  const message = createMessage('assistant')
  try {
    const tools = [{ name: 'look' }, { name: 'find' }]
    const { signal } = new AbortController()
    for await (const chunk of provider.stream({ model: 'm', messages: [], tools, signal })) {
      chunks.push(chunk)
      applyChunk(message, chunk)
    }
  } catch (error) {
    if (!isLLMError(error)) found.push(`threw ${error}`)
    if (chunks.length) found.push('rejected after its first chunk')
  }
  const last = chunks.at(-1)
  if (last && !/^(step-end|error)$/.test(last.type)) found.push(`ends with ${last.type}`)
  if (last?.type === 'error') applyChunk(message, { type: 'step-end', finishReason: 'error' })
  const ids = chunks.flatMap((chunk) =>
    chunk.type === 'tool-call-start' ? [chunk.toolCallId] : [],
  )
  if (new Set(ids).size < ids.length) found.push('an id twice')
  const isGood = /^(stop|tool-calls|other)$/.test(message.steps[0]?.finishReason ?? '')
  for (const { state, providerExecuted } of callsOf(message)) {
    if (state === 'streaming') found.push('a call without an end')
    if (state === 'pending' && !isGood && !providerExecuted) found.push('a call of a cut round')
  }
  if (Object.keys({}).length || 'polluted' in {}) found.push('a changed prototype')
  return found
}

const names = Object.keys(wires) as (keyof typeof wires)[]
const cut = fc.nat(2000)
const mutation = fc.record({
  kind: fc.constantFrom('flip', 'drop', 'double', 'cut'),
  at: fc.nat(3000),
  length: fc.integer({ min: 1, max: 60 }),
  byte: fc.nat(255),
})

describe.each(names)('whatever a server sends: %s', (wire) => {
  const { events } = wires[wire]

  it('is read without a problem as it is', async () => {
    expect(await problems(wire, toBody(events), 100)).toEqual([])
  })

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
        expect(await problems(wire, Uint8Array.from(bytes), place)).toEqual([])
      }),
      { numRuns: propertyRuns(250) },
    )
  })

  it('breaks no rule of a stream: fields of another type, events out of order', async () => {
    const values = fc.oneof(
      fc.constantFrom(null, true, 0, -1, '', 'x', [], {}, [null], { text: {} }, '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const list = fc.array(fc.tuple(fc.constantFrom(...events), fc.nat(20), values), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(list, cut, async (changes, place) => {
        const changed = changes.map(([event, field, value]) => {
          let count = 0
          // The field of that number, in the order of JSON, is another one.
          return JSON.parse(JSON.stringify(event), (_, old) => (count++ === field ? value : old))
        })
        expect(await problems(wire, toBody(changed), place)).toEqual([])
      }),
      { numRuns: propertyRuns(250) },
    )
  })
})
