import { describe, expect, it } from 'vitest'
import { applyChunk } from './applyChunk'
import { createMessage } from './message'
import type { Chunk, Message } from './types'

/** A message whose every read and write, at any depth, is counted. */
function counted(message: Message): { message: Message; count(): number } {
  let operations = 0
  const proxies = new WeakMap<object, object>()
  const handler: ProxyHandler<object> = {
    get(target, key, receiver) {
      operations++
      const value: unknown = Reflect.get(target, key, receiver)
      // Payloads are frozen values, replaced whole: nothing of ours reads into them.
      if (typeof value !== 'object' || value === null || !Object.isExtensible(value)) return value
      let proxy = proxies.get(value)
      if (!proxy) proxies.set(value, (proxy = new Proxy(value, handler)))
      return proxy
    },
    set(target, key, value, receiver) {
      operations++
      return Reflect.set(target, key, value, receiver)
    },
    has(target, key) {
      operations++
      return Reflect.has(target, key)
    },
    ownKeys(target) {
      operations++
      return Reflect.ownKeys(target)
    },
  }
  return { message: new Proxy(message, handler) as Message, count: () => operations }
}

function work(chunks: Iterable<Chunk>, before: readonly Chunk[] = []): number {
  const raw = createMessage('assistant')
  for (const chunk of before) applyChunk(raw, chunk)
  const { message, count } = counted(raw)
  for (const chunk of chunks) applyChunk(message, chunk)
  return count()
}

function* texts(size: number): Generator<Chunk> {
  for (let i = 0; i < size; i++) yield { type: 'text-delta', text: 'word ' }
  yield { type: 'step-end', finishReason: 'stop' }
}

function* argumentsOf(json: string): Generator<Chunk> {
  yield { type: 'tool-call-start', toolCallId: 'a', toolName: 't' }
  for (let i = 0; i < json.length; i += 16) {
    yield { type: 'tool-call-delta', toolCallId: 'a', argsText: json.slice(i, i + 16) }
  }
  yield { type: 'tool-call-end', toolCallId: 'a' }
}

/** Chunks of a message with that many parts before the one that grows. */
const manyParts = (size: number): Chunk[] =>
  Array.from({ length: size }, (_, i) => ({ type: 'source', url: `${i}` }))

/** Arguments of about that many bytes. */
const shapes: [string, (bytes: number) => unknown][] = [
  ['one long string', (bytes) => ({ text: 'lorem ip'.repeat(bytes / 8) })],
  [
    'a list of numbers',
    (bytes) => ({ list: Array.from({ length: bytes / 6 }, (_, i) => i % 90000) }),
  ],
  [
    'rows',
    (bytes) => ({ rows: Array.from({ length: bytes / 20 }, (_, id) => ({ id, n: 'name' })) }),
  ],
  [
    'one wide object',
    (bytes) => Object.fromEntries(Array.from({ length: bytes / 14 }, (_, i) => [`key${i}`, i])),
  ],
]

describe('the work of applyChunk is linear', () => {
  it('in 5,000 and 20,000 text deltas', () => {
    const ratio = work(texts(20_000)) / work(texts(5_000))
    expect(ratio).toBeGreaterThan(3.6)
    expect(ratio).toBeLessThanOrEqual(4.4)
  })

  it.each(shapes)('in 50 and 500 KB of arguments in 16-byte deltas: %s', (_shape, make) => {
    const small = JSON.stringify(make(50_000))
    const large = JSON.stringify(make(500_000))
    const growth = large.length / small.length
    const ratio = work(argumentsOf(large)) / work(argumentsOf(small)) / (growth / 10)
    expect(ratio).toBeGreaterThan(9)
    expect(ratio).toBeLessThanOrEqual(11)
  })

  it('whatever stands before: deltas cost the same after 10 and after 1,000 parts', () => {
    const text = '{"text":"' + 'lorem ip'.repeat(100)
    for (const make of [() => texts(500), () => argumentsOf(text)]) {
      const few = work(make(), manyParts(10))
      // One look through all parts, at the start of a call and at the end of the round.
      expect(work(make(), manyParts(1_000)) - few).toBeLessThan(20 * 1_000)
    }
  })

  it('in what the parser of arguments copies: 10 times the text is 10 times the members', () => {
    const members = (bytes: number): number => {
      const message = createMessage('assistant')
      let seen: unknown
      let copied = 0
      const list = { list: Array.from({ length: bytes / 6 }, (_, i) => 10_000 + i) }
      for (const chunk of argumentsOf(JSON.stringify(list))) {
        applyChunk(message, chunk)
        const part = message.parts[0]
        if (part?.type !== 'tool-call' || part.args === seen) continue
        seen = part.args
        copied += (part.args['list'] as unknown[] | undefined)?.length ?? 0
      }
      return copied
    }
    expect(members(500_000) / members(50_000)).toBeLessThanOrEqual(11)
  })
})
