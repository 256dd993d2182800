import { array, assert, asyncProperty, nat } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseResponse } from './sseResponse'
import type { SSEResponseOptions } from './sseResponse'

async function piecesOf(response: Response): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  if (response.body) for await (const piece of response.body) pieces.push(piece)
  return pieces
}

const sizes = async (options: SSEResponseOptions): Promise<number[]> =>
  (await piecesOf(sseResponse(['é'], { done: false, ...options }))).map(({ length }) => length)

describe('sseResponse', () => {
  it('writes objects as JSON and strings as they are, and ends with [DONE]', async () => {
    const response = sseResponse([{ a: 1 }, 'plain'])
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe('data: {"a":1}\n\ndata: plain\n\ndata: [DONE]\n\n')
  })

  it('writes text of several lines as several data lines of one event', async () => {
    expect(await sseResponse(['a\nb\r\nc'], { done: false }).text()).toBe(
      'data: a\ndata: b\ndata: c\n\n',
    )
  })

  it('writes bytes untouched, for comments and broken input', async () => {
    const raw = new TextEncoder().encode(': ping\n\n')
    expect(await sseResponse([raw], { done: 'end' }).text()).toBe(': ping\n\ndata: end\n\n')
  })

  it('takes status and headers', () => {
    const response = sseResponse([], { status: 202, headers: { 'x-run': '1' } })
    expect(response.status).toBe(202)
    expect(response.headers.get('x-run')).toBe('1')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
  })

  // `data: é` and two line ends are ten bytes, and the letter is two of them.
  it.each<[string, SSEResponseOptions, number[]]>([
    ['an event each by default', {}, [10]],
    ['byte by byte', { chunkSize: 1 }, Array.from({ length: 10 }, () => 1)],
    ['at a fixed size', { chunkSize: 4 }, [4, 4, 2]],
    ['not at all', { chunkSize: Infinity }, [10]],
    ['at offsets, also within a character', { cuts: [7, 2] }, [2, 5, 3]],
    ['at offsets that make sense only', { cuts: [-3, 0, 5, 5, 10, 99] }, [5, 5]],
  ])('cuts %s', async (_, options, expected) => {
    expect(await sizes(options)).toEqual(expected)
  })

  it('gives the same bytes wherever it is cut', async () => {
    const whole = await sseResponse([{ text: 'жук 🪲' }, 'é']).text()
    await assert(
      asyncProperty(array(nat(80)), async (cuts) => {
        expect(await sseResponse([{ text: 'жук 🪲' }, 'é'], { cuts }).text()).toBe(whole)
      }),
      { numRuns: 100 },
    )
  })

  it('makes pieces only as they are read, and waits before each', async () => {
    const began = performance.now()
    const reader = sseResponse(['a', 'b'], { delayMs: 15 }).body?.getReader()
    await reader?.read()
    await reader?.read()
    expect(performance.now() - began).toBeGreaterThan(25)
    await reader?.cancel()
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
  })

  it('breaks off with the reason of its signal, also while it waits', async () => {
    const controller = new AbortController()
    const reader = sseResponse(['a'], {
      delayMs: 60_000,
      signal: controller.signal,
    }).body?.getReader()
    const read = reader?.read()
    controller.abort(new DOMException('stop', 'AbortError'))
    await expect(read).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('is broken from the start where the signal already is', async () => {
    const response = sseResponse(['a'], { signal: AbortSignal.abort() })
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
  })
})
