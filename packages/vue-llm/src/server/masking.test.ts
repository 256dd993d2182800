import { describe, expect, it, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { finish, hang, text, toolCall } from 'vue-llm/testing'
import { LLMError, ToolError, type AnyTool, type Chunk } from '../core'
import { createOpenAIProvider } from '../providers'
import { exchange, bodyOf, post, received, scripted, user } from './__tests__/handlerKit'
import { createLLMHandler, type HandlerErrorEvent, type HandlerFinishEvent } from './index'

const secret = 'postgres://app:hunter2@10.0.0.3'
const failing = (error: unknown): AnyTool => ({
  name: 'act',
  execute: async () => {
    throw error
  },
})
const act = [toolCall('act', {}, 'c1')]

describe('the text of an error', () => {
  it.each([
    ['thrown before anything came', [new LLMError('http', secret)], 'http'],
    ['thrown later', ['a', new Error(secret)], 'provider'],
    ['an error chunk', ['a', { type: 'error', code: 'overloaded', message: secret }], 'overloaded'],
    [
      'in a step-end alone',
      ['a', { ...finish('truncated'), error: { code: 'truncated', message: secret } }],
      'truncated',
    ],
  ] as const)('of the provider is masked, its code stays: %s', async (_how, round, code) => {
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const answer = await scripted([round], { onError }).ask([user()])
    const { chunks } = answer
    expect(answer.text).not.toContain('hunter2')
    const info = { code, message: 'the server could not answer' }
    const failures = chunks.flatMap((chunk): object[] => {
      if (chunk.type === 'error') return [{ code: chunk.code, message: chunk.message }]
      return chunk.type === 'step-end' && chunk.error ? [chunk.error] : []
    })
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toEqual(info)
    // Told once, with the truth.
    expect(onError).toHaveBeenCalledOnce()
    expect(onError.mock.calls[0]).toMatchObject([{ message: secret }, { source: 'provider' }])
  })

  it('reaches onError as the error that was thrown, with its cause', async () => {
    const error = new LLMError('network', secret, { cause: new Error('deep') })
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    await scripted([[error]], { onError, authorize: () => 'ann' }).ask([user()])
    expect(onError.mock.calls).toEqual([[error, { context: 'ann', source: 'provider' }]])
  })

  it('is the same where a provider throws before it gives a stream', async () => {
    const error = new LLMError('misuse', secret)
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const stream = () => {
      throw error
    }
    const handler = createLLMHandler({ provider: { name: 'p', stream }, model: 'm', onError })
    const { chunks } = await exchange(handler, post(bodyOf([user()])))
    expect(chunks[0]).toMatchObject({ code: 'misuse', message: 'the server could not answer' })
    expect(onError.mock.calls[0]?.[0]).toBe(error)
  })

  it('of a tool is masked on the wire; the model reads it within the request', async () => {
    const error = new Error(secret)
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const { ask, requests } = scripted([act, 'x'], { tools: [failing(error)], onError })
    const answer = await ask([user()])
    expect(answer.chunks).toContainEqual({
      type: 'tool-error',
      toolCallId: 'c1',
      error: 'the tool failed',
    })
    expect(answer.text).not.toContain('hunter2')
    expect(requests[1]?.messages.at(-1)?.parts).toMatchObject([{ error: secret }])
    expect(onError.mock.calls).toEqual([
      [error, { context: undefined, source: 'tool', toolName: 'act' }],
    ])
  })

  it.each([
    ['is shown where it is a ToolError', new ToolError('no such order'), 'no such order'],
    ['is shown where it is one of another copy', named('no such order'), 'no such order'],
    ['is masked where a string was thrown', secret, 'the tool failed'],
    ['is masked where nothing was thrown', undefined, 'the tool failed'],
    ['is masked where an LLMError was thrown', new LLMError('http', secret), 'the tool failed'],
  ])('of a tool %s', async (_how, thrown, shown) => {
    const onError = () => {}
    const { ask } = scripted([act, 'x'], { tools: [failing(thrown)], onError })
    expect(received((await ask([user()])).chunks).parts[0]).toMatchObject({ error: shown })
  })

  it('of a result that can’t be sent is masked', async () => {
    expectWarning(/tool 'act': Error: Converting circular structure/)
    const circular: Record<string, unknown> = { password: 1 }
    circular.self = circular
    const { ask } = scripted([act, 'x'], {
      tools: [{ name: 'act', execute: () => Promise.resolve(circular) }],
    })
    expect(received((await ask([user()])).chunks).parts[0]).toMatchObject({
      state: 'error',
      error: 'the tool failed',
    })
  })

  it('of needsApproval and of the validator is masked as the tool’s', async () => {
    const onError = vi.fn<(error: unknown, event: HandlerErrorEvent) => void>()
    const fail = () => {
      throw new Error(secret)
    }
    const tools = [{ name: 'act', execute: async () => 1, needsApproval: fail }]
    const asks = scripted([act, 'x'], { tools, onError, loadMessages: () => [] })
    const checks = scripted([act, 'x'], {
      tools: [{ name: 'act', execute: async () => 1 }],
      validator: fail,
      onError,
    })
    for (const { ask } of [asks, checks]) {
      const answer = await ask([user()])
      expect(received(answer.chunks).parts[0]).toMatchObject({ error: 'the tool failed' })
      expect(answer.text).not.toContain('hunter2')
    }
    expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual([secret, secret])
  })

  it('of a call that the provider’s side ran is masked, whatever code it has', async () => {
    expectWarning(/tool 'search': Error: CANARY host/)
    const stored: unknown[] = []
    const round: Chunk[] = [
      {
        type: 'tool-call-end',
        toolCallId: 'a',
        toolName: 'search',
        args: {},
        providerExecuted: true,
      },
      { type: 'tool-error', toolCallId: 'a', error: 'CANARY host', errorCode: 'timeout' },
    ]
    const { ask } = scripted([round], {
      onFinish: ({ messages }) => void stored.push(messages),
    })
    const answer = await ask([user()])
    expect(answer.text).toContain('tool-error')
    expect(answer.text + JSON.stringify(stored)).not.toContain('CANARY')
  })

  it('that the chat makes itself is shown', async () => {
    const slow = { name: 'slow', timeoutMs: 5, execute: () => new Promise(() => {}) }
    const { ask } = scripted(
      [[toolCall('slow', {}, 'c1'), toolCall('nope', {}, 'c2'), toolCall('slow', '[', 'c3')], 'x'],
      { tools: [slow] },
    )
    expect(received((await ask([user()])).chunks).parts.slice(0, 3)).toMatchObject([
      { error: 'no result within 5 ms', errorCode: 'timeout' },
      { error: "unknown tool 'nope'", errorCode: 'unknown-tool' },
      { errorCode: 'invalid-args' },
    ])
  })

  it('is what onError returns, for both kinds and also for a ToolError', async () => {
    const onError = async (error: unknown, { source, toolName }: HandlerErrorEvent) =>
      `${source} ${toolName ?? '-'}: ${(error as Error).message.length}`
    const tools = [failing(new ToolError('four'))]
    const { ask } = scripted([act, [new Error('sixsix')]], { tools, onError })
    const { chunks } = await ask([user()])
    expect(chunks).toContainEqual({ type: 'tool-error', toolCallId: 'c1', error: 'tool act: 4' })
    expect(chunks).toContainEqual({ type: 'error', code: 'provider', message: 'provider -: 6' })
  })

  it('stays masked where onError itself throws', async () => {
    const onError = () => {
      throw new Error(secret)
    }
    const { ask } = scripted([[new Error('x')]], { onError })
    expect((await ask([user()])).chunks[0]).toMatchObject({
      message: 'the server could not answer',
    })
  })

  it('is written to the console once where there is no onError, with its stack where it is a bug', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      const failed = new LLMError('http', 'HTTP 401 from POST https://model.test', { body: 'long' })
      const { ask } = scripted([act, [text('a'), failed]], {
        tools: [failing(Object.assign(new Error(secret), { config: { key: 'canary' } }))],
        onFinish: () => Promise.reject('the disk is full'),
      })
      expect((await ask([user()])).text).not.toContain('hunter2')
      expect(log.mock.calls).toEqual([
        [
          expect.stringMatching(
            /^\[vue-llm\] tool 'act': Error: postgres:.*\n {4}at .*masking.test/,
          ),
        ],
        ['[vue-llm] provider: HTTP 401 from POST https://model.test'],
        ['[vue-llm] handler: the disk is full'],
      ])
    } finally {
      log.mockRestore()
    }
  })

  it('that is shown anyway is not written to the console, nor is a refusal or a stop', async () => {
    const log = vi.spyOn(console, 'error')
    const onlyFor = (thrown: unknown) => scripted([act, 'x'], { tools: [failing(thrown)] })
    await onlyFor(new ToolError('no such order')).ask([user()])
    const refuse = () => Promise.reject(new Response('log in first', { status: 401 }))
    await scripted(['x'], { authorize: refuse }).ask([user()])
    await scripted(['x']).ask([])
    const stop = new AbortController()
    const { handler } = scripted([[text('a'), hang]])
    const response = await handler(post(bodyOf([user()]), { signal: stop.signal }))
    const reader = response.body?.getReader()
    await reader?.read()
    stop.abort()
    await reader?.closed.catch(() => {})
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })

  it('is masked in what onFinish stores, too', async () => {
    const onFinish = vi.fn<(event: HandlerFinishEvent) => void>()
    const { ask } = scripted([act, [text('a'), new Error(secret)]], {
      tools: [failing(new Error(secret))],
      onFinish,
      onError: () => {},
    })
    const { chunks } = await ask([user()])
    expect(JSON.stringify(onFinish.mock.calls)).not.toContain('hunter2')
    expect(onFinish.mock.calls[0]?.[0].message).toEqual({
      ...received(chunks),
      createdAt: expect.any(Number),
    })
  })
})

it('with canary keys in options, headers and environment nothing on the wire or in a log line holds them', async () => {
  const canary = 'canary-7f3a91'
  const log = vi.spyOn(process.stdout, 'write')
  const warn = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubEnv('UPSTREAM_KEY', canary)
  try {
    const upstream = (reply: Response) => async () => reply
    const echo = `you sent ${canary}`
    const sse = (...events: object[]) =>
      new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      })
    const delta = { choices: [{ delta: { content: 'ok' } }] }
    const replies = [
      () => Response.json({ error: { message: echo } }, { status: 401 }),
      () => sse(delta, { error: { message: echo } }),
      () => sse(delta),
      () => new Response(`<html>${canary}`, { headers: { 'content-type': 'text/html' } }),
    ]
    for (const reply of replies) {
      const provider = createOpenAIProvider({
        baseURL: `https://user:${canary}@upstream.test/v1?key=${canary}`,
        apiKey: canary,
        headers: { 'x-secret': canary },
        fetch: upstream(reply()),
      })
      const handler = createLLMHandler({
        provider,
        model: 'm',
        system: `The word is ${canary}.`,
        tools: [failing(new Error(`no way in with ${process.env.UPSTREAM_KEY}`))],
        authorize: () => ({ token: canary }),
      })
      const answer = await exchange(handler, post(bodyOf([user()])))
      expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(canary)
      expect(answer.chunks.some((chunk: Chunk) => 'error' in chunk || chunk.type === 'error')).toBe(
        true,
      )
    }
    // What a tool throws is its own word: without `onError` it would be written as it is.
    const onError = () => {}
    const tool = scripted([act, 'x'], { tools: [failing(new Error(canary))], onError })
    expect((await tool.ask([user()])).text).not.toContain(canary)
    expect(warn).toHaveBeenCalledTimes(replies.length)
    for (const { mock } of [log, warn]) expect(JSON.stringify(mock.calls)).not.toContain(canary)
  } finally {
    vi.unstubAllEnvs()
    log.mockRestore()
    warn.mockRestore()
  }
})

function named(message: string): Error {
  return Object.assign(new Error(message), { name: 'ToolError' })
}
