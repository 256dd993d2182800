import { jsonValue } from '#test/jsonValue'
import { propertyRuns } from '#test/propertyRuns'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reactive, toRaw } from 'vue'
import { applyChunk } from './applyChunk'
import { callsOf } from './calls'
import { fromJSON, toJSON } from './json'
import { createMessage } from './message'
import { nextStep } from './nextStep'
import type { Chunk, Message, ToolCallPart, ToolCallState } from './types'

const edges: Record<ToolCallState, readonly ToolCallState[]> = {
  // A result ends a streaming call first.
  streaming: ['pending', 'error', 'result'],
  pending: ['running', 'result', 'error'],
  running: ['pending', 'result', 'error'],
  result: [],
  error: [],
}

const toolCallId = fc.constantFrom('a', 'b', 'c')
const words = fc.constantFrom('', 'x', 'yz')
const json = jsonValue({ maxDepth: 2 })
const metadata = fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), json, { maxKeys: 2 })
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const argsText = fc.constantFrom('', '{', '{"k":', '"v"', '1', ',"l":[', ']', '}', '{"k":1}', 'no')
const argsValue = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(fc.constantFrom('k', 'l', '__proto__'), json) },
  json,
)
const finishReason = fc.constantFrom(
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'stopped',
  'error',
  'truncated',
  'other',
)
const errorCode = some(fc.constantFrom('timeout', 'cut', 'limit'))
const answeredBy = some(fc.constant('person'))

const anyChunk = fc.oneof(
  fc.record({
    type: fc.constantFrom('text-delta', 'reasoning-delta'),
    text: words,
    id: some(words),
  }),
  fc.record({
    type: fc.constantFrom('text-delta', 'reasoning-delta'),
    text: words,
    providerMetadata: metadata,
  }),
  fc.record({
    type: fc.constant('tool-call-start'),
    toolCallId,
    toolName: fc.constant('t'),
    providerExecuted: some(fc.boolean()),
  }),
  fc.record({ type: fc.constant('tool-call-delta'), toolCallId, argsText }),
  fc.record({ type: fc.constant('tool-call-delta'), toolCallId, argsText }),
  fc.record({
    type: fc.constant('tool-call-end'),
    toolCallId,
    toolName: some(fc.constant('u')),
    args: some(argsValue),
  }),
  fc.record({
    type: fc.constantFrom('tool-call-cancel', 'tool-approval-request', 'tool-start', 'tool-wait'),
    toolCallId,
  }),
  fc.record({
    type: fc.constant('tool-approval-response'),
    toolCallId,
    approved: fc.boolean(),
    reason: some(words),
    args: some(fc.dictionary(words, json)),
  }),
  fc.record({ type: fc.constant('tool-progress'), toolCallId, progress: json }),
  fc.record({ type: fc.constant('tool-result'), toolCallId, result: some(json), answeredBy }),
  fc.record({ type: fc.constant('tool-error'), toolCallId, error: words, errorCode, answeredBy }),
  fc.record({ type: fc.constant('file'), mediaType: fc.constant('a/b'), url: some(words) }),
  fc.record({ type: fc.constant('source'), url: words, title: some(words) }),
  fc.record({ type: fc.constant('data'), name: words, id: some(words), data: json }),
  fc.record({ type: fc.constant('metadata'), metadata }),
  fc.record({
    type: fc.constant('message-start'),
    runId: some(words),
    createdAt: some(fc.nat()),
    metadata: some(metadata),
  }),
  fc.record({ type: fc.constant('error'), code: words, message: words }),
  fc.record({
    type: fc.constant('step-end'),
    finishReason,
    usage: some(fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() })),
  }),
  fc.constant({ type: 'step-reset' }),
  fc.constant({ type: 'no-such-type' }),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Chunk>

const stream = fc.array(anyChunk, { maxLength: 40 })
const empty = () => createMessage('assistant', { id: 'm', createdAt: 1 })
const asText = (value: unknown) => JSON.stringify(value)

interface Snapshot {
  state: ToolCallState
  /** All of the call, as text. */
  is: string
}

/** Whether a chunk may bring a call from one to the other; `undefined` is a call that was removed. */
function isMove(chunk: Chunk, was: Snapshot, now: Snapshot | undefined): boolean {
  const isClosed = !edges[was.state].length
  if (!now) return chunk.type === 'step-reset' || (chunk.type === 'tool-call-cancel' && !isClosed)
  if (isClosed) return was.is === now.is
  return was.state === now.state || edges[was.state].includes(now.state)
}

/** The calls by id. */
function calls(message: Message): Map<string, Snapshot> {
  return new Map(
    callsOf(message).map((call) => [call.toolCallId, { state: call.state, is: asText(call) }]),
  )
}

/** Says what is wrong with a message, or nothing. */
function problemOf(message: Message): string | undefined {
  const { parts, steps } = message
  const grows = parts.filter((part) => 'text' in part && part.state === 'streaming')
  if (grows.length > 1) return 'two texts grow'
  if (grows.length && grows[0] !== parts.at(-1)) return 'a text grows that is not the last part'
  if (parts.some(({ step }) => step > steps.length)) return 'a part of a round to come'
  if (parts.some(({ step }, i) => step < (parts[i - 1]?.step ?? 0))) return 'rounds out of order'
  if (new Set(callsOf(message).map((call) => call.toolCallId)).size < callsOf(message).length) {
    return 'two calls of one id'
  }
  return callsOf(message).map(problemOfCall).find(Boolean)
}

function problemOfCall(call: ToolCallPart): string | undefined {
  const { state, approval, args } = call
  if ((state === 'error') !== (typeof call.error === 'string')) return 'an error without its text'
  if ((state === 'result') !== 'result' in call) return 'a result without its value'
  if (state !== 'error' && call.errorCode !== undefined) return 'a code without an error'
  if ((state === 'result' || state === 'error') && approval?.state === 'requested') {
    return 'a closed call that asks'
  }
  return Object.prototype.toString.call(args) === '[object Object]' ? undefined : 'args no object'
}

describe('applyChunk, whatever comes', () => {
  it('never throws, moves calls only along their edges, and keeps each prefix a valid message', () => {
    fc.assert(
      fc.property(stream, (chunks) => {
        const message = empty()
        for (const next of chunks) {
          const before = calls(message)
          applyChunk(message, next)
          const after = calls(message)
          expect(problemOf(message)).toBeUndefined()
          for (const [id, was] of before) {
            expect(isMove(next, was, after.get(id)) || [id, was, after.get(id)]).toBe(true)
          }
          expect(JSON.parse(asText(message))).toEqual(message)
          const [restored] = fromJSON(asText(toJSON([message])))
          expect(restored && problemOf(restored)).toBeUndefined()
          expect(asText(restored)).not.toContain('"state":"streaming"')
          expect(asText(restored)).not.toContain('"state":"running"')
        }
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  it('gives the same message on a plain object and on reactive()', () => {
    fc.assert(
      fc.property(stream, (chunks) => {
        const plain = empty()
        const live = reactive(empty())
        for (const next of chunks) {
          applyChunk(plain, next)
          applyChunk(live, next)
        }
        expect(toRaw(live)).toEqual(plain)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('leaves nothing streaming after a step-end, and nothing open where the round was cut', () => {
    fc.assert(
      fc.property(stream, finishReason, (chunks, reason) => {
        const message = empty()
        for (const next of chunks) applyChunk(message, next)
        applyChunk(message, { type: 'step-end', finishReason: reason as 'stop' })
        expect(asText(message.parts)).not.toContain('"state":"streaming"')
        if (!['length', 'error', 'truncated', 'stopped'].includes(reason)) return
        expect(callsOf(message).every(({ state }) => !edges[state].length)).toBe(true)
        expect(nextStep([message])).toBe('done')
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
