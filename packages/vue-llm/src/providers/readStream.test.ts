import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isLLMError, type ChatRequest, type Chunk, type Provider } from '../core'
import { defineProvider } from './index'

interface Event {
  text?: string
  args?: string
  last?: boolean
  end?: boolean
  usage?: number
  crash?: boolean
}

/** A wire with one field for each thing that can happen. */
const createWire = defineProvider({
  name: 'wire',
  toRequest: () => ({ body: {} }),
  toChunks: (round) => ({
    event({ text, args, last, end, usage, crash }: Event) {
      if (crash) throw new TypeError('no such field')
      if (text) round.emit({ type: 'text-delta', text })
      if (args) round.emit({ type: 'tool-call-delta', toolCallId: args, argsText: args })
      if (last) round.finishReason = 'stop'
      if (end) round.done = true
      if (usage) round.usage = { inputTokens: usage, outputTokens: 0 }
    },
  }),
})

const requestWith = (signal = new AbortController().signal): ChatRequest => ({
  model: 'm',
  messages: [],
  tools: [],
  signal,
})

const firstOf = (provider: Provider, signal?: AbortSignal) => {
  const iterator = provider.stream(requestWith(signal))[Symbol.asyncIterator]()
  return iterator.next()
}

const text = (value: string) => ({ type: 'text-delta', text: value })
const event = (data: Event | object) => `data: ${JSON.stringify(data)}\n\n`
const done = 'data: [DONE]\n\n'
const stop = { type: 'step-end', finishReason: 'stop' }

/** The chunks of a body that comes in these pieces; a rejection comes last, as its code and message. */
async function read(...pieces: (string | Uint8Array | Error)[]): Promise<unknown[]> {
  let next = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[next++]
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
    },
  })
  const provider = createWire({
    url: 'https://x.test/chat',
    maxRetries: 0,
    fetch: async () => new Response(body),
  })
  const chunks: unknown[] = []
  try {
    for await (const chunk of provider.stream(requestWith())) chunks.push(chunk)
  } catch (error) {
    if (!isLLMError(error)) throw error
    chunks.push({ code: error.code, message: error.message })
  }
  return chunks
}

describe('the end of a stream', () => {
  it.each([
    ['[DONE] without a reason', [event({ text: 'a' }), done], [text('a'), stop]],
    ['a reason without [DONE]', [event({ text: 'a', last: true })], [text('a'), stop]],
    ["the wire's own end", [event({ text: 'a', end: true })], [text('a'), stop]],
    ['[DONE] alone', [done], [stop]],
    ['no last blank line', [event({ text: 'a' }), 'data: [DONE]'], [text('a'), stop]],
    [
      'a reason, then a broken line',
      [event({ text: 'a', last: true }), new Error('reset')],
      [text('a'), stop],
    ],
  ])('%s is good', async (_, pieces, chunks) => {
    expect(await read(...pieces)).toEqual(chunks)
  })

  it('reads nothing after [DONE]', async () => {
    expect(
      await read(event({ text: 'a' }) + done + event({ text: 'b' }), event({ text: 'c' })),
    ).toEqual([text('a'), stop])
  })

  it('knows [DONE] only as the whole of an event', async () => {
    expect(
      await read(event({ text: '[DONE]' }), event({ text: 'data: [DONE]\n\n', last: true })),
    ).toEqual([text('[DONE]'), text('data: [DONE]\n\n'), stop])
  })

  it.each([
    ['after whole events', [event({ text: 'a', usage: 3 })]],
    ['within an event', [event({ text: 'a', usage: 3 }), 'data: {"tex']],
    ['within [DONE]', [event({ text: 'a', usage: 3 }), 'data: [DON']],
    ['within a character', [event({ text: 'a', usage: 3 }), Uint8Array.of(0x64, 0xf0)]],
  ])('without either, cut %s, it is truncated', async (_, pieces) => {
    expect(await read(...pieces)).toEqual([
      text('a'),
      {
        type: 'step-end',
        finishReason: 'truncated',
        usage: { inputTokens: 3, outputTokens: 0 },
        error: { code: 'truncated', message: expect.stringContaining('ask again') },
      },
    ])
  })

  it('is truncated also where events held nothing to show', async () => {
    expect(await read(event({}))).toMatchObject([{ finishReason: 'truncated' }])
  })

  it.each([[[]], [['']], [['\n\n']]])('with the body %j gives nothing', async (pieces) => {
    expect(await read(...pieces)).toEqual([])
  })

  it.each([
    ['a web page', '<!doctype html><title>x</title>', '<!doctype html>'],
    ['other JSON', '{"detail":"Not Found"}', ': Not Found ('],
    ['other JSON over lines', '{\n"a":1\n}\n', '{\n"a":1'],
    ['plain text', 'Service warming up', 'Service warming up'],
    ['comments', ': keep-alive\n\n', ': keep-alive'],
    ['broken JSON', '{"text":', '{"text":'],
  ])('with %s for an answer rejects', async (_, body, said) => {
    expect(await read(body)).toEqual([
      { code: 'invalid-response', message: expect.stringContaining(said) },
    ])
  })
})

describe('an error in a stream', () => {
  const error = (message: string, code = 'provider') => ({ type: 'error', code, message })

  it.each([
    ['an error object', event({ error: { message: 'busy' } })],
    ['an error text', event({ error: 'busy' })],
    ['an event named error', 'event: error\ndata: {"message":"busy"}\n\n'],
    ['an event named error with plain text', 'event: error\ndata: busy\n\n'],
    ['an event of type error', event({ type: 'error', message: 'busy' })],
    ['an error as the object', event({ object: 'error', message: 'busy' })],
  ])('as %s comes after what was read before', async (_, failing) => {
    const all = [
      event({ text: 'a' }),
      event({ text: 'b' }),
      failing,
      event({ text: 'c', last: true }),
    ]
    expect(await read(all.join(''))).toEqual([text('ab'), error('busy')])
    expect(await read(...all)).toEqual([text('a'), text('b'), error('busy')])
  })

  it('is followed by a step-end where reason or usage is known, beside it too', async () => {
    const stepEnd = {
      type: 'step-end',
      finishReason: 'error',
      error: { code: 'provider', message: 'busy' },
    }
    const usage = { inputTokens: 3, outputTokens: 0 }
    expect(
      await read(event({ text: 'a', last: true }), event({ error: 'busy', usage: 3 })),
    ).toEqual([text('a'), error('busy'), { ...stepEnd, usage }])
  })

  it('is no field `error` of an event with a type of its own', async () => {
    expect(await read(event({ type: 'tool-error', error: 'x', text: 'a' }), done)).toEqual([
      text('a'),
      stop,
    ])
  })

  it('is an event that is not JSON, named by its beginning', async () => {
    expect(await read(event({ text: 'a' }), 'data: oops\n\n', event({ text: 'b' }))).toEqual([
      text('a'),
      error('an event is not JSON: oops', 'invalid-response'),
    ])
  })

  it('is an event that the reader stumbles over', async () => {
    expect(await read(event({ text: 'a' }), event({ crash: true }))).toEqual([
      text('a'),
      error(expect.stringContaining('no such field') as string, 'invalid-response'),
    ])
  })

  it('is a connection that breaks', async () => {
    const message = 'POST https://x.test/chat broke off (reset)'
    expect(await read(event({ text: 'a' }), new Error('reset'))).toEqual([
      text('a'),
      error(message, 'network'),
    ])
    expect(await read(event({}), new Error('reset'))).toEqual([{ code: 'network', message }])
  })

  it('rejects where nothing came before it', async () => {
    expect(await read(event({ error: 'busy' }))).toEqual([{ code: 'provider', message: 'busy' }])
  })
})

describe('framing', () => {
  const events = [{ text: 'a' }, { text: 'ü🦊' }, { text: 'b', last: true }]
  const bodies: [string, string][] = [
    ['SSE', events.map(event).join('')],
    ['SSE with CRLF', events.map(event).join('').replaceAll('\n', '\r\n')],
    ['SSE with CR', events.map(event).join('').replaceAll('\n', '\r')],
    ['SSE with a BOM', `\uFEFF${events.map(event).join('')}`],
    [
      'SSE with comments and other fields',
      `: hi\nid: 1\nretry: 5\n${events.map(event).join(':\n')}`,
    ],
    ['SSE with several data lines', events.map((e) => event(e).replace(':', ':\ndata:')).join('')],
    ['SSE after blank lines', `\n\n  \n${events.map(event).join('')}`],
    ['JSON lines', events.map((e) => `${JSON.stringify(e)}\n`).join('')],
    [
      'JSON lines with CRLF and blank lines',
      events.map((e) => `${JSON.stringify(e)}\r\n\r\n`).join(''),
    ],
    ['JSON lines without the last line end', events.map((e) => JSON.stringify(e)).join('\n')],
    ['a JSON array', JSON.stringify(events)],
    ['a JSON array over several lines', JSON.stringify(events, null, 2)],
    ['a JSON array after blank lines', `\n \r\n${JSON.stringify(events, null, 2)}`],
  ]

  it.each(bodies)('reads %s the same wherever it is cut', async (_, body) => {
    const bytes = new TextEncoder().encode(body)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length]
        const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
        const chunks = (await read(...pieces)) as Chunk[]
        const all = chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')
        expect([all, chunks.at(-1)]).toEqual(['aü🦊b', stop])
      }),
      { numRuns: 50, examples: [[[]]] },
    )
  })

  it('gives each JSON line as it comes', async () => {
    expect(await read('{"text":"a"}\n{"te', 'xt":"b"}\n', '{"last":true}')).toEqual([
      text('a'),
      text('b'),
      stop,
    ])
  })

  it('ends at a JSON line that is none', async () => {
    expect(await read('{"text":"a"}\noops\n{"text":"b"}\n')).toMatchObject([
      text('a'),
      { type: 'error', code: 'invalid-response' },
    ])
  })

  it('does not take a JSON line that was cut for an end', async () => {
    expect(await read('{"text":"a"}\n{"last":tr')).toMatchObject([
      text('a'),
      { finishReason: 'truncated' },
    ])
  })

  it('passes over events without data, and JSON that is no object', async () => {
    expect(
      await read('data:\n\ndata: \n\ndata: null\n\ndata: 1\n\n', event({ text: 'a' }), done),
    ).toEqual([text('a'), stop])
  })

  it('yields a read of megabytes in slices, so that others have a turn', async () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => `${index} ü€😀 ${'x'.repeat(80)}`)
    const body = pieces.map((piece) => event({ text: piece })).join('')
    const chunks = (await read(body + event({ last: true }))) as Chunk<'text-delta'>[]
    const texts = chunks.slice(0, -1).map((chunk) => chunk.text)
    expect(texts.join('')).toBe(pieces.join(''))
    expect(texts.length).toBe(Math.ceil(new TextEncoder().encode(body).length / 65_536))
    expect(chunks.at(-1)).toEqual(stop)
  })

  it('joins adjacent deltas of one read, and no others', async () => {
    const args = (id: string, argsText = id) => ({
      type: 'tool-call-delta',
      toolCallId: id,
      argsText,
    })
    const all = [
      { text: 'a' },
      { text: 'b' },
      { args: 'x' },
      { args: 'x' },
      { args: 'y' },
      { text: 'c' },
    ]
    expect(await read(all.map(event).join(''), event({ text: 'd' }), done)).toEqual([
      text('ab'),
      args('x', 'xx'),
      args('y'),
      text('c'),
      text('d'),
      stop,
    ])
  })
})

describe('an abort, over a real connection', () => {
  const closers: (() => void)[] = []
  afterEach(() => closers.splice(0).forEach((close) => close()))

  /** A server that answers with `handle`; `left` settles when its client is gone. */
  async function serve(handle: (response: ServerResponse) => void) {
    let gone = () => {}
    const left = new Promise<void>((resolve) => (gone = resolve))
    const server = createServer((_, response) => {
      response.on('close', gone)
      handle(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/chat`, left }
  }

  const startOf = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event({ text: 'a' }))
  }

  it('before the first byte rejects with its reason, and leaves the server', async () => {
    const controller = new AbortController()
    // Once the request is there: an earlier abort would not even connect.
    const { url, left } = await serve(() => setTimeout(() => controller.abort(), 5))
    const next = firstOf(createWire({ url }), controller.signal)
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    await left
  })

  it('between chunks just ends the stream, and leaves the server', async () => {
    const { url, left } = await serve(startOf)
    const controller = new AbortController()
    const chunks: Chunk[] = []
    for await (const chunk of createWire({ url }).stream(requestWith(controller.signal))) {
      chunks.push(chunk)
      setTimeout(() => controller.abort(), 20)
    }
    expect(chunks).toEqual([text('a')])
    await left
  })

  it('of the reading alone leaves the server too', async () => {
    const { url, left } = await serve(startOf)
    for await (const chunk of createWire({ url }).stream(requestWith())) {
      expect(chunk).toEqual(text('a'))
      break
    }
    await left
  })

  it('is not needed after [DONE]: the stream ends though the server stays', async () => {
    const { url, left } = await serve((response) => {
      startOf(response)
      response.write(done)
    })
    const chunks: Chunk[] = []
    for await (const chunk of createWire({ url }).stream(requestWith())) chunks.push(chunk)
    expect(chunks).toEqual([text('a'), stop])
    await left
  })

  it('is none where the server breaks off: that is a network error', async () => {
    const { url } = await serve((response) => {
      startOf(response)
      setTimeout(() => response.destroy(), 20)
    })
    const chunks: Chunk[] = []
    for await (const chunk of createWire({ url }).stream(requestWith())) chunks.push(chunk)
    expect(chunks).toMatchObject([text('a'), { type: 'error', code: 'network' }])
  })

  it('a server that is not there is a network error', async () => {
    const { url } = await serve(() => {})
    closers.splice(0).forEach((close) => close())
    const next = firstOf(createWire({ url }))
    await expect(next).rejects.toMatchObject({ code: 'network' })
  })
})

describe('an abort that fetch and body ignore', () => {
  it('ends a request that hangs', async () => {
    const controller = new AbortController()
    const provider = createWire({ url: '/x', fetch: () => new Promise(() => {}) })
    const next = firstOf(provider, controller.signal)
    controller.abort()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('cancels an answer that comes after it', async () => {
    const controller = new AbortController()
    let answer: (response: Response) => void = () => {}
    let cancelled = () => {}
    const cancel = new Promise<void>((resolve) => (cancelled = resolve))
    const fetch = () => new Promise<Response>((resolve) => (answer = resolve))
    const next = firstOf(createWire({ url: '/x', fetch }), controller.signal)
    await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    answer(new Response(new ReadableStream({ cancel: cancelled })))
    await cancel
  })

  it('ends a body that hangs, and leaves no listener behind', async () => {
    const controller = new AbortController()
    const { signal } = controller
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(event({ text: 'a' }))),
    })
    const provider = createWire({ url: '/x', fetch: async () => new Response(body) })
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(requestWith(signal))) {
      chunks.push(chunk)
      setTimeout(() => controller.abort(), 5)
    }
    expect(chunks).toEqual([text('a')])
    expect(listeners).toBe(0)
  })

  it('gives nothing more of a read that was handled before it', async () => {
    const controller = new AbortController()
    const body = event({ text: 'a' }) + event({ args: 'x' }) + event({ text: 'b' }) + done
    const provider = createWire({ url: '/x', fetch: async () => new Response(body) })
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(requestWith(controller.signal))) {
      chunks.push(chunk)
      controller.abort()
    }
    expect(chunks).toEqual([text('a')])
  })

  it('sends nothing if it came before', async () => {
    const controller = new AbortController()
    let asked = 0
    const fetch = async () => new Response(`${asked++}`)
    const apiKey = async () => {
      controller.abort()
      return 'key'
    }
    const next = firstOf(createWire({ url: '/x', fetch, apiKey }), controller.signal)
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toBe(0)
  })
})
