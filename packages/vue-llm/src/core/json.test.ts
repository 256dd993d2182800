import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reactive } from 'vue'
import { applyChunk } from './applyChunk'
import { isLLMError } from './errors'
import { fromJSON, toJSON } from './json'
import { createMessage } from './message'
import type { Chunk, Message } from './types'

const chunks: Chunk[] = [
  { type: 'message-start', runId: 'r', metadata: { a: { b: 1 } } },
  { type: 'reasoning-delta', text: 'hm', providerMetadata: { x: { signature: 's' } } },
  { type: 'text-delta', text: 'hi' },
  { type: 'file', mediaType: 'a/b', data: 'x', providerMetadata: { x: { y: 1 } } },
  { type: 'source', url: 'u' },
  { type: 'data', name: 'n', data: { list: [1] } },
  { type: 'tool-call-end', toolCallId: 'a', toolName: 't', args: { deep: { list: [1] } } },
  { type: 'tool-result', toolCallId: 'a', result: { deep: [1] } },
  { type: 'tool-call-end', toolCallId: 'b', toolName: 't', args: {} },
  {
    type: 'step-end',
    finishReason: 'tool-calls',
    usage: { inputTokens: 1, outputTokens: 1 },
    error: { code: 'x', message: 'y' },
  },
  { type: 'tool-approval-request', toolCallId: 'b' },
]

function chat(wrap = (messages: Message[]) => messages): Message[] {
  const messages = wrap([
    createMessage('user', { content: 'hi', id: 'u', createdAt: 1 }),
    createMessage('assistant', { id: 'm', createdAt: 2 }),
  ])
  const last = messages[1]
  if (last) for (const chunk of chunks) applyChunk(last, chunk)
  return messages
}

const stored = () => JSON.parse(JSON.stringify(toJSON(chat()))) as ReturnType<typeof toJSON>
/** The stored chat with another value at a JSON Pointer; `undefined` removes it. */
function changed(pointer: string, value: unknown): unknown {
  const root: unknown = stored()
  const keys = pointer.split('/').slice(1)
  const last = keys.pop() ?? ''
  let at = root as Record<string, unknown>
  for (const key of keys) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return root
}

describe('toJSON', () => {
  it('gives plain data with a version', () => {
    const json = toJSON(chat())
    expect(json).toEqual({ version: 1, messages: chat() })
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
  })

  it('gives plain data also of reactive messages: structuredClone and IndexedDB take it', () => {
    expect(structuredClone(toJSON(chat((messages) => reactive(messages))))).toEqual(toJSON(chat()))
  })

  it('gives plain data also of reactive messages that were restored', () => {
    const restored = reactive(fromJSON(stored()))
    expect(structuredClone(toJSON(restored))).toEqual(toJSON(chat()))
  })

  it('gives a copy: what comes later does not show in it', () => {
    const messages = chat()
    const json = toJSON(messages)
    const before = JSON.stringify(json)
    const last = messages[1]
    if (!last) throw new Error('no message')
    applyChunk(last, { type: 'tool-result', toolCallId: 'b', result: 1 })
    applyChunk(last, { type: 'text-delta', text: 'x' })
    applyChunk(last, { type: 'step-end', finishReason: 'stop' })
    expect(JSON.stringify(json)).toBe(before)
  })
})

describe('fromJSON', () => {
  it('reads what toJSON gave, as value and as text', () => {
    expect(fromJSON(toJSON(chat()))).toEqual(chat())
    expect(fromJSON(JSON.stringify(toJSON(chat())))).toEqual(chat())
    expect(fromJSON({ version: 1, messages: [] })).toEqual([])
  })

  it('lets calls that wait for a person wait, and closes what ran as interrupted', () => {
    const messages = fromJSON(changed('/messages/1/parts/5/state', 'running'))
    expect(messages[1]?.parts[5]).toMatchObject({ state: 'error', errorCode: 'interrupted' })
    expect(messages[1]?.parts[6]).toMatchObject({
      state: 'pending',
      approval: { state: 'requested' },
    })
  })

  it('shares nothing with what it is given', () => {
    const json = stored()
    const [, message] = fromJSON(json)
    if (!message) throw new Error('no message')
    const before = JSON.stringify(json)
    applyChunk(message, { type: 'tool-result', toolCallId: 'b', result: 1 })
    applyChunk(message, { type: 'step-end', finishReason: 'stop' })
    expect(JSON.stringify(json)).toBe(before)
  })

  it.each([
    ['/version', 2],
    ['/version', undefined],
    ['/messages', {}],
    ['/messages/0', null],
    ['/messages/0', 'x'],
    ['/messages/0/id', 1],
    ['/messages/1/id', 'u'],
    ['/messages/0/role', 'system'],
    ['/messages/0/role', undefined],
    ['/messages/1/steps', undefined],
    ['/messages/1/steps/0', null],
    ['/messages/1/steps/0/finishReason', 1],
    ['/messages/1/parts', 'x'],
    ['/messages/1/parts/0', null],
    ['/messages/1/parts/0/type', 'thought'],
    ['/messages/1/parts/0/type', 'constructor'],
    ['/messages/1/parts/0/step', -1],
    ['/messages/1/parts/0/step', 0.5],
    ['/messages/1/parts/0/step', undefined],
    ['/messages/1/parts/0/text', 1],
    ['/messages/1/parts/2/mediaType', undefined],
    ['/messages/1/parts/3/url', undefined],
    ['/messages/1/parts/4/name', undefined],
    ['/messages/1/parts/5/toolCallId', 1],
    ['/messages/1/parts/6/toolCallId', 'a'],
    ['/messages/1/parts/5/toolName', null],
    ['/messages/1/parts/5/state', 'done'],
    ['/messages/1/parts/5/args', null],
    ['/messages/1/parts/5/args', []],
    ['/messages/1/parts/5/approval', 'approved'],
    ['/messages/0/createdAt', 'x'],
  ] as [string, unknown][])('refuses %s of %j and names the place', (pointer, value) => {
    const error = thrownBy(() => fromJSON(changed(pointer, value)))
    expect(isLLMError(error, 'misuse')).toBe(true)
    expect((error as Error).message).toContain(`fromJSON: ${pointer}`)
  })

  it('refuses calls in a user’s message, and one call id in two messages', () => {
    const [user, answer] = stored().messages
    const again = { ...answer, id: 'again' }
    const twice = () => fromJSON({ version: 1, messages: [user, answer, again] })
    expect(twice).toThrow('/messages/2/parts/5/toolCallId: used twice')
    const asUser = () => fromJSON({ version: 1, messages: [{ ...answer, role: 'user' }] })
    expect(asUser).toThrow('/messages/0/parts/5/type: a user makes no calls')
  })

  it.each([undefined, null, 1, '', 'no JSON', '[]', 'null', [], {}, { messages: [] }])(
    'refuses %j with an error of its own',
    (value) => {
      const error = thrownBy(() => fromJSON(value))
      expect(isLLMError(error, 'misuse')).toBe(true)
      expect((error as Error).message).toMatch(/^fromJSON: /)
    },
  )

  it('never throws anything else, and what it takes it takes again', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('pending', 'running', 'user', 'x', 0, 1))
    const pointer = fc.constantFrom(
      ...paths(stored()).filter((path) => path && path !== '/version'),
    )
    fc.assert(
      fc.property(pointer, value, (place, given) => {
        const error = thrownBy(() => {
          const messages = fromJSON(changed(place, given))
          expect(fromJSON(toJSON(messages))).toEqual(messages)
        })
        expect(error === undefined || isLLMError(error, 'misuse') || error).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

/** Every JSON Pointer into a value. */
function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, item]) => paths(item, `${at}/${key}`))]
}

function thrownBy(action: () => void): unknown {
  try {
    action()
    return undefined
  } catch (error) {
    return error
  }
}
