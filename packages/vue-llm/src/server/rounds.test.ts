import { describe, expect, it, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { finish, hang, text, toolCall, type Script } from 'vue-llm/testing'
import type { AnyTool, ToolContext } from '../core'
import { assistant, bodyOf, call, post, received, scripted, user } from './__tests__/handlerKit'
import type { HandlerFinishEvent } from './index'

const lookup: AnyTool = { name: 'lookup', execute: async () => 'found' }
const tools = [{ name: 'pick' }]
const own = (id: string) => [toolCall('lookup', {}, id)]
const theirs = (id: string) => [toolCall('pick', {}, id)]

/** A model that calls for ever, by the letters of `pattern`: an own tool, the client's, both, or an unknown one. */
const caller =
  (pattern: string): Script =>
  (_request, index) =>
    ({
      o: own(`c${index}`),
      t: theirs(`c${index}`),
      b: [...own(`c${index}`), ...theirs(`d${index}`)],
      u: [toolCall('nope', {}, `c${index}`)],
    })[pattern[index] ?? pattern.at(-1) ?? 'o'] ?? []

describe('maxToolRoundtrips', () => {
  it('is 4: four rounds run, then the model is asked once more, and its calls close as limit', async () => {
    const { ask, requests } = scripted(caller('o'), { tools: [lookup] })
    const { parts, steps } = received((await ask([user()])).chunks)
    expect(requests).toHaveLength(5)
    expect(
      parts.map((part) => part.type === 'tool-call' && (part.errorCode ?? part.state)),
    ).toEqual(['result', 'result', 'result', 'result', 'limit'])
    expect(steps).toHaveLength(5)
  })

  it('rounds of the client alone count on the client', async () => {
    const { ask, requests } = scripted(caller('o'), { tools: [lookup], maxToolRoundtrips: 1 })
    const before = [0, 1, 2, 3].map((step) =>
      call({ toolCallId: `p${step}`, toolName: 'pick', step }),
    )
    await ask([user(), assistant(before)], { tools })
    expect(requests).toHaveLength(2)
  })

  it('a round of both counts for both: a round of the server’s of an earlier request counts here', async () => {
    const { ask, requests } = scripted(caller('o'), { tools: [lookup], maxToolRoundtrips: 2 })
    const before = [
      call({ toolCallId: 'x', providerExecuted: true }),
      call({ toolCallId: 'y', toolName: 'pick' }),
    ]
    await ask([user(), assistant(before)], { tools })
    expect(requests).toHaveLength(2)
  })

  it('rounds before the last user message do not count', async () => {
    const { ask, requests } = scripted(caller('o'), { tools: [lookup], maxToolRoundtrips: 1 })
    const before = assistant([call({ providerExecuted: true })])
    await ask([user(), before, user('more', 'u2')])
    expect(requests).toHaveLength(2)
  })

  it('a round that pauses for the client is never over the server’s limit', async () => {
    const { ask, requests } = scripted(caller('ot'), { tools: [lookup], maxToolRoundtrips: 1 })
    const { parts } = received((await ask([user()], { tools })).chunks)
    expect(parts.at(-1)).toMatchObject({ toolName: 'pick', state: 'pending' })
    expect(requests).toHaveLength(2)
  })

  it('a round of both over the limit closes whole, so that neither side goes on', async () => {
    const { ask } = scripted(caller('ob'), { tools: [lookup], maxToolRoundtrips: 1 })
    const { parts } = received((await ask([user()], { tools })).chunks)
    expect(parts.slice(1)).toMatchObject([
      { errorCode: 'limit', providerExecuted: true },
      { errorCode: 'limit' },
    ])
  })

  it('a model that calls unknown tools for ever comes to an end', async () => {
    const { ask, requests } = scripted(caller('u'), { tools: [lookup], maxToolRoundtrips: 2 })
    const { done } = await ask([user()])
    expect([requests.length, done]).toEqual([3, true])
  })

  it('0 runs nothing', async () => {
    const { ask, requests } = scripted(caller('o'), { tools: [lookup], maxToolRoundtrips: 0 })
    const { parts } = received((await ask([user()])).chunks)
    expect([requests.length, parts]).toMatchObject([1, [{ errorCode: 'limit' }]])
  })
})

describe('onFinish', () => {
  const usage = { inputTokens: 10, outputTokens: 2 }
  const watched = (script: Script, more = {}) => {
    const onFinish = vi.fn<(event: HandlerFinishEvent) => void | Promise<void>>()
    return { onFinish, ...scripted(script, { onFinish, tools: [lookup], ...more }) }
  }

  it('gets what the client has: transcript, answer, reason, tokens of this request, context', async () => {
    const { ask, onFinish } = watched(
      [
        [...own('c1'), finish('tool-calls', usage)],
        [text('x'), finish('stop', usage)],
      ],
      { authorize: () => 'ann' },
    )
    const before = assistant([call({ toolCallId: 'c0', providerExecuted: true })])
    before.steps = [{ finishReason: 'tool-calls', usage: { inputTokens: 99, outputTokens: 99 } }]
    const { chunks } = await ask([user(), before], { messageId: 'a1' })
    expect(onFinish).toHaveBeenCalledOnce()
    const event = onFinish.mock.calls[0]?.[0]
    expect(event).toMatchObject({
      id: 'chat_1',
      context: 'ann',
      finishReason: 'stop',
      usage: { inputTokens: 20, outputTokens: 4 },
      isAbort: false,
      isError: false,
    })
    expect(event?.messages).toHaveLength(2)
    expect(event?.message).toBe(event?.messages[1])
    expect(event?.message).toEqual(received(chunks, before))
  })

  it('has the client’s id for a new answer', async () => {
    const { ask, onFinish } = watched(['x', 'x'])
    await ask([user()])
    await ask([user()], { messageId: undefined })
    expect(onFinish.mock.calls.map(([{ message }]) => message?.id)).toEqual([
      'a_new',
      expect.stringMatching(/^msg_/),
    ])
  })

  it('is awaited before [DONE]', async () => {
    let saved = false
    const onFinish = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      saved = true
    }
    const { handler } = scripted(['x'], { onFinish })
    const response = await handler(post(bodyOf([user()])))
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      expect(value.includes('[DONE]')).toBe(saved)
    }
    expect(saved).toBe(true)
  })

  it('that throws is told to onError, and the answer ends well', async () => {
    const error = new Error('disk full')
    const onError = vi.fn<(error: unknown, event: object) => void>()
    const onFinish = () => Promise.reject(error)
    const { ask } = scripted(['x'], { onFinish, onError })
    const { done, chunks } = await ask([user()])
    expect([done, chunks.length]).toEqual([true, 2])
    expect(onError.mock.calls).toEqual([[error, { context: undefined, source: 'handler' }]])
  })

  it('tells of an error, also where nothing came', async () => {
    expectWarning(/provider: Error: x/)
    const { ask, onFinish } = watched([[new Error('x')]])
    await ask([user()])
    expect(onFinish.mock.calls[0]?.[0]).toMatchObject({
      isError: true,
      isAbort: false,
      message: undefined,
      messages: [{ id: 'u1' }],
    })
  })

  it.each([
    ['while the model speaks', [[text('half'), hang]], { finishReason: 'stopped' }],
    ['while a tool runs', [own('c1')], { finishReason: 'tool-calls' }],
  ] as const)('is called after an abort, too: %s', async (_when, script, more) => {
    let aborted: unknown
    const slow: AnyTool = {
      name: 'lookup',
      execute: (_args: unknown, { signal }: ToolContext) =>
        new Promise(() => signal.addEventListener('abort', () => (aborted = signal.reason))),
    }
    const { handler, onFinish } = watched(script, { tools: [slow] })
    const left = new AbortController()
    const response = await handler(post(bodyOf([user()]), { signal: left.signal }))
    const whole = response.text()
    await new Promise((resolve) => setTimeout(resolve, 20))
    left.abort()
    expect(await whole).not.toContain('[DONE]')
    await vi.waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
    expect(onFinish.mock.calls[0]?.[0]).toMatchObject({ isAbort: true, isError: false, ...more })
    expect(aborted === undefined).toBe(more.finishReason === 'stopped')
    const calls = onFinish.mock.calls[0]?.[0].message?.parts.filter(
      ({ type }) => type === 'tool-call',
    )
    expect(calls?.every((part) => 'state' in part && part.state === 'error')).toBe(true)
  })
})
