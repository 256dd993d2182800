import { describe, expect, it, vi } from 'vitest'
import { reactive } from 'vue'
import { applyChunk } from './applyChunk'
import { isLLMError, LLMError } from './errors'
import { call, done, end, play, prepare, text, user } from './fixtures/play'
import { createMessage } from './message'
import { runChat, type RunChatOptions } from './runChat'
import type { Chunk, Message, PrepareStep } from './types'

const failure: Chunk = { type: 'error', code: 'provider', message: 'overloaded' }
const tools = [{ name: 't', execute: () => 1 }]
const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)

/** An assistant message with one answered call, whose follow-up is due. */
function answered(): Message {
  const message = createMessage('assistant')
  const chunks = [call('t'), end('tool-calls'), { type: 'tool-result', toolCallId: 't', result: 1 }]
  for (const chunk of chunks as Chunk[]) applyChunk(message, chunk)
  return message
}

describe('a turn', () => {
  it('asks the model, and ends with an answer of text', async () => {
    const { messages, chunks, provider, errors } = await play([[text('a'), text('b'), end()]])
    expect(messages).toHaveLength(2)
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      parts: [{ type: 'text', text: 'ab', state: 'done', step: 0 }],
      steps: [{ finishReason: 'stop' }],
    })
    expect(types(chunks)).toEqual(['text-delta', 'text-delta', 'step-end'])
    expect(provider.requests).toHaveLength(1)
    expect(errors).toEqual([])
  })

  it('does nothing where nextStep says that nothing is to be done', async () => {
    for (const messages of [[], [user(), createMessage('assistant', { content: 'hi' })]]) {
      const { provider, chunks } = await play([], { messages })
      expect(provider.requests).toHaveLength(0)
      expect(chunks).toEqual([])
    }
  })

  it('runs calls and asks again, all rounds in one message', async () => {
    const first = [text('a'), call('t'), end('tool-calls')]
    const { messages, provider, last, chunks } = await play([first, done], { tools })
    expect(messages).toHaveLength(2)
    expect(last.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(last.parts.map(({ step }) => step)).toEqual([0, 0, 1])
    expect(types(chunks)).toEqual([
      'text-delta',
      'tool-call-end',
      'step-end',
      'tool-start',
      'tool-result',
      'text-delta',
      'step-end',
    ])
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      parts: [{ type: 'text' }, { state: 'result', result: 1 }],
    })
  })

  it('goes on after a person’s answer: the same call again', async () => {
    const message = answered()
    const { messages, last } = await play([done], { messages: [user(), message] })
    expect(messages).toHaveLength(2)
    expect(last).toBe(message)
    expect(last.parts.at(-1)).toMatchObject({ type: 'text', text: 'done', step: 1 })
  })

  it('with goOn asks once without asking nextStep', async () => {
    const messages = [user(), createMessage('assistant', { content: 'hi' })]
    const { provider, last } = await play([done], { messages, goOn: true })
    expect(provider.requests).toHaveLength(1)
    expect(last.steps).toHaveLength(2)
  })

  it('asks nextStep again after a request of goOn', async () => {
    const { provider } = await play([[call('t'), end()], done], { tools, goOn: true })
    expect(provider.requests).toHaveLength(2)
  })

  it.each([0, 1, 3])(
    'runs %i rounds with calls, then asks once more',
    async (maxToolRoundtrips) => {
      const execute = vi.fn<() => number>(() => 1)
      const rounds = Array.from({ length: maxToolRoundtrips + 1 }, (_, i) => [
        call('t', `t${i}`),
        end('tool-calls'),
      ])
      const { provider, calls, last } = await play(rounds, {
        tools: [{ name: 't', execute }],
        limits: { maxToolRoundtrips },
      })
      expect(provider.requests).toHaveLength(maxToolRoundtrips + 1)
      expect(execute).toHaveBeenCalledTimes(maxToolRoundtrips)
      expect(calls.at(-1)).toMatchObject({
        state: 'error',
        errorCode: 'limit',
        error: 'tool round limit reached',
      })
      expect(last.steps).toHaveLength(maxToolRoundtrips + 1)
    },
  )

  it('yields what it applied: the chunks make the same message elsewhere', async () => {
    const { chunks, last } = await play(
      [
        [{ type: 'message-start', runId: 'r' }, text(), call('t'), call('u'), end()],
        [text(), failure],
      ],
      { tools },
    )
    const copy = createMessage('assistant', { id: last.id, createdAt: last.createdAt })
    for (const chunk of chunks) applyChunk(copy, chunk)
    expect(copy).toEqual(last)
  })

  it('writes through apply, and to the message in a reactive list', async () => {
    const messages = reactive([user()]) as Message[]
    const apply = vi.fn<typeof applyChunk>(applyChunk)
    const { chunks } = await play([[call('t'), end()], done], { messages, apply, tools })
    expect(apply.mock.calls.map(([, chunk]) => chunk)).toEqual(chunks)
    expect(apply.mock.calls.every(([message]) => message === messages[1])).toBe(true)
  })

  it('yields nothing with afterChunk, which is called after each chunk and waited for', async () => {
    const seen: string[] = []
    const apply: typeof applyChunk = (message, chunk) => {
      seen.push(chunk.type)
      applyChunk(message, chunk)
    }
    const afterChunk = async () => {
      seen.push('…')
      await Promise.resolve()
      seen.push('.')
    }
    const turn = await play([[text(), end()]], { apply, afterChunk })
    expect(turn.chunks).toEqual([])
    expect(turn.last.parts).toMatchObject([{ type: 'text', state: 'done' }])
    expect(seen).toEqual(['text-delta', '…', '.', 'step-end', '…', '.'])
  })
})

describe('a request', () => {
  it('carries transcript, tools and what the caller asked for', async () => {
    const { provider, last, messages } = await play([[call('t'), end()], done], {
      tools,
      request: { model: 'm', system: 's', settings: { seed: 1 }, chatId: 'c', body: { x: 1 } },
      generateId: () => 'answer',
    })
    expect(last.id).toBe('answer')
    for (const request of provider.requests) {
      expect(request).toMatchObject({
        model: 'm',
        system: 's',
        settings: { seed: 1 },
        chatId: 'c',
        body: { x: 1 },
        tools,
        messageId: 'answer',
      })
      expect(request.signal).toBeInstanceOf(AbortSignal)
    }
    expect(provider.requests[0]?.messages).toEqual([messages[0]])
  })

  it('has the follow-up’s message last, and mints an id only for a new message', async () => {
    const generateId = vi.fn<() => string>(() => 'x')
    const messages = [user(), answered()]
    const { provider } = await play([done], { messages, generateId })
    expect(provider.requests[0]?.messageId).toBe(messages[1]?.id)
    expect(provider.requests[0]?.messages.at(-1)?.id).toBe(messages[1]?.id)
    expect(generateId).not.toHaveBeenCalled()
  })

  it('takes a changed option from the next request on', async () => {
    let model = 'a'
    const { options, provider } = prepare([[call('t'), end()], done])
    const changing: RunChatOptions = {
      ...options,
      tools: [{ name: 't', execute: () => (model = 'b') }],
      get request() {
        return { model }
      },
    }
    for await (const _ of runChat(changing));
    expect(provider.requests.map((request) => request.model)).toEqual(['a', 'b'])
  })

  it('is told of when it goes out', async () => {
    const onRequest = vi.fn<() => void>()
    await play([[call('t'), end()], done], { tools, onRequest })
    expect(onRequest).toHaveBeenCalledTimes(2)
  })

  it('is changed by prepareStep: model, tools, tool choice, settings', async () => {
    const prepareStep = vi.fn<PrepareStep>(({ step }) =>
      step
        ? undefined
        : {
            model: 'other',
            tools: [{ name: 'u', execute: () => 2 }],
            toolChoice: 'required' as const,
            settings: { temperature: 0 },
          },
    )
    const { provider, calls, messages } = await play([[call('u'), end()], done], {
      tools,
      request: { model: 'm', settings: { seed: 1 } },
      prepareStep,
    })
    expect(provider.requests[0]).toMatchObject({
      model: 'other',
      toolChoice: 'required',
      settings: { temperature: 0 },
    })
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['u'])
    expect(provider.requests[1]).toMatchObject({ model: 'm', settings: { seed: 1 }, tools })
    expect(prepareStep.mock.calls.map(([{ step }]) => step)).toEqual([0, 1])
    expect(prepareStep.mock.calls[0]?.[0].messages).toBe(messages)
    // The round's calls run with the tools that its request had.
    expect(calls[0]).toMatchObject({ state: 'result', result: 2 })
  })

  it('is never made where prepareStep throws: the run fails as it says', async () => {
    for (const prepareStep of [
      () => {
        throw new Error('no budget')
      },
      () => Promise.reject(new Error('no budget')),
    ]) {
      const { provider, errors, messages } = await play([done], { prepareStep })
      expect(provider.requests).toHaveLength(0)
      expect(errors.map(({ message }) => message)).toEqual(['no budget'])
      expect(messages).toHaveLength(1)
    }
  })
})

describe('the message joins the transcript', () => {
  const joins: [string, Chunk[], boolean][] = [
    ['text', [text()], true],
    ['a call', [call('u')], true],
    ['data', [{ type: 'data', name: 'n', data: 1 }], true],
    ['a step-end of the provider: an empty answer is an answer', [end()], true],
    ['message-start', [{ type: 'message-start', runId: 'r' }, failure], false],
    ['metadata', [{ type: 'metadata', metadata: { a: 1 } }, failure], false],
    ['an error', [failure], false],
    ['a step-end after an error', [failure, end('stop')], false],
    ['a step-end that is an error', [end('error')], false],
    ['a step-end that is truncated', [end('truncated')], false],
    ['nothing', [], false],
  ]
  it.each(joins)('with %s: %j → %s', async (_what, chunks, isIn) => {
    const { messages } = await play([chunks])
    expect(messages).toHaveLength(isIn ? 2 : 1)
  })

  it('with its first content, not before, and with what came before it', async () => {
    const seen: number[] = []
    const messages = [user()]
    await play(
      [
        async function* () {
          for (const chunk of [
            { type: 'message-start', runId: 'r' },
            { type: 'metadata', metadata: { a: 1 } },
            ...done,
          ] as Chunk[]) {
            seen.push(messages.length)
            yield chunk
          }
        },
      ],
      { messages },
    )
    expect(seen).toEqual([1, 1, 1, 2])
    expect(messages[1]?.metadata).toEqual({ a: 1, runId: 'r' })
  })

  it('not by a step-end that runChat writes; a follow-up is closed by it', async () => {
    const { messages } = await play([[new Error('x')]])
    expect(messages).toHaveLength(1)
    const followUp = await play([[new Error('x')]], { messages: [user(), answered()] })
    expect(followUp.last.steps).toHaveLength(2)
    expect(followUp.last.steps[1]).toEqual({
      finishReason: 'error',
      error: { code: 'provider', message: 'x' },
    })
  })
})

describe('a round gets exactly one step-end', () => {
  it.each([
    ['text without an end is a good end', [text()], 'stop'],
    ['calls without an end are tool calls', [call('u')], 'tool-calls'],
    ['the provider’s own end stays', [text(), end('content-filter')], 'content-filter'],
    ['a cut text closes as the provider says', [text(), end('length')], 'length'],
  ] as [string, Chunk[], string][])('%s', async (_rule, chunks, finishReason) => {
    const { last, errors } = await play([chunks], { tools: [{ name: 'u' }] })
    expect(last.steps).toEqual([{ finishReason }])
    expect(errors).toEqual([])
  })

  it('keeps reason, usage and the provider’s word', async () => {
    const more = { rawFinishReason: 'end', usage: { inputTokens: 1, outputTokens: 2 } }
    const { last } = await play([[text(), end('stop', more)]])
    expect(last.steps).toEqual([{ finishReason: 'stop', ...more }])
  })

  it('also where several pass in one answer', async () => {
    const { last, provider, chunks } = await play([[text(), end(), text(), end(), text()]])
    expect(provider.requests).toHaveLength(1)
    expect(last.steps).toHaveLength(3)
    expect(last.parts.map(({ step }) => step)).toEqual([0, 1, 2])
    expect(types(chunks).filter((type) => type === 'step-end')).toHaveLength(3)
  })

  it('also where a closed round is taken back', async () => {
    const { last, errors } = await play([[text(), end(), { type: 'step-reset' }, text('b')]])
    expect(last.steps).toHaveLength(1)
    expect(last.parts).toMatchObject([{ text: 'b' }])
    expect(errors).toEqual([])
    const reset = await play([[text(), end(), { type: 'step-reset' }]])
    expect(reset.last).toMatchObject({ parts: [], steps: [{ finishReason: 'stop' }] })
  })

  it('closes calls that still stream, and runs none of a cut round', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const streaming: Chunk = { type: 'tool-call-start', toolCallId: 's', toolName: 't' }
    for (const reason of ['length', 'error', 'truncated', 'stopped'] as const) {
      const { calls, provider } = await play([[call('t'), streaming, end(reason)]], {
        tools: [{ name: 't', execute }],
      })
      const errorCode = reason === 'stopped' ? 'stopped' : 'cut'
      expect(calls).toMatchObject([{ errorCode }, { errorCode }])
      expect(provider.requests).toHaveLength(1)
    }
    expect(execute).not.toHaveBeenCalled()
    const good = await play([[call('t'), streaming, end()], done], { tools })
    expect(good.calls).toMatchObject([{ state: 'result' }, { state: 'error', errorCode: 'cut' }])
  })

  it('closes calls that still run on the other side as interrupted', async () => {
    const { calls, errors } = await play(
      [
        [
          { ...call('s'), providerExecuted: true } as Chunk,
          { type: 'tool-start', toolCallId: 's' },
          end(),
        ],
      ],
      {},
      { remote: true },
    )
    expect(calls).toMatchObject([{ state: 'error', errorCode: 'interrupted' }])
    expect(errors).toEqual([])
  })
})

describe('an error', () => {
  it('before the first chunk is what the provider rejected with', async () => {
    const thrown = new LLMError('http', 'no', { status: 429 })
    const { errors, chunks } = await play([[thrown]])
    expect(errors).toEqual([thrown])
    expect(errors[0]).toBe(thrown)
    expect(chunks).toEqual([
      { type: 'error', code: 'http', message: 'no' },
      { type: 'step-end', finishReason: 'error', error: { code: 'http', message: 'no' } },
    ])
  })

  it('where stream() itself throws is the same', async () => {
    const stream = () => {
      throw new TypeError('no fetch')
    }
    const { errors } = await play([], {}, { stream })
    expect(errors).toMatchObject([{ code: 'provider', message: 'no fetch' }])
  })

  it('in the stream keeps what was read before it, and closes the step', async () => {
    const { last, errors, provider } = await play([[text('a'), call('t'), failure]], { tools })
    const error = { code: 'provider', message: 'overloaded' }
    expect(last.steps).toEqual([{ finishReason: 'error', error }])
    expect(last.parts).toMatchObject([
      { text: 'a', state: 'done' },
      { state: 'error', errorCode: 'cut' },
    ])
    expect(errors).toHaveLength(1)
    expect(isLLMError(errors[0], 'provider')).toBe(true)
    expect(provider.requests).toHaveLength(1)
  })

  it('before the provider’s step-end keeps usage and raw reason, as an error', async () => {
    const more = { rawFinishReason: 'x', usage: { inputTokens: 1, outputTokens: 2 } }
    const { last, errors, chunks } = await play([[text(), failure, end('stop', more)]])
    const error = { code: 'provider', message: 'overloaded' }
    expect(last.steps).toEqual([{ finishReason: 'error', ...more, error }])
    expect(types(chunks)).toEqual(['text-delta', 'error', 'step-end'])
    expect(errors).toHaveLength(1)
  })

  it('after a step-end opens and closes an empty error step', async () => {
    const { last, errors } = await play([[text(), end(), failure]])
    expect(last.steps).toEqual([
      { finishReason: 'stop' },
      { finishReason: 'error', error: { code: 'provider', message: 'overloaded' } },
    ])
    expect(last.parts).toHaveLength(1)
    expect(errors).toHaveLength(1)
  })

  it('after a step-end closes the calls of that step too: nothing goes on by itself', async () => {
    const execute = vi.fn<() => void>()
    const { calls, provider } = await play([[call('t'), end('tool-calls'), failure], done], {
      tools: [{ name: 't', execute }],
    })
    expect(execute).not.toHaveBeenCalled()
    expect(calls).toMatchObject([{ state: 'error', errorCode: 'cut' }])
    expect(provider.requests).toHaveLength(1)
  })

  it.each(['error', 'truncated'] as const)('a step-end alone may say: %s', async (reason) => {
    const { errors, last, provider } = await play([[text(), end(reason)], done])
    const code = reason === 'error' ? 'provider' : 'truncated'
    expect(errors).toMatchObject([{ code, message: expect.stringContaining(`'${reason}'`) }])
    expect(last.steps).toMatchObject([{ finishReason: reason, error: { code } }])
    expect(provider.requests).toHaveLength(1)
    const told = { code: 'network', message: 'gone' }
    const own = await play([[text(), end(reason, { error: told })]])
    expect(own.errors).toMatchObject([told])
    expect(own.last.steps).toEqual([{ finishReason: reason, error: told }])
  })

  it('is told once, the first', async () => {
    const other: Chunk = { type: 'error', code: 'network', message: 'later' }
    const { errors, chunks } = await play([
      [text(), failure, other, end('error'), new Error('last')],
    ])
    expect(errors).toMatchObject([{ code: 'provider', message: 'overloaded' }])
    expect(types(chunks).filter((type) => type === 'error')).toHaveLength(1)
  })

  it('is invalid-response where nothing came at all, and names the provider', async () => {
    for (const nothing of [[], [{ type: 'message-start', runId: 'r' } as Chunk]]) {
      const { errors, messages } = await play([nothing])
      expect(errors).toMatchObject([{ code: 'invalid-response' }])
      expect(errors[0]?.message).toMatch(/^player answered with nothing.*URL/)
      expect(messages).toHaveLength(1)
    }
  })

  it('of an empty follow-up closes its step, so that it can be asked again', async () => {
    const { last, errors } = await play([[]], { messages: [user(), answered()] })
    expect(errors).toMatchObject([{ code: 'invalid-response' }])
    expect(last.steps.at(-1)).toMatchObject({ finishReason: 'error' })
  })

  it('ends the run: the round after it is never asked for', async () => {
    const { provider } = await play([[call('t'), end()], [text(), failure], done], { tools })
    expect(provider.requests).toHaveLength(2)
  })
})
