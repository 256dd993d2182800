import { describe, expect, it } from 'vitest'
import { normaliseMessages, runChat } from '../core'
import type { ChatRequest, Chunk, Message } from '../core'
import {
  createScriptedProvider,
  finish,
  hang,
  reasoning,
  streamedToolCall,
  text,
  toolCall,
} from './index'
import type { Script, ScriptedProviderOptions } from './index'

function requestOf(signal = new AbortController().signal, messages: Message[] = []): ChatRequest {
  return { model: 'm', messages, tools: [], signal }
}

async function collect(source: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of source) chunks.push(chunk)
  return chunks
}

const play = (script: Script, options?: ScriptedProviderOptions): Promise<Chunk[]> =>
  collect(createScriptedProvider(script, options).stream(requestOf()))

describe('what a round may hold', () => {
  it('plays chunks, strings, reasoning and calls in order', async () => {
    expect(
      await play([
        [reasoning('hm'), 'Hel', text('lo'), toolCall('a', { x: 1 }, 'id'), finish('other')],
      ]),
    ).toEqual([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'tool-call-end', toolCallId: 'id', toolName: 'a', args: { x: 1 } },
      { type: 'step-end', finishReason: 'other' },
    ])
  })

  it('takes a string for a whole answer', async () => {
    expect(await play(['Hello'])).toEqual([text('Hello'), finish('stop')])
  })

  it('closes a round with usage', () => {
    const usage = { inputTokens: 3, outputTokens: 4 }
    expect(finish('length', usage)).toEqual({ type: 'step-end', finishReason: 'length', usage })
  })

  it('streams the arguments of a call in pieces', async () => {
    const chunks = await play([[streamedToolCall('get_weather', { city: 'Reykjavík' })]])
    const deltas = chunks.flatMap((chunk) =>
      chunk.type === 'tool-call-delta' ? [chunk.argsText] : [],
    )
    expect(deltas.length).toBeGreaterThan(1)
    expect(JSON.parse(deltas.join(''))).toEqual({ city: 'Reykjavík' })
    expect(chunks.at(0)).toMatchObject({ type: 'tool-call-start', toolName: 'get_weather' })
    expect(chunks.at(-1)).toMatchObject({ type: 'tool-call-end' })
  })

  it('takes the pieces of the arguments as given, broken ones too', () => {
    expect(streamedToolCall('a', ['{"x', '":'], 'id').slice(1, 3)).toEqual([
      { type: 'tool-call-delta', toolCallId: 'id', argsText: '{"x' },
      { type: 'tool-call-delta', toolCallId: 'id', argsText: '":' },
    ])
  })

  it('calls functions with the request, waits for them and plays what they give', async () => {
    const seen: string[] = []
    const chunks = await play([
      [({ model }) => void seen.push(model), async () => ['a', text('b')], () => () => 'c'],
    ])
    expect(seen).toEqual(['m'])
    expect(chunks).toEqual([text('a'), text('b'), text('c')])
  })

  it('throws an error where it stands', async () => {
    const stream = createScriptedProvider([['a', new Error('broken')]]).stream(requestOf())
    expect((await stream[Symbol.asyncIterator]().next()).value).toEqual(text('a'))
    await expect(play([['a', new Error('broken')]])).rejects.toThrow('broken')
  })

  it('decides a round by a function of request and index', async () => {
    const provider = createScriptedProvider((request, index) => [`${request.model}${index}`])
    await collect(provider.stream(requestOf()))
    expect(await collect(provider.stream(requestOf()))).toEqual([text('m1')])
  })

  it('plays an async iterable', async () => {
    async function* source(): AsyncGenerator<Chunk> {
      yield text('a')
    }
    expect(await play([() => source()])).toEqual([text('a')])
  })
})

describe('ids of calls', () => {
  it('numbers calls without an id, and keeps the pieces of one together', async () => {
    const chunks = await play([
      [toolCall('a'), streamedToolCall('b', {}), toolCall('c', {}, 'own')],
    ])
    expect(chunks.map((chunk) => 'toolCallId' in chunk && chunk.toolCallId)).toEqual([
      'call_1',
      'call_2',
      'call_2',
      'call_2',
      'own',
    ])
  })

  it('takes no number that the transcript has', async () => {
    const earlier = normaliseMessages([
      {
        role: 'assistant',
        parts: [
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'a', args: {}, state: 'result' },
        ],
      },
    ])
    const provider = createScriptedProvider([[toolCall('a')]])
    const chunks = await collect(provider.stream(requestOf(undefined, earlier)))
    expect(chunks).toMatchObject([{ toolCallId: 'call_2' }])
  })
})

describe('requests', () => {
  it('keeps what it was asked, as it was then', async () => {
    const messages = normaliseMessages([{ role: 'user', content: 'Hi' }])
    const provider = createScriptedProvider(['a'])
    void provider.stream(requestOf(undefined, messages))
    messages[0]?.parts.splice(0)
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.messages[0]?.parts).toMatchObject([{ text: 'Hi' }])
  })

  it('says so when asked more often than scripted', async () => {
    const provider = createScriptedProvider(['a'], { name: 'weatherman' })
    await collect(provider.stream(requestOf()))
    await expect(collect(provider.stream(requestOf()))).rejects.toMatchObject({
      code: 'misuse',
      message: expect.stringMatching(/'weatherman' has 1 round.*request 2.*repeat-last/),
    })
  })

  it('repeats the last round if asked to', async () => {
    const provider = createScriptedProvider(['a', 'b'], { afterScript: 'repeat-last' })
    for (const expected of ['a', 'b', 'b']) {
      expect(await collect(provider.stream(requestOf()))).toEqual([text(expected), finish()])
    }
  })

  it('answers without streaming only where told to', async () => {
    expect(createScriptedProvider([]).complete).toBeUndefined()
    const provider = createScriptedProvider(['a'], { complete: true })
    expect(await provider.complete?.(requestOf())).toEqual([text('a'), finish()])
    expect(provider.requests).toHaveLength(1)
  })

  it('has the name it is given, and is remote only if told', () => {
    expect(createScriptedProvider([])).toMatchObject({ name: 'scripted' })
    expect('remote' in createScriptedProvider([], { remote: false })).toBe(false)
    expect(createScriptedProvider([], { remote: true, name: 'own' })).toMatchObject({
      name: 'own',
      remote: true,
    })
  })
})

describe('time and abort', () => {
  it('waits where a number stands and before each chunk', async () => {
    const began = performance.now()
    await play([['a', 20, 'b']], { delayMs: 10 })
    expect(performance.now() - began).toBeGreaterThan(30)
  })

  const never = new Promise<void>(() => {})
  async function* stuck(): AsyncGenerator<Chunk> {
    yield text('a')
    await never
  }
  it.each<[string, Script]>([
    ['a hang', [['a', hang, 'b']]],
    ['a long wait', [['a', 60_000, 'b']]],
    ['a function that never ends', [['a', () => never, 'b']]],
    ['an iterable that never ends', [() => stuck()]],
    ['more chunks', [['a', 'b', 'c']]],
  ])('ends at once on abort during %s', async (_, script) => {
    const controller = new AbortController()
    const chunks: Chunk[] = []
    const stream = createScriptedProvider(script).stream(requestOf(controller.signal))
    for await (const chunk of stream) {
      chunks.push(chunk)
      queueMicrotask(() => controller.abort())
      await Promise.resolve()
    }
    expect(chunks).toEqual([text('a')])
  })

  it('yields nothing for a request that is aborted already', async () => {
    const stream = createScriptedProvider(['a']).stream(requestOf(AbortSignal.abort()))
    expect(await collect(stream)).toEqual([])
  })

  it('goes on after an abort where it is rude', async () => {
    const provider = createScriptedProvider([['a', 5, 'b']], { ignoreAbort: true })
    expect(await collect(provider.stream(requestOf(AbortSignal.abort())))).toEqual([
      text('a'),
      text('b'),
    ])
  })
})

it('drives a whole chat: a call that runs, and the answer after it', async () => {
  const provider = createScriptedProvider([
    [streamedToolCall('get_weather', { city: 'Oslo' }), finish('tool-calls')],
    'It is 7 degrees.',
  ])
  const messages = normaliseMessages([{ role: 'user', content: 'Weather in Oslo?' }])
  const execute = ({ city }: { city: string }): string => `7 in ${city}`
  const run = runChat({
    provider,
    messages,
    request: { model: 'm' },
    tools: [{ name: 'get_weather', execute }],
    signal: new AbortController().signal,
  })
  await collect(run)
  expect(messages.at(-1)?.parts).toMatchObject([
    { type: 'tool-call', state: 'result', result: '7 in Oslo' },
    { type: 'text', text: 'It is 7 degrees.' },
  ])
  expect(provider.requests[1]?.messages.at(-1)?.parts).toHaveLength(1)
})
