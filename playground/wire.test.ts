import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessage, runChat, type Message, type Provider } from 'vue-llm/core'
import {
  createOpenAIProvider,
  createProxyProvider,
  createWebSocketProvider,
} from 'vue-llm/providers'
import * as testing from 'vue-llm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChatSocket } from './server/chatSocket.ts'
import { createChatService } from './server/handleChat.ts'
import { inspectFetch, type Fetch } from './src/wire/inspectFetch.ts'
import { inspectProvider } from './src/wire/inspectProvider.ts'
import { inspectSocket } from './src/wire/inspectSocket.ts'
import { createSplitter, dataOf } from './src/wire/splitEvents.ts'
import { toResponses, toScript } from './src/wire/toFixture.ts'
import { createWireLog } from './src/wire/wireLog.ts'

const weather = {
  name: 'get_weather',
  description: 'Gets the weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: () => ({ temperature: 21 }),
} as const

const demo: Fetch = testing.createDemoModel({ delayMs: 0 })

/** What a question becomes, without what differs from run to run. */
async function ask(provider: Provider, text = 'Think about the weather in Oslo'): Promise<string> {
  const messages: Message[] = [createMessage('user', { content: text })]
  const request = { model: 'vue-llm-demo' }
  for await (const _ of runChat({ provider, messages, request, tools: [weather] })) {
    // Each chunk is in the messages already.
  }
  const { parts, steps } = messages.at(-1) ?? {}
  return JSON.stringify({ parts, steps })
}

const createRecorder = () => {
  const log = createWireLog({ now: () => 0 })
  log.isRecording.value = true
  return log
}

describe('recorded fixtures', () => {
  let folder = ''
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'vue-llm-fixture-'))))
  afterAll(() => rm(folder, { recursive: true }))

  /** Runs what was copied, with the package's sources. */
  async function run<Exports>(code: string): Promise<Exports> {
    const [line = ''] = code.split('\n')
    const names = /\{ (.*) \}/.exec(line)?.[1] ?? ''
    Object.assign(globalThis, { fixtureTools: testing })
    const file = join(folder, `${Math.random()}.mjs`)
    writeFileSync(file, code.replace(line, `const { ${names} } = globalThis.fixtureTools`))
    return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Exports>
  }

  for (const [wire, create, served] of [
    [
      'OpenAI’s wire',
      (fetch: Fetch) => createOpenAIProvider({ baseURL: 'http://demo/v1', fetch }),
      demo,
    ],
    [
      'our own wire',
      (fetch: Fetch) => createProxyProvider({ url: 'http://demo/api/chat', fetch }),
      (url: string, init?: RequestInit) =>
        createChatService({ delayMs: 0 })(new Request(url, init)),
    ],
  ] as const) {
    it(`of ${wire} play the same answer again`, async () => {
      const log = createRecorder()
      const recorded = await ask(inspectProvider(log, create(inspectFetch(log, served))))
      expect(recorded).toContain('21 degrees')
      const entries = log.entries.value

      const { provider } = await run<{ provider: Provider }>(toScript(entries))
      expect(await ask(provider)).toBe(recorded)

      const { fetch } = await run<{ fetch: Fetch }>(toResponses(entries))
      expect(await ask(create(fetch))).toBe(recorded)
      // And no more than that.
      expect((await fetch('')).status).toBe(400)
    })
  }

  it('refuse what was refused', async () => {
    const log = createRecorder()
    const answers = [
      () => Response.json({ error: { message: 'no such model' } }, { status: 404 }),
      () => testing.sseResponse([{ choices: [{ delta: { content: 'Hi.' } }] }]),
    ]
    const served = async () => answers.shift()?.() ?? Response.error()
    const story = async (fetch: Fetch) => {
      const provider = createOpenAIProvider({ baseURL: 'http://demo/v1', fetch })
      const messages: Message[] = [createMessage('user', { content: 'Hello' })]
      let told = ''
      for await (const chunk of runChat({ provider, messages, request: { model: 'm' } })) {
        if (chunk.type === 'error') told += chunk.message
        if (chunk.type === 'text-delta') told += chunk.text
      }
      return told
    }
    const recorded = inspectFetch(log, served)
    const stories = [await story(recorded), await story(recorded)]
    expect(stories).toEqual([expect.stringMatching(/404.*no such model/), 'Hi.'])
    const { fetch } = await run<{ fetch: Fetch }>(toResponses(log.entries.value))
    expect([await story(fetch), await story(fetch)]).toEqual(stories)
  })

  it('end as the recorded stream did, without an end mark', async () => {
    const log = createRecorder()
    const provider = (fetch: Fetch) => createOpenAIProvider({ baseURL: 'http://demo/v1', fetch })
    const recorded = await ask(
      provider(inspectFetch(log, testing.createDemoModel({ delayMs: 0 }))),
      'Write a long text and cut it',
    )
    expect(recorded).toContain('truncated')
    const { fetch } = await run<{ fetch: Fetch }>(toResponses(log.entries.value))
    expect(await ask(provider(fetch), 'Write a long text and cut it')).toBe(recorded)
  })
})

describe('the recorder', () => {
  it('is out of the way while nothing is recorded', async () => {
    const log = createWireLog()
    const answer = new Response('text')
    expect(await inspectFetch(log, async () => answer)('http://x')).toBe(answer)
    const stream = async function* () {}
    const iterable = stream()
    const provider = inspectProvider(log, { name: 'x', stream: () => iterable })
    expect(
      provider.stream({ model: '', messages: [], tools: [], signal: AbortSignal.any([]) }),
    ).toBe(iterable)
    expect(log.entries.value).toEqual([])
  })

  it('keeps the last 2,000 entries, and no more than 4 million characters', () => {
    const log = createRecorder()
    for (let at = 0; at < 2500; at++) log.add('chunk', 1, `${at}`)
    expect(log.entries.value).toHaveLength(2000)
    expect(log.entries.value[0]?.text).toBe('500')
    const large = 'x'.repeat(1_500_000)
    for (let at = 0; at < 5; at++) log.add('event', 1, large)
    expect(log.entries.value.map(({ text }) => text.length)).toEqual([1_500_000, 1_500_000])
    log.clear()
    expect(log.entries.value).toEqual([])
  })

  it('passes on what goes wrong, and notes it', async () => {
    const log = createRecorder()
    const refused = inspectFetch(log, () => Promise.reject(new TypeError('no network')))
    await expect(refused('http://x')).rejects.toThrow('no network')
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error('cut')),
    })
    const answer = await inspectFetch(log, async () => new Response(broken))('http://x')
    await expect(answer.text()).rejects.toThrow('cut')
    const texts = log.entries.value.map(({ text }) => text).join('\n')
    expect(texts).toMatch(/no answer: TypeError: no network.*broke off: Error: cut/s)
  })

  it('never holds a key: headers are not recorded', async () => {
    const log = createRecorder()
    const fetch = inspectFetch(log, demo)
    await ask(createOpenAIProvider({ baseURL: 'http://demo/v1', apiKey: 'sk-secret', fetch }))
    expect(JSON.stringify(log.entries.value)).not.toContain('sk-secret')
  })

  it('tells the reads of the network as they are, and cancels as the reader does', async () => {
    const log = createRecorder()
    let cancelled = ''
    const pieces = ['data: {"a":', '1}\n\ndata: ', '2\n\n'].map((one) =>
      new TextEncoder().encode(one),
    )
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift()
        if (!piece) return new Promise(() => {})
        controller.enqueue(piece)
        return undefined
      },
      cancel: (reason) => void (cancelled = String(reason)),
    })
    const answer = await inspectFetch(log, async () => new Response(body))('http://x')
    const reader = answer.body?.getReader()
    for (let reads = 0; reads < 3; reads++) await reader?.read()
    await reader?.cancel('enough')
    expect(cancelled).toBe('enough')
    const seen = log.entries.value
      .slice(2)
      .map(({ kind, value, text }) => value ?? `${kind} ${text}`)
    expect(seen).toEqual([
      'bytes 11 bytes',
      'bytes 10 bytes',
      '{"a":1}',
      'bytes 3 bytes',
      '2',
      'bytes cancelled by the reader',
    ])
  })
})

describe('events', () => {
  it.each([
    ['an event stream', 'data: 1\n\ndata: 2\n\n', ['1', '2']],
    ['one with carriage returns', 'data: 1\r\n\r\nid: 7\r\ndata: 2\r\n\r\n', ['1', '2']],
    ['several lines of data', 'data: 1\ndata: 2\n\n', ['1\n2']],
    ['a comment', ': beat\n\ndata: 1\n\n', [undefined, '1']],
    ['lines of JSON', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
  ])('of %s are found wherever it is cut', (_, text, expected) => {
    for (let size = 1; size <= text.length; size++) {
      const split = createSplitter()
      const events: string[] = []
      for (let at = 0; at < text.length; at += size)
        events.push(...split(text.slice(at, at + size)))
      expect(events.map(dataOf)).toEqual(expected)
    }
  })
})

describe('a socket', () => {
  it('is recorded frame by frame, both ways', async () => {
    const log = createWireLog()
    log.isRecording.value = true
    const listeners = new EventTarget()
    const tell = (type: string, data?: string) =>
      listeners.dispatchEvent(new MessageEvent(type, { data }))
    const chat = createChatSocket({ delayMs: 0 }, (text) => tell('message', text))
    const provider = createWebSocketProvider({
      url: 'ws://page/ws',
      connect(url) {
        setTimeout(() => tell('open'))
        return inspectSocket(log, url, {
          send: (data) => chat.receive(data),
          close: () => chat.close(),
          addEventListener: (type, listener) => listeners.addEventListener(type, listener),
        })
      },
    })
    expect(await ask(provider, 'Search the orders for Grace')).toContain('Moth trap')
    const texts = (kind: string) =>
      log.entries.value.filter((one) => one.kind === kind).map(({ text }) => text)
    expect(texts('request')).toEqual([
      'socket ws://page/ws',
      expect.stringMatching(/^sent, \d+ characters: \{"type":"user_text"/),
    ])
    expect(texts('event').at(-1)).toBe('{"type":"assistant_end"}')
    expect(texts('bytes')).toHaveLength(texts('event').length)
  })
})
