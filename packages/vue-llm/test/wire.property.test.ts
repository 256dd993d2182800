import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProxyProvider } from 'vue-llm'
import {
  createMessage,
  runChat,
  ToolError,
  type Chunk,
  type FinishReason,
  type Message,
  type Part,
} from 'vue-llm/core'
import { createLLMHandler } from 'vue-llm/server'
import {
  createScriptedProvider,
  finish,
  reasoning,
  streamedToolCall,
  text,
  toolCall,
  type ScriptItem,
  type ScriptRound,
} from 'vue-llm/testing'
import { jsonValue } from '#test/jsonValue'
import { propertyRuns } from '#test/propertyRuns'
import { overWire, vendorWires } from './vendorWires'

const words = fc.string({ unit: 'grapheme', maxLength: 12 })
const args = fc.record({ n: fc.integer(), s: words })

/** A call that the model's side ran inside its own round. */
const within = (id: string, result: unknown): Chunk[] => [
  { ...toolCall('search', {}, id), providerExecuted: true },
  { type: 'tool-result', toolCallId: id, result },
]

const item: fc.Arbitrary<ScriptItem> = fc.oneof(
  words.map(text),
  words.map(reasoning),
  fc
    .tuple(fc.constantFrom('on_server', 'fails', 'on_client'), args)
    .map((call) => toolCall(...call)),
  fc
    .tuple(fc.constantFrom('on_server', 'on_client'), args)
    .map((call) => streamedToolCall(...call)),
  fc.tuple(fc.uuid(), jsonValue()).map(([id, result]) => within(`s_${id}`, result)),
  jsonValue().map((data): Chunk => ({ type: 'data', name: 'd', data })),
  words.map((title): Chunk => ({ type: 'source', url: 'https://a.test', title })),
  words.map((cost): Chunk => ({ type: 'metadata', metadata: { cost } })),
)

const reason = fc.constantFrom<FinishReason>('stop', 'tool-calls', 'other', 'length', 'error')
const usage = { inputTokens: 3, outputTokens: 5 }
const round: fc.Arbitrary<ScriptRound> = fc
  .tuple(fc.array(item, { minLength: 1, maxLength: 6 }), fc.option(reason))
  .map(([items, why]) => (why ? [...items, finish(why, usage)] : items))

/** A message as both sides must have it: what the client made of its own calls is the client's. */
const shared = ({ parts, steps, metadata }: Message) => ({
  // What an error says is masked.
  steps: steps.map(({ error, ...step }) => ({ ...step, failed: !!error })),
  metadata,
  parts: parts.map((part): Partial<Part> => {
    if (part.type !== 'tool-call' || part.toolName !== 'on_client') return part
    const { state: _, result: _r, error: _e, errorCode: _c, ...rest } = part
    return rest
  }),
})

describe('the wire', () => {
  it('gives the client the message that the server has, for random conversations', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('', ...Object.keys(vendorWires)),
        async (rounds, size, name) => {
          const onServer: Message[] = []
          const onClient: Message[] = []
          const refused: string[] = []
          const script = createScriptedProvider([...rounds, 'The end.'], {
            afterScript: 'repeat-last',
          })
          // The model's side may itself be behind a vendor's wire, which says less.
          const wire = vendorWires[name]
          const handler = createLLMHandler({
            provider: wire ? overWire(wire, script, (problem) => refused.push(problem)) : script,
            model: 'm',
            tools: [
              { name: 'on_server', execute: (input: object) => input },
              {
                name: 'fails',
                execute() {
                  throw new ToolError('not today')
                },
              },
            ],
            onError: () => {},
            onFinish({ message }) {
              if (message) onServer.push(message)
            },
          })
          const messages = [createMessage('user', { content: 'go' })]
          const keep = () => {
            const last = messages.at(-1)
            if (last?.role === 'assistant') onClient.push(structuredClone(last))
          }
          const provider = createProxyProvider({
            url: 'http://back.test/api/chat',
            async fetch(url, init) {
              keep()
              const { body, status, headers } = await handler(new Request(url, init))
              return new Response(body?.pipeThrough(cutter(size)), { status, headers })
            },
          })
          const tools = [{ name: 'on_client', execute: () => 'done' }]
          for await (const _ of runChat({ provider, messages, tools, request: { model: '' } }));
          keep()
          expect(onClient.map(shared)).toEqual(onServer.map(shared))
          expect(refused).toEqual([])
          compared += onClient.length
        },
      ),
      { numRuns: propertyRuns(150) },
    )
    // An answer of metadata alone leaves no message on either side.
    expect(compared).toBeGreaterThan(propertyRuns(150))
  }, 60_000)
})

/** Cuts a stream of bytes into pieces of one size. */
const cutter = (size: number) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, out) {
      for (let at = 0; at < bytes.length; at += size) out.enqueue(bytes.slice(at, at + size))
    },
  })
