import { describe, expect, it, vi } from 'vitest'
import { computed, ref, watch } from 'vue'
import { isLLMError, useChat, type AnyTool } from 'vue-llm'
import type { MessageInput, Provider } from 'vue-llm/core'
import { createScriptedProvider, finish, text, toolCall, type Script } from 'vue-llm/testing'
import { toOpenAIBody } from '../src/providers/openaiRequest'
import { allCalls, chatOn, quiet, textsOf, toolMessages, until, watchCall } from './chatOn'
import { callEvents, callRound, failure, finishEvent, hang, type WireBody } from './strictServer'
import { transcriptProblems } from './transcriptProblems'

/** A scripted provider that refuses, as the strict server does, and keeps what a server would have read. */
function strict(script: Script, options: Parameters<typeof createScriptedProvider>[1] = {}) {
  const scripted = createScriptedProvider(script, options)
  const bodies: WireBody[] = []
  const problems: string[] = []
  const provider: Provider = {
    name: 'strict',
    stream(request) {
      const body = JSON.parse(JSON.stringify(toOpenAIBody(request, {}, true))) as WireBody
      bodies.push(body)
      problems.push(...transcriptProblems(body.messages))
      return scripted.stream(request)
    },
  }
  return { provider, bodies, problems, requests: scripted.requests }
}

/** A promise to be resolved from outside. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

describe('D1: messages given in from outside', () => {
  const frozen: readonly MessageInput[] = Object.freeze([
    Object.freeze({
      id: '1',
      role: 'user' as const,
      parts: Object.freeze([Object.freeze({ type: 'text' as const, text: 'hi' })]),
    }),
  ])
  const kinds = [
    ['a frozen array', () => frozen],
    ['a ref of it', () => ref(frozen)],
    ['a computed', () => computed(() => frozen)],
    ['a getter', () => () => frozen],
  ] as const

  it.each(kinds)(
    '%s is unchanged, and a watcher sees each length of the text and each state of the call',
    async (_, wrap) => {
      const before = structuredClone(frozen)
      const seen: number[] = []
      const sees = (length: number) => () => until(() => seen.includes(length))
      let states: string[] = []
      const chat = await chatOn(
        [
          [
            'a',
            sees(1),
            'b',
            sees(2),
            'c',
            sees(3),
            ...callEvents('call_1', 't', ['{"a":', '"xy', 'z"}']).flatMap((event) => [
              event,
              () => until(() => states.length),
            ]),
            finishEvent('tool_calls'),
          ],
          ['done'],
        ],
        {
          initialMessages: wrap(),
          throttleMs: 0,
          tools: [{ name: 't', execute: () => 'ok' }],
        },
      )
      const n = computed(() => {
        const [part] = chat.messages.value.at(-1)?.parts ?? []
        return part?.type === 'text' ? part.text.length : 0
      })
      watch(n, (length) => seen.push(length))
      const calls = watchCall(chat)
      watch(
        () => allCalls(chat)[0]?.state,
        (state) => (states = [...states, state ?? '']),
      )
      await chat.sendMessage('go')
      expect([1, 2, 3].filter((length) => !seen.includes(length))).toEqual([])
      expect(states).toEqual(['streaming', 'pending', 'running', 'result'])
      expect(calls.at(-1)).toMatchObject({ args: { a: 'xyz' }, result: 'ok' })
      expect(frozen).toEqual(before)
      expect(textsOf(chat)).toEqual(['hi', 'go', 'abcdone'])
    },
  )

  it('a plain array is not written to', async () => {
    const list: MessageInput[] = [{ id: '1', role: 'user', content: 'hi' }]
    const chat = await chatOn([['abc']], { initialMessages: list })
    await chat.sendMessage('go')
    expect(list).toEqual([{ id: '1', role: 'user', content: 'hi' }])
    expect(textsOf(chat)).toEqual(['hi', 'go', 'abc'])
  })

  it('a whole answer in one network read still shows each state of a call', async () => {
    const events = [...callEvents('call_1', 't', ['{"a"', ':1}']), finishEvent('tool_calls')]
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const bytes = new TextEncoder().encode(`${body}data: [DONE]\n\n`)
    const chat = await chatOn([{ items: [bytes] }, ['done']], {
      throttleMs: 0,
      tools: [{ name: 't', execute: () => 'ok' }],
    })
    const seen = watchCall(chat)
    await chat.sendMessage('go')
    expect([...new Set(seen.map(({ state }) => state))]).toEqual([
      'streaming',
      'pending',
      'running',
      'result',
    ])
  })
})

describe('D3: stop()', () => {
  const cases = [
    ['(a) before the first byte', [hang], 'submitted', () => true],
    ['(b) after "abc"', ['abc', hang], 'streaming', (shown: string) => shown === 'abc'],
    [
      '(c) while the arguments of a call arrive',
      ['abc', ...callEvents('call_1', 't', ['{"a":1']), hang],
      'streaming',
      (_: string, args: string) => args === '{"a":1',
    ],
  ] as const

  it.each(cases)(
    '%s: over HTTP, at once ready, without an error',
    async (_, round, status, come) => {
      const execute = vi.fn<() => unknown>()
      const chat = await chatOn([round, ['go on']], { tools: [{ name: 't', execute }] })
      const sent = chat.sendMessage('go')
      await until(() => chat.server.requests.length)
      await until(() => come(textsOf(chat)[1] ?? '', allCalls(chat)[0]?.argsText ?? ''))
      expect(chat.status.value).toBe(status)
      chat.stop()
      expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
      await sent
      await until(() => chat.server.aborted.length)
      expect(chat.server.aborted).toEqual([0])
      expect(textsOf(chat)).toEqual(status === 'submitted' ? ['go'] : ['go', 'abc'])
      for (const call of allCalls(chat)) {
        expect(call).toMatchObject({ state: 'error', errorCode: 'stopped' })
      }
      expect(allCalls(chat)).toHaveLength(round.length > 2 ? 1 : 0)
      await quiet()
      expect(execute).not.toHaveBeenCalled()
      // What was stopped does not stand in the way of what comes next.
      await chat.sendMessage('and now')
      expect(textsOf(chat).at(-1)).toBe('go on')
    },
  )

  it.each([
    ['(a) before the first byte', []],
    ['(b) after "abc"', [text('abc')]],
    [
      '(c) while the arguments of a call arrive',
      [
        text('abc'),
        { type: 'tool-call-start', toolCallId: 'c', toolName: 't' } as const,
        { type: 'tool-call-delta', toolCallId: 'c', argsText: '{"a":1' } as const,
      ],
    ],
  ])('%s: what a rude provider sends later changes nothing', async (_, first) => {
    const late = gate()
    const execute = vi.fn<() => unknown>()
    let signal: AbortSignal | undefined
    const { provider, requests, problems } = strict(
      [
        [
          ...first,
          (request) => {
            signal = request.signal
            return late.opened
          },
          'late',
          { type: 'tool-call-delta', toolCallId: 'c', argsText: '}' },
          { type: 'tool-call-end', toolCallId: 'c' },
          toolCall('t', {}, 'd'),
          finish('tool-calls'),
        ],
      ],
      { ignoreAbort: true },
    )
    const chat = useChat({ provider, model: 'm', tools: [{ name: 't', execute }] })
    const sent = chat.sendMessage('go')
    await until(() => signal)
    chat.stop()
    expect([chat.status.value, chat.error.value, signal?.aborted]).toEqual([
      'ready',
      undefined,
      true,
    ])
    const before = JSON.stringify(chat.messages.value)
    late.open()
    await sent
    await quiet()
    expect(JSON.stringify(chat.messages.value)).toBe(before)
    expect(textsOf(chat)[1]).toBe(first.length ? 'abc' : undefined)
    expect(allCalls(chat).map(({ state, errorCode }) => [state, errorCode])).toEqual(
      first.length > 1 ? [['error', 'stopped']] : [],
    )
    expect(execute).not.toHaveBeenCalled()
    expect([requests.length, problems]).toEqual([1, []])
  })
})

describe('D5: answers to parallel calls', () => {
  const tools: AnyTool[] = [{ name: 'a' }, { name: 'b' }]

  it('one given while the round streams sends nothing; the last one sends both, once', async () => {
    const end = gate()
    const { provider, bodies, problems } = strict([
      [toolCall('a', {}, 'A'), toolCall('b', {}, 'B'), () => end.opened, finish('tool-calls')],
      'thanks',
    ])
    const chat = useChat({ provider, model: 'm', tools })
    const sent = chat.sendMessage('go')
    await until(() => allCalls(chat)[1]?.state === 'pending')
    expect(await chat.addToolResult({ toolCallId: 'A', result: 'yes' })).toBe(true)
    expect(chat.status.value).toBe('streaming')
    end.open()
    await sent
    await quiet()
    expect(allCalls(chat).map(({ state }) => state)).toEqual(['result', 'pending'])
    expect([chat.status.value, bodies.length]).toEqual(['ready', 1])
    expect(await chat.addToolResult({ toolCallId: 'B', result: 'no' })).toBe(true)
    await until(() => textsOf(chat)[1] === 'thanks')
    await quiet()
    expect([bodies.length, problems]).toEqual([2, []])
    expect(bodies[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    expect(toolMessages(bodies[1])).toEqual([
      ['A', 'yes'],
      ['B', 'no'],
    ])
  })

  it('over the Chat Completions wire, where calls are whole only at the end', async () => {
    const end = gate()
    const chat = await chatOn(
      [[...callRound(['A', 'a'], ['B', 'b']), () => end.opened], ['thanks']],
      { tools },
    )
    const sent = chat.sendMessage('go')
    await until(() => allCalls(chat)[1])
    const early = chat.addToolResult({ toolCallId: 'A', result: 1 })
    await expect(early).rejects.toMatchObject({ code: 'misuse' })
    end.open()
    await sent
    await chat.addToolResult({ toolCallId: 'A', result: 'yes' })
    await quiet()
    expect(chat.server.requests).toHaveLength(1)
    await chat.addToolResult({ toolCallId: 'B', result: 'no' })
    await until(() => textsOf(chat)[1] === 'thanks')
    expect(chat.server.requests).toHaveLength(2)
  })
})

describe('D7: the request after a tool result fails', () => {
  it('nothing goes on by itself; a retry sends the same history once', async () => {
    const execute = vi.fn<() => string>(() => 'ok')
    const down = failure(500, 'the model is down')
    const chat = await chatOn([callRound(['call_1', 't']), down, down, ['back again']], {
      tools: [{ name: 't', execute }],
    })
    await chat.sendMessage('go')
    await quiet(200)
    expect(chat.server.requests).toHaveLength(2)
    expect(chat.status.value).toBe('error')
    expect(isLLMError(chat.error.value, 'http')).toBe(true)
    expect(chat.error.value?.message).toContain('the model is down')
    await chat.sendMessage()
    await quiet(200)
    expect(chat.server.requests).toHaveLength(3)
    expect(chat.server.requests[2]?.messages).toEqual(chat.server.requests[1]?.messages)
    expect(chat.status.value).toBe('error')
    await chat.sendMessage()
    expect(chat.server.requests[3]?.messages).toEqual(chat.server.requests[1]?.messages)
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(textsOf(chat)).toEqual(['go', 'back again'])
    expect(execute).toHaveBeenCalledOnce()
  })
})

describe('D9: a new message while a call is open', () => {
  it('the open call is final, and the history stays valid', async () => {
    const chat = await chatOn([callRound(['A', 'a'], ['B', 'b']), ['fine']], {
      tools: [{ name: 'a', execute: () => 'done' }, { name: 'b' }],
    })
    await chat.sendMessage('go')
    await chat.sendMessage('never mind')
    expect(chat.error.value).toBeUndefined()
    expect(chat.server.requests[1]?.messages).toMatchObject([
      { role: 'user', content: 'go' },
      { role: 'assistant', tool_calls: [{ id: 'A' }, { id: 'B' }] },
      { role: 'tool', tool_call_id: 'A', content: 'done' },
      { role: 'tool', tool_call_id: 'B', content: 'Error: no answer was given' },
      { role: 'user', content: 'never mind' },
    ])
    const before = JSON.stringify(chat.messages.value)
    expect(allCalls(chat)[1]?.state).toBe('error')
    expect(await chat.addToolResult({ toolCallId: 'B', result: 'late' })).toBe(false)
    await quiet()
    expect(JSON.stringify(chat.messages.value)).toBe(before)
    expect(chat.server.requests).toHaveLength(2)
  })
})

describe('D11: stop() while tools run', () => {
  it('both signals abort, nothing is sent, both calls are final, and the next message is taken', async () => {
    const signals: AbortSignal[] = []
    const late = gate()
    const chat = await chatOn([callRound(['A', 'a'], ['B', 'b']), ['welcome back']], {
      tools: [
        {
          name: 'a',
          async execute(_: never, { signal }) {
            signals.push(signal)
            await late.opened
            return 'too late'
          },
        },
        {
          name: 'b',
          execute: (_: never, { signal }) =>
            new Promise((_resolve, reject) => {
              signals.push(signal)
              signal.addEventListener('abort', () => reject(signal.reason))
            }),
        },
      ],
    })
    const sent = chat.sendMessage('go')
    await until(() => signals.length === 2)
    chat.stop()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(chat.status.value).toBe('ready')
    late.open()
    await sent
    await quiet(100)
    expect(chat.server.requests).toHaveLength(1)
    for (const call of allCalls(chat)) {
      expect(call).toMatchObject({ state: 'error', errorCode: 'stopped' })
      expect(call.result).toBeUndefined()
    }
    await chat.sendMessage('go on')
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(toolMessages(chat.server.requests[1])).toEqual([
      ['A', 'Error: stopped by the user'],
      ['B', 'Error: stopped by the user'],
    ])
    expect(textsOf(chat)).toEqual(['go', '', 'go on', 'welcome back'])
  })
})

describe('D13: two sends in one tick', () => {
  it('the second waits for its turn: no answer mixes two streams', async () => {
    const slow = (letter: string) =>
      Array.from({ length: 6 }, () => [letter, () => quiet(3)]).flat()
    const chat = await chatOn([slow('x'), slow('y')])
    const first = chat.sendMessage('a')
    const second = chat.sendMessage('a')
    expect(chat.queued.value).toHaveLength(1)
    await first
    expect(textsOf(chat).slice(0, 2)).toEqual(['a', 'xxxxxx'])
    await second
    expect(textsOf(chat)).toEqual(['a', 'xxxxxx', 'a', 'yyyyyy'])
    expect(chat.messages.value.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(chat.server.requests.map(({ messages }) => messages.length)).toEqual([1, 3])
  })
})

describe('D15: answers that do not fit', () => {
  it('an unknown id is a misuse, a double click answers once', async () => {
    const chat = await chatOn([callRound(['A', 'ask']), ['thanks']], { tools: [{ name: 'ask' }] })
    await chat.sendMessage('go')
    const before = JSON.stringify(chat.messages.value)
    const unknown = chat.addToolResult({ toolCallId: 'nope', result: 1 })
    await expect(unknown).rejects.toMatchObject({ name: 'LLMError', code: 'misuse' })
    expect(JSON.stringify(chat.messages.value)).toBe(before)
    expect([chat.server.requests.length, chat.status.value]).toEqual([1, 'ready'])
    const answers = [1, 2].map((result) => chat.addToolResult({ toolCallId: 'A', result }))
    expect(await Promise.all(answers)).toEqual([true, false])
    await until(() => textsOf(chat)[1] === 'thanks')
    await quiet()
    expect(chat.server.requests).toHaveLength(2)
    expect(toolMessages(chat.server.requests[1])).toEqual([['A', '1']])
    expect(await chat.addToolResult({ toolCallId: 'A', result: 3 })).toBe(false)
    expect(chat.server.requests).toHaveLength(2)
  })
})
