import { describe, expect, it } from 'vitest'
import { renderHttpResult } from './renderHttpResult'
import type { HttpResultOptions } from './types'

const bytes = (...values: number[]) => new Uint8Array(values)

/** What the model reads of an answer. */
const textOf = (
  body: BodyInit | null,
  init: ResponseInit & { type?: string } = {},
  options?: HttpResultOptions,
) => {
  const headers = { ...(init.type !== undefined && { 'content-type': init.type }) }
  return renderHttpResult(new Response(body, { headers, ...init }), options).catch(
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

/** A body that counts what is taken from it and whether it is cancelled. */
function countedBody(chunk: Uint8Array<ArrayBuffer>, end = Infinity) {
  const seen = { chunks: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (seen.chunks++ < end) controller.enqueue(chunk)
        else controller.close()
      },
      cancel: () => {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, stream }
}

describe('what the model reads of an answer (guide §6)', () => {
  it.each([
    [404, 'not found', 'ToolError: HTTP 404 — not found'],
    [500, '', 'ToolError: HTTP 500 — '],
    [302, 'moved', 'ToolError: HTTP 302 — moved'],
    [304, null, 'ToolError: HTTP 304 — '],
    [200, 'fine', 'fine'],
    [299, 'fine', 'fine'],
  ])('23: %i with %j', async (status, body, text) => {
    expect(await textOf(body, { status })).toBe(text)
  })

  it.each([200, 201, 204])('D19: an empty %i is its status', async (status) => {
    expect(await textOf(null, { status, type: 'application/json' })).toBe(`HTTP ${status}`)
    expect(await textOf(status === 204 ? null : '', { status })).toBe(`HTTP ${status}`)
  })

  it.each(['  ok \n', '{ "a" : 1 }\n', '<tool_call>x</tool_call>', '\r\n', 'a\0b'])(
    'D17: the body as it is: %j',
    async (body) => {
      expect(await textOf(body, { type: 'text/plain' })).toBe(body)
    },
  )
})

describe('the limit', () => {
  it.each([
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '0123456789… [truncated]'],
    ['ab😀cd', 3, 'ab😀… [truncated]'],
    ['ab😀', 3, 'ab😀'],
    ['👨‍👩‍👧', 1, '👨… [truncated]'],
    ['e\u0301x', 2, 'e\u0301… [truncated]'],
    ['x', 0, '… [truncated]'],
    ['', 0, 'HTTP 200'],
    ['é'.repeat(5000), 4999, `${'é'.repeat(4999)}… [truncated]`],
    ['é'.repeat(5000), 5000, 'é'.repeat(5000)],
    ['é'.repeat(5000), Infinity, 'é'.repeat(5000)],
  ])('25, D18: code points are counted: %#', async (body, resultMaxChars, text) => {
    expect(await textOf(body, {}, { resultMaxChars })).toBe(text)
    const error = await textOf(body, { status: 500 }, { resultMaxChars })
    expect(error).toBe(`ToolError: HTTP 500 — ${text.replace('HTTP 200', '')}`)
  })

  it('26: it is 2000 by default', async () => {
    expect(await textOf('a'.repeat(2000))).toBe('a'.repeat(2000))
    expect(await textOf('a'.repeat(2001))).toBe(`${'a'.repeat(2000)}… [truncated]`)
  })

  it.each([1, 2, 3])('D18: a character cut by the network is whole: pieces of %i', async (size) => {
    const encoded = new TextEncoder().encode('aé€😀z')
    let at = 0
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= encoded.length) return controller.close()
        controller.enqueue(encoded.slice(at, (at += size)))
      },
    })
    expect(await textOf(stream, {}, { resultMaxChars: 4 })).toBe('aé€😀… [truncated]')
  })

  it('D18: no more is read than it takes, and the body is let go', async () => {
    const { stream, seen } = countedBody(new TextEncoder().encode('x'.repeat(100)))
    expect(await textOf(stream, { type: 'text/plain' }, { resultMaxChars: 250 })).toHaveLength(263)
    expect(seen).toEqual({ chunks: 3, cancelled: true })
  })

  it('D18: one huge chunk is not decoded as a whole', async () => {
    const big = new Uint8Array(50_000_000).fill(120)
    const { stream } = countedBody(big, 1)
    const start = performance.now()
    expect(await textOf(stream, {}, { resultMaxChars: 10 })).toBe('xxxxxxxxxx… [truncated]')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('text and binary', () => {
  it.each([
    ['text/plain; charset=ISO-8859-1', bytes(0x63, 0xe9), 'cé'],
    ['text/plain;charset="windows-1251"', bytes(0xe9), 'й'],
    ['Text/Plain; Format=flowed; CHARSET=utf-16le', bytes(0x41, 0, 0x3d, 0xd8, 0, 0xde), 'A😀'],
    ['text/plain; charset=nope', bytes(0xc3, 0xa9), 'é'],
    ['text/plain', bytes(0x61, 0xff, 0x62), 'a\ufffdb'],
    ['text/plain', bytes(0x61, 0xc3), 'a\ufffd'],
    ['application/json', bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d), '{}'],
  ])('D20: %s is decoded by its charset, else as UTF-8', async (type, body, text) => {
    expect(await textOf(body, { type })).toBe(text)
  })

  it.each([
    'text/html',
    'application/json',
    'application/problem+json',
    'image/svg+xml',
    'application/xml',
    'application/yaml',
    'application/x-ndjson',
    'text/javascript',
    'application/x-www-form-urlencoded',
  ])('D21: %s is text whatever its bytes are', async (type) => {
    expect(await textOf(bytes(0x61, 0xff), { type })).toBe('a\ufffd')
  })

  it.each([
    ['image/png', bytes(0x89, 0x50, 0x4e, 0x47), '[binary content: image/png]'],
    ['application/pdf; x=1', bytes(0x25, 0, 0x50), '[binary content: application/pdf]'],
    ['application/octet-stream', bytes(0x61, 0xc3), '[binary content: application/octet-stream]'],
    ['', bytes(0xff), '[binary content: application/octet-stream]'],
    ['application/octet-stream', bytes(0x61, 0xc3, 0xa9), 'aé'],
    ['', bytes(0x61), 'a'],
  ])('D21: %j is text only where it reads as UTF-8 without NUL: %#', async (type, body, text) => {
    const init = { headers: type ? { 'content-type': type } : {} }
    expect(await textOf(body, init)).toBe(text)
    expect(await textOf(body, { ...init, status: 500 }, { resultMaxChars: 100 })).toBe(
      `ToolError: HTTP 500 — ${text}`,
    )
  })

  it('D21: a NUL behind the limit tells binary too, and nothing more is read', async () => {
    const { stream, seen } = countedBody(bytes(0x61, 0x62, 0x63, 0))
    expect(await textOf(stream, { type: 'audio/x' }, { resultMaxChars: 2 })).toBe(
      '[binary content: audio/x]',
    )
    expect(seen).toEqual({ chunks: 1, cancelled: true })
  })
})

describe('failures', () => {
  const broken = (error: unknown) =>
    new ReadableStream({
      pull: (controller) => controller.error(error),
    })

  it.each([
    [
      Object.assign(new TypeError('terminated'), { cause: { code: 'Z_DATA_ERROR' } }),
      'response could not be decoded',
    ],
    [
      Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } }),
      'network error (UND_ERR_SOCKET)',
    ],
    [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'network error (ECONNRESET)'],
    [Object.assign(new Error('x'), { code: 'https://u:p@h/?key=s' }), 'network error'],
    [new TypeError('secret https://h/?key=s3cret'), 'network error'],
    [undefined, 'network error'],
  ])('24, D23: a body that breaks: %#', async (error, detail) => {
    expect(await textOf(broken(error))).toBe(`ToolError: tool request failed: ${detail}`)
  })

  it('D23: a secret that a failure echoes is replaced, also where the limit would cut it', async () => {
    const secrets = ['s3cret-key']
    const say = (limit: number) =>
      textOf('bad key s3cret-key!', { status: 401 }, { secrets, resultMaxChars: limit })
    expect(await say(100)).toBe('ToolError: HTTP 401 — bad key ***!')
    expect(await say(12)).toBe('ToolError: HTTP 401 — bad key ***!')
    expect(await say(11)).toBe('ToolError: HTTP 401 — bad key ***… [truncated]')
    expect(await say(9)).toBe('ToolError: HTTP 401 — bad key *… [truncated]')
    expect(await textOf('s3cret-key', {}, { secrets })).toBe('s3cret-key')
  })

  it.each([20, 60, 100, 150, 199, 200, 1000])(
    'D23: of a secret that is echoed again and again not even a part is told, at a limit of %i',
    async (resultMaxChars) => {
      const secret = '0123456789'.repeat(5)
      for (const gap of ['', ' ', ' and ']) {
        const body = `${secret}${gap}`.repeat(30)
        const text = await textOf(body, { status: 401 }, { secrets: [secret], resultMaxChars })
        expect(text).not.toContain('0123')
      }
    },
  )
})
