import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reactive, watch } from 'vue'
import { applyChunk, createMessage, type Chunk, type Message } from '../core'
import { createFrameWriter } from './frameWriter'

const frameMs = 16
const toFake = [
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'setTimeout',
  'clearTimeout',
] as const

beforeEach(() => vi.useFakeTimers({ toFake: [...toFake] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const text = (value: string, more: object = {}): Chunk => ({
  type: 'text-delta',
  text: value,
  ...more,
})
const args = (toolCallId: string, argsText: string): Chunk => ({
  type: 'tool-call-delta',
  toolCallId,
  argsText,
})
const start = (toolCallId: string): Chunk => ({
  type: 'tool-call-start',
  toolCallId,
  toolName: 'tool',
})

/** A message as useChat holds it, what was seen of its text, and a writer. */
function setUp(throttleMs?: number) {
  const message: Message = reactive(createMessage('assistant', { id: 'a', createdAt: 0 }))
  const seen: string[] = []
  const look = () => message.parts.map((part) => ('text' in part ? part.text : '')).join('|')
  watch(look, (value) => seen.push(value), { flush: 'sync' })
  const writer = createFrameWriter(() => throttleMs)
  const write = (...chunks: Chunk[]) => {
    for (const chunk of chunks) writer.write(message, Object.freeze(chunk))
  }
  return { message, seen, write, writer, flush: writer.flush }
}

describe('the frame writer', () => {
  it('shows the first delta after idle at once, and joins later ones until the next frame', () => {
    const { seen, write } = setUp()
    write(text('a'))
    expect(seen).toEqual(['a'])
    write(text('b'), text('c'))
    expect(seen).toEqual(['a'])
    vi.advanceTimersByTime(frameMs)
    expect(seen).toEqual(['a', 'abc'])
    write(text('d'), text('e'))
    expect(seen, 'the frame after a write is still busy').toEqual(['a', 'abc'])
    vi.advanceTimersByTime(frameMs)
    expect(seen).toEqual(['a', 'abc', 'abcde'])
    vi.advanceTimersByTime(frameMs)
    write(text('f'))
    expect(seen, 'a frame without deltas ends the burst').toEqual(['a', 'abc', 'abcde', 'abcdef'])
  })

  it('leaves no timer and no frame behind once it is idle', () => {
    const { write } = setUp()
    write(text('a'), text('b'))
    vi.advanceTimersByTime(3 * frameMs)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not lag more than 100 ms where no frame comes: a hidden tab', () => {
    vi.stubGlobal('requestAnimationFrame', () => 0)
    const { seen, write } = setUp()
    write(text('a'), text('b'))
    vi.advanceTimersByTime(99)
    expect(seen).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual(['a', 'ab'])
    write(text('c'))
    vi.advanceTimersByTime(100)
    expect(seen).toEqual(['a', 'ab', 'abc'])
  })

  it('applies what waits before anything that is no delta, and that at once', () => {
    const { message, seen, write } = setUp()
    write(text('a'), text('b'), { type: 'step-end', finishReason: 'stop' })
    expect(seen).toEqual(['a', 'ab'])
    expect(message.parts).toEqual([{ type: 'text', text: 'ab', state: 'done', step: 0 }])
    expect(message.steps).toEqual([{ finishReason: 'stop' }])
  })

  it('applies what waits when it is told to flush', () => {
    const { seen, write, flush } = setUp()
    write(text('a'), text('b'))
    flush()
    expect(seen).toEqual(['a', 'ab'])
    flush()
    vi.advanceTimersByTime(5 * frameMs)
    expect(seen).toEqual(['a', 'ab'])
  })

  it('keeps apart what is not one text, in order', () => {
    const { message, write } = setUp()
    write(start('x'), start('y'), args('x', '{"a":'), args('y', '{"b"'), args('x', '1}'))
    write(args('y', ':2}'), args('y', ' '), { type: 'reasoning-delta', text: 'r' }, text('t'))
    write(text('u', { id: '1' }), text('v', { id: '1', providerMetadata: { wire: 1 } }), text('w'))
    vi.advanceTimersByTime(frameMs)
    expect(message.parts.map((part) => ('text' in part ? part.text : part))).toMatchObject([
      { argsText: '{"a":1}', args: { a: 1 } },
      { argsText: '{"b":2} ', args: { b: 2 } },
      'r',
      't',
      'uv',
      'w',
    ])
    expect(message.parts[4]).toHaveProperty('providerMetadata', { wire: 1 })
  })

  it('writes each delta to the message it is meant for', () => {
    const { message, write } = setUp()
    const other = reactive(createMessage('assistant'))
    const writer = createFrameWriter(() => undefined)
    writer.write(message, text('a'))
    writer.write(other, text('b'))
    writer.write(message, text('c'))
    vi.advanceTimersByTime(frameMs)
    write(text('d'))
    expect([message, other].map(({ parts }) => parts)).toMatchObject([
      [{ text: 'acd' }],
      [{ text: 'b' }],
    ])
  })

  it('writes once per given milliseconds with a number', () => {
    const { seen, write } = setUp(50)
    write(text('a'), text('b'))
    vi.advanceTimersByTime(49)
    write(text('c'))
    expect(seen).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual(['a', 'abc'])
  })

  it('writes every chunk at once with 0', () => {
    const { seen, write } = setUp(0)
    write(text('a'), text('b'), text('c'))
    expect(seen).toEqual(['a', 'ab', 'abc'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('writes every chunk at once outside browsers', () => {
    vi.stubGlobal('requestAnimationFrame', undefined)
    const { seen, write } = setUp()
    write(text('a'), text('b'))
    expect(seen).toEqual(['a', 'ab'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('holds a number outside browsers as well', () => {
    vi.stubGlobal('requestAnimationFrame', undefined)
    const { seen, write } = setUp(50)
    write(text('a'), text('b'))
    expect(seen).toEqual(['a'])
    vi.advanceTimersByTime(50)
    expect(seen).toEqual(['a', 'ab'])
  })

  it('ends where applying each chunk by itself ends, whenever frames come', () => {
    const chunk = fc.oneof(
      fc.string({ maxLength: 3 }).map((value) => text(value)),
      fc.constantFrom<Chunk>(
        text('m', { providerMetadata: { wire: 1 } }),
        text('i', { id: '1' }),
        { type: 'reasoning-delta', text: 'r' },
        start('x'),
        start('y'),
        args('x', '[1,'),
        args('y', '{"a":'),
        { type: 'tool-call-end', toolCallId: 'x' },
        { type: 'source', url: 'https://example.org' },
        { type: 'step-end', finishReason: 'stop' },
      ),
    )
    const steps = fc.array(fc.oneof({ weight: 4, arbitrary: chunk }, fc.constant('frame' as const)))
    fc.assert(
      fc.property(steps, (list) => {
        const { message, write, flush } = setUp()
        const plain = createMessage('assistant', { id: 'a', createdAt: 0 })
        for (const step of list) {
          if (step === 'frame') vi.advanceTimersByTime(frameMs)
          else {
            write(step)
            applyChunk(plain, step)
          }
        }
        flush()
        expect(message).toEqual(plain)
      }),
      { numRuns: 200 },
    )
  })

  it('gives way to the page where the next frame is overdue, then not before as long again', async () => {
    let now = 0
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const { write, writer } = setUp()
    expect(writer.giveWay(), 'nothing waits for a frame').toBeUndefined()
    write(text('a'))
    now = 31
    expect(writer.giveWay()).toBeUndefined()
    now = 32
    const pageTurn = writer.giveWay()
    expect(pageTurn).toBeInstanceOf(Promise)
    expect(writer.giveWay(), 'once at a time').toBeUndefined()
    now = 40
    await pageTurn
    now = 71
    expect(writer.giveWay()).toBeUndefined()
    now = 72
    expect(writer.giveWay()).toBeInstanceOf(Promise)
    vi.advanceTimersByTime(frameMs + 100)
    now = 300
    expect(writer.giveWay(), 'the frame has come').toBeUndefined()
  })

  it('writes ten times a second where it is behind, and at once again what is no delta', () => {
    let now = 0
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const { seen, write, writer } = setUp()
    write(text('a'), text('b'))
    now = 40
    void writer.giveWay()
    vi.advanceTimersByTime(frameMs + 99)
    expect(seen).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual(['a', 'ab'])
    write(text('c'))
    vi.advanceTimersByTime(frameMs)
    expect(seen, 'no longer behind').toEqual(['a', 'ab', 'abc'])
    write(text('d'))
    now = 80
    void writer.giveWay()
    write({ type: 'step-end', finishReason: 'stop' })
    expect(seen.at(-1)).toBe('abcd')
  })

  it('goes on where the page has no way to give way', () => {
    vi.stubGlobal('MessageChannel', undefined)
    const { write, writer } = setUp()
    write(text('a'))
    vi.spyOn(Date, 'now').mockReturnValue(Infinity)
    expect(writer.giveWay()).toBeUndefined()
  })
})
