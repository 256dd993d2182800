import { describe, expect, it, vi } from 'vitest'
import { effectScope, ref, watch } from 'vue'
import type { AnyTool, Chunk, Message, ToolCallPart } from '../core'
import { createScriptedProvider, finish, hang, toolCall, type Script } from '../testing'
import { useChat, type UseChatOptions } from './useChat'

const tick = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const ask: AnyTool = { name: 'ask' }
const now: AnyTool = { name: 'now', execute: () => 1 }
const asks = (id = 'a') => [toolCall('ask', {}, id), finish('tool-calls')]
const broken = new Error('fetch failed')

function setUp(script: Script, options: Partial<UseChatOptions> & { ignoreAbort?: boolean } = {}) {
  const { ignoreAbort = false, ...rest } = options
  const provider = createScriptedProvider(script, { afterScript: 'repeat-last', ignoreAbort })
  const chat = useChat({ provider, model: 'm', throttleMs: 0, tools: [ask, now], ...rest })
  return {
    chat,
    requests: provider.requests,
    call: (id: string) => findCall(chat.messages.value, id),
  }
}

const findCall = (messages: readonly Message[], id: string): ToolCallPart | undefined =>
  messages
    .flatMap(({ parts }) => parts)
    .find((part): part is ToolCallPart => part.type === 'tool-call' && part.toolCallId === id)

/** The transcript as `role: text and calls`, to be read at a glance. */
const story = (messages: readonly Message[]) =>
  messages.map(
    ({ role, parts }) =>
      `${role}: ${parts
        .map((part) =>
          part.type === 'text'
            ? part.text
            : part.type === 'tool-call'
              ? `${part.toolCallId} ${part.errorCode ?? part.state}`
              : part.type,
        )
        .join(' ')}`,
  )

describe('the queue', () => {
  it('sends what comes while a run is active afterwards, first in, first out', async () => {
    const { chat, requests } = setUp([[5, 'one'], 'two', 'three'])
    const first = chat.sendMessage('1')
    const others = [chat.sendMessage('2'), chat.sendMessage('3')]
    expect(chat.queued.value).toEqual([{ content: '2' }, { content: '3' }])
    await first
    expect(chat.queued.value).toEqual([{ content: '3' }])
    await Promise.all(others)
    expect(chat.queued.value).toEqual([])
    expect(story(chat.messages.value)).toEqual([
      'user: 1',
      'assistant: one',
      'user: 2',
      'assistant: two',
      'user: 3',
      'assistant: three',
    ])
    expect(requests).toHaveLength(3)
  })

  it('is held by a pause until the chat is done', async () => {
    const { chat, requests } = setUp([[5, ...asks()], 'done', 'two'])
    const first = chat.sendMessage('1')
    const second = chat.sendMessage('2')
    await first
    await tick()
    expect(requests).toHaveLength(1)
    expect(chat.queued.value).toHaveLength(1)
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    await second
    expect(story(chat.messages.value)).toEqual([
      'user: 1',
      'assistant: a result done',
      'user: 2',
      'assistant: two',
    ])
  })

  it('goes on where an answer ends the chat without another request', async () => {
    const limit = ref(5)
    const { chat, requests } = setUp([[5, ...asks()], 'two'], { maxToolRoundtrips: limit })
    const first = chat.sendMessage('1')
    const second = chat.sendMessage('2')
    await first
    limit.value = 0
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    await second
    expect(requests).toHaveLength(2)
    expect(requests[1]?.messages).toHaveLength(3)
  })

  it.each(['an error', 'a stop'])('is held by %s until the next sendMessage', async (what) => {
    const { chat, requests } = setUp([
      [5, what === 'a stop' ? hang : broken],
      'again',
      'two',
      'three',
    ])
    const first = chat.sendMessage('1')
    const second = chat.sendMessage('2')
    await tick(10)
    chat.stop()
    await first
    await tick()
    expect(requests).toHaveLength(1)
    expect(chat.queued.value).toHaveLength(1)
    await chat.sendMessage('3')
    await second
    expect(story(chat.messages.value.filter(({ role }) => role === 'user'))).toEqual([
      'user: 1',
      'user: 2',
      'user: 3',
    ])
  })

  it('goes on whatever onFinish clears', async () => {
    const { chat } = setUp(['one', 'two'], { onFinish: () => chat.clearError() })
    await Promise.all([chat.sendMessage('1'), chat.sendMessage('2')])
    expect(chat.messages.value).toHaveLength(4)
  })

  it('is held by a stop from a watcher that sees an answer written', async () => {
    const { chat, requests } = setUp([[...asks().slice(0, 1), hang], 'two'])
    void chat.sendMessage('1')
    void chat.sendMessage('2')
    await tick()
    watch(chat.messages, () => chat.stop(), { flush: 'sync', deep: true })
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    await tick()
    expect(requests).toHaveLength(1)
    expect(chat.queued.value).toHaveLength(1)
  })

  it('goes on with sendMessage() where there is nothing else to go on with', async () => {
    const onChunk = (chunk: Chunk) => chunk.type === 'step-end' && stop()
    const { chat } = setUp(['one', 'two'], { onChunk: (chunk) => onChunk(chunk) })
    let stop = () => {
      stop = () => {}
      chat.stop()
    }
    const first = chat.sendMessage('1')
    const second = chat.sendMessage('2')
    await first
    expect(chat.queued.value).toHaveLength(1)
    await chat.sendMessage()
    await second
    expect(story(chat.messages.value).at(-1)).toBe('assistant: two')
  })

  it.each<[string, (chat: ReturnType<typeof useChat>) => void]>([
    ['clear', (chat) => chat.clear()],
    ['setMessages', (chat) => chat.setMessages([])],
    ['regenerate', (chat) => void chat.regenerate()],
  ])('is emptied by %s, and its promises resolve', async (_, act) => {
    const { chat } = setUp([[hang], 'again'])
    const sent = [chat.sendMessage('1'), chat.sendMessage('2')]
    await tick()
    act(chat)
    await Promise.all(sent)
    await tick()
    expect(chat.queued.value).toEqual([])
    expect(story(chat.messages.value).join()).not.toContain('2')
  })

  it('does not abort a run that a watcher of the status has just started', async () => {
    const isAbort: boolean[] = []
    const { chat } = setUp([[2, 'one'], 'two', 'three'], {
      onFinish: (event) => isAbort.push(event.isAbort),
    })
    const sent: Promise<void>[] = []
    const unwatch = watch(
      chat.status,
      (status) => {
        if (status !== 'ready') return
        unwatch()
        sent.push(chat.sendMessage('2'), chat.sendMessage('3'))
      },
      { flush: 'sync' },
    )
    await chat.sendMessage('1')
    await Promise.all(sent)
    expect(isAbort).toEqual([false, false, false])
  })

  it('keeps a message that a watcher of the status sends', async () => {
    const { chat } = setUp(['one', 'two'])
    const sent: Promise<void>[] = []
    const send = () => void sent.push(chat.sendMessage('2'))
    watch(chat.status, send, { flush: 'sync', once: true })
    await chat.sendMessage('1')
    await Promise.all(sent)
    expect(story(chat.messages.value)).toHaveLength(4)
  })
})

describe('sendMessage()', () => {
  it('asks again where a chat was stored in the middle of an answer', async () => {
    const { chat, requests } = setUp(['Hello.'], {
      initialMessages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', parts: [{ type: 'text', text: 'Hel', state: 'streaming' }] },
      ],
    })
    expect(chat.status.value).toBe('ready')
    await chat.sendMessage()
    expect(requests).toHaveLength(1)
    expect(story(chat.messages.value)).toEqual(['user: hi', 'assistant: Hello.'])
  })

  it('asks again if the last message is the user’s', async () => {
    const { chat, requests } = setUp([[broken], 'good'])
    await chat.sendMessage('1')
    expect(chat.status.value).toBe('error')
    await chat.sendMessage()
    expect(chat.error.value).toBeUndefined()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: good'])
    expect(requests).toHaveLength(2)
  })

  it.each(['error', 'truncated'] as const)('drops a round that ended as %s', async (reason) => {
    const { chat } = setUp([['half', finish(reason)], 'good'])
    await chat.sendMessage('1')
    await chat.sendMessage()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: good'])
  })

  it('keeps the rounds with results before a round that failed', async () => {
    const { chat, requests } = setUp([
      [toolCall('now', {}, 'n'), finish('tool-calls')],
      ['half', { type: 'error', code: 'provider', message: 'x' }],
      'good',
    ])
    await chat.sendMessage('1')
    await chat.sendMessage()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: n result good'])
    expect(requests).toHaveLength(3)
  })

  it('keeps a round that failed if it holds a result', async () => {
    const result: Chunk = { type: 'tool-result', toolCallId: 'n', result: 1 }
    const { chat } = setUp([[toolCall('now', {}, 'n'), result, finish('error')], 'good'])
    await chat.sendMessage('1')
    await chat.sendMessage()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: n result good'])
  })

  it('never asks after an answer without calls: an error after its end drops it too', async () => {
    const { chat, requests } = setUp([
      ['whole', finish(), { type: 'error', code: 'provider', message: 'x' }],
      'good',
    ])
    await chat.sendMessage('1')
    await chat.sendMessage()
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: good'])
  })

  it('sends calls that a stop has closed', async () => {
    const slow: AnyTool = { name: 'slow', execute: () => tick(1000) }
    const script: Script = [[toolCall('slow', {}, 's'), finish('tool-calls')], 'good']
    const { chat, requests } = setUp(script, { tools: [slow] })
    void chat.sendMessage('1')
    await tick(5)
    chat.stop()
    await chat.sendMessage()
    expect(story(requests[1]?.messages ?? [])).toEqual(['user: 1', 'assistant: s stopped'])
  })

  it('sends answers that autoSendToolResults: false has only recorded', async () => {
    const { chat, requests } = setUp([asks(), 'good'], { autoSendToolResults: false })
    await chat.sendMessage('1')
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    await tick()
    expect(requests).toHaveLength(1)
    await chat.sendMessage()
    expect(requests).toHaveLength(2)
  })

  it('runs a stored call that was allowed and never ran', async () => {
    const { chat, call, requests } = setUp(['good'], {
      initialMessages: [
        { role: 'user', content: '1' },
        {
          role: 'assistant',
          parts: [
            {
              type: 'tool-call',
              toolCallId: 'n',
              toolName: 'now',
              args: {},
              state: 'pending',
              approval: { state: 'approved' },
            },
          ],
          steps: [{ finishReason: 'tool-calls' }],
        },
      ],
    })
    await chat.sendMessage()
    expect(call('n')).toMatchObject({ state: 'result', result: 1 })
    expect(requests).toHaveLength(1)
  })

  it('does nothing while calls are open, while a run is active, or when all is said', async () => {
    const { chat, requests } = setUp([asks(), [5, 'good']])
    await chat.sendMessage('1')
    await chat.sendMessage()
    expect(requests).toHaveLength(1)
    await chat.addToolResult({ toolCallId: 'a', result: 1 })
    await chat.sendMessage()
    await tick(15)
    await chat.sendMessage()
    expect(requests).toHaveLength(2)
  })
})

describe('sendMessage', () => {
  it('never rejects, and the chat lives on, where a message can’t be made', async () => {
    let isBroken = true
    const generateId = () => {
      if (isBroken) throw new Error('no ids here')
      return `id-${Math.random()}`
    }
    const { chat, requests } = setUp(['hi'], { generateId })
    await chat.sendMessage('x')
    expect(chat.status.value).toBe('error')
    expect(chat.error.value).toMatchObject({ code: 'misuse', message: 'no ids here' })
    expect(chat.queued.value).toEqual([])
    isBroken = false
    await chat.sendMessage({ parts: 'x' as never })
    expect(chat.status.value).toBe('error')
    await chat.sendMessage('y')
    expect(chat.status.value).toBe('ready')
    expect(requests).toHaveLength(1)
  })

  it('as the handler of an event goes on, rather than sending the event', async () => {
    const { chat, requests } = setUp(['hi'])
    await chat.sendMessage(new Event('click') as never)
    expect(chat.messages.value).toEqual([])
    expect(requests).toHaveLength(0)
  })
})

describe('stop', () => {
  it('does nothing without an active run, and nothing the second time', async () => {
    const onFinish = vi.fn<() => void>()
    const { chat } = setUp([['half', hang]], { onFinish })
    chat.stop()
    expect(onFinish).not.toHaveBeenCalled()
    void chat.sendMessage('1')
    await tick()
    chat.stop()
    chat.stop()
    expect(onFinish).toHaveBeenCalledTimes(1)
    expect(chat.messages.value[1]?.steps).toEqual([{ finishReason: 'stopped' }])
  })

  it('inside onChunk ends the run in the same tick', async () => {
    const { chat } = setUp([['one', 'two', 'three']], {
      ignoreAbort: true,
      onChunk: ({ type }) => type === 'text-delta' && chat.stop(),
    })
    await chat.sendMessage('1')
    await tick()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: one'])
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
  })

  it('while a request is prepared lets none go out', async () => {
    for (let hops = 0; hops < 8; hops++) {
      const { chat, requests } = setUp(['good'], { prepareStep: async () => {} })
      void chat.sendMessage('1')
      for (let i = 0; i < hops; i++) await undefined
      const before = requests.length
      chat.stop()
      await tick()
      expect(requests).toHaveLength(before)
    }
  })

  it('when a call is about to start keeps its tool from running', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const { chat } = setUp([[toolCall('now', {}, 'n'), finish('tool-calls')]], {
      tools: [{ name: 'now', execute }],
      onChunk: ({ type }) => type === 'tool-start' && chat.stop(),
    })
    await chat.sendMessage('1')
    await tick()
    expect(execute).not.toHaveBeenCalled()
    expect(story(chat.messages.value)[1]).toBe('assistant: n stopped')
  })

  it('just after a failure is a stop, and no error', async () => {
    for (let hops = 0; hops < 12; hops++) {
      const onError = vi.fn<() => void>()
      const { chat } = setUp([[broken]], { onError })
      void chat.sendMessage('1')
      for (let i = 0; i < hops; i++) await undefined
      chat.stop()
      await tick()
      expect(onError).toHaveBeenCalledTimes(chat.status.value === 'error' ? 1 : 0)
      expect(chat.error.value === undefined).toBe(chat.status.value === 'ready')
    }
  })

  it('from a watcher in the middle of a write waits until the write is whole', async () => {
    const { chat, call } = setUp([[toolCall('now', {}, 'n'), finish('tool-calls')]])
    const stop = () => call('n')?.argsText && chat.stop()
    watch(chat.messages, stop, { flush: 'sync', deep: true })
    await chat.sendMessage('1')
    await tick()
    expect(call('n')).toMatchObject({ state: 'error', errorCode: 'stopped' })
    expect(chat.messages.value[1]?.steps).toHaveLength(1)
  })

  it('from a watcher of the status closes what the run was about to do', async () => {
    const sure: AnyTool = { name: 'sure', needsApproval: true, execute: () => 1 }
    const script: Script = [[toolCall('sure', {}, 's'), finish('tool-calls')], 'good']
    const { chat, call } = setUp(script, { tools: [sure] })
    await chat.sendMessage('1')
    const stop = () => chat.stop()
    watch(chat.status, stop, { flush: 'sync', once: true })
    await chat.answerApproval({ toolCallId: 's', approved: true })
    await tick()
    expect(call('s')).toMatchObject({ state: 'error', errorCode: 'stopped' })
    expect(chat.status.value).toBe('ready')
  })
})

describe('answers', () => {
  it('make one follow-up, when the last open call is answered', async () => {
    const { chat, requests } = setUp([
      [toolCall('ask', {}, 'a'), toolCall('ask', {}, 'b'), finish('tool-calls')],
      'good',
    ])
    await chat.sendMessage('1')
    expect(chat.pendingToolCalls.value).toHaveLength(2)
    await chat.addToolResult({ toolCallId: 'b', result: 2 })
    await tick()
    expect(requests).toHaveLength(1)
    const twice = [
      chat.addToolResult({ toolCallId: 'a', result: 1 }),
      chat.addToolResult({ toolCallId: 'a', result: 3 }),
    ]
    expect(await Promise.all(twice)).toEqual([true, false])
    await tick()
    expect(requests).toHaveLength(2)
  })

  it('are refused for unknown calls, and late ones change nothing', async () => {
    const { chat, call, requests } = setUp([asks(), 'good'])
    await chat.sendMessage('1')
    await expect(chat.addToolResult({ toolCallId: 'x', result: 1 })).rejects.toMatchObject({
      code: 'misuse',
    })
    await chat.sendMessage('never mind')
    expect(await chat.addToolResult({ toolCallId: 'a', result: 1 })).toBe(false)
    expect(call('a')).toMatchObject({ errorCode: 'unanswered' })
    expect(requests).toHaveLength(2)
  })

  it('with edited arguments that JSON can’t hold are refused, and change nothing', async () => {
    const tools = [{ name: 'ask', needsApproval: true, execute: () => 1 }]
    const { chat, call } = setUp([asks()], { tools })
    await chat.sendMessage('x')
    const args = { n: 1n }
    const answer = chat.answerApproval({ toolCallId: 'a', approved: true, args })
    await expect(answer).rejects.toMatchObject({ code: 'misuse' })
    expect(call('a')).toMatchObject({
      state: 'pending',
      approval: { state: 'requested' },
      args: {},
    })
  })

  it('are never lost, at whichever microtask they come', async () => {
    for (let hops = 0; hops < 40; hops++) {
      const { chat, call, requests } = setUp([asks(), 'good'])
      void chat.sendMessage('1')
      while (call('a')?.state !== 'pending') await undefined
      for (let i = 0; i < hops; i++) await undefined
      expect(await chat.addToolResult({ toolCallId: 'a', result: hops })).toBe(true)
      await tick()
      expect(requests).toHaveLength(2)
    }
  })

  it('given inside onFinish start the follow-up', async () => {
    const { chat, requests } = setUp([asks(), 'good'], {
      onFinish: () => void chat.addToolResult({ toolCallId: 'a', result: 1 }),
    })
    await chat.sendMessage('1')
    await tick()
    expect(requests).toHaveLength(2)
  })

  it('keep a call waiting for a person whose approval the provider asked for', async () => {
    const execute = vi.fn<() => number>(() => 1)
    const { chat, requests } = setUp(
      [
        [
          toolCall('now', {}, 'n'),
          { type: 'tool-approval-request', toolCallId: 'n' },
          finish('tool-calls'),
        ],
        'good',
      ],
      { tools: [{ name: 'now', execute }] },
    )
    await chat.sendMessage('1')
    expect(execute).not.toHaveBeenCalled()
    await chat.answerApproval({ toolCallId: 'n', approved: true })
    await tick()
    expect(execute).toHaveBeenCalledTimes(1)
    expect(requests).toHaveLength(2)
  })
})

describe('what ends a run from elsewhere', () => {
  it('regenerate drops the last answer and asks anew, also while it streams', async () => {
    const { chat, requests } = setUp([['half', hang], 'good', 'better'])
    const first = chat.sendMessage('1')
    await tick()
    await chat.regenerate()
    await first
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: good'])
    await chat.regenerate()
    expect(story(chat.messages.value)).toEqual(['user: 1', 'assistant: better'])
  })

  it('regenerate without a user message does nothing', async () => {
    const { chat, requests } = setUp(['good'])
    await chat.regenerate()
    expect(requests).toHaveLength(0)
  })

  it('regenerate never drops a message sent from inside its abort', async () => {
    let isFirst = true
    const { chat } = setUp([['half', hang], 'good'], {
      onFinish() {
        if (!isFirst) return
        isFirst = false
        chat.stop()
        void chat.sendMessage('2')
      },
    })
    void chat.sendMessage('1')
    await tick()
    await chat.regenerate()
    await tick()
    expect(story(chat.messages.value)).toEqual([
      'user: 1',
      'assistant: half',
      'user: 2',
      'assistant: good',
    ])
  })

  it('clear resets error and status, and late writes stay with the old list', async () => {
    const { chat } = setUp([[broken], ['half', 5, 'late'], 'good'], { ignoreAbort: true })
    await chat.sendMessage('1')
    chat.clear()
    expect([chat.status.value, chat.error.value, chat.messages.value]).toEqual([
      'ready',
      undefined,
      [],
    ])
    void chat.sendMessage('2')
    await tick(2)
    const list = chat.messages.value
    chat.clear()
    await tick(15)
    expect(chat.messages.value).toEqual([])
    expect(story(list)).toEqual(['user: 2', 'assistant: half'])
  })

  it('clear takes a message that a watcher sends for the new list', async () => {
    const { chat } = setUp([['half', hang], 'good'])
    void chat.sendMessage('1')
    await tick()
    const sent: Promise<void>[] = []
    const unwatch = watch(
      chat.status,
      () => {
        unwatch()
        sent.push(chat.sendMessage('2'))
      },
      { flush: 'sync' },
    )
    chat.clear()
    await Promise.all(sent)
    expect(story(chat.messages.value)).toEqual(['user: 2', 'assistant: good'])
  })

  it('a retry from a watcher of the error leaves status and error right', async () => {
    const { chat } = setUp([[broken], [5, 'good']])
    watch(chat.error, () => void chat.sendMessage(), { flush: 'sync', once: true })
    await chat.sendMessage('1')
    expect([chat.status.value, chat.error.value]).toEqual(['submitted', undefined])
    await tick(15)
    expect(chat.status.value).toBe('ready')
  })

  it('clearError from a watcher of the error leaves the status ready', async () => {
    const { chat } = setUp([[broken]])
    watch(chat.error, () => chat.clearError(), { flush: 'sync' })
    await chat.sendMessage('1')
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
  })

  it('dispose in the tool phase interrupts what runs and leaves what waits for a person', async () => {
    const scope = effectScope()
    const slow: AnyTool = { name: 'slow', execute: () => tick(1000) }
    const script: Script = [
      [toolCall('slow', {}, 's'), toolCall('ask', {}, 'a'), finish('tool-calls')],
      'good',
    ]
    const set = scope.run(() => setUp(script, { tools: [slow, ask] }))
    const { chat, call, requests } = set ?? setUp([])
    const sent = [chat.sendMessage('1'), chat.sendMessage('2')]
    await tick(5)
    scope.stop()
    await Promise.all(sent)
    expect(call('s')).toMatchObject({ state: 'error', errorCode: 'interrupted' })
    expect(call('a')).toMatchObject({ state: 'pending' })
    expect(await chat.addToolResult({ toolCallId: 'a', result: 1 })).toBe(true)
    await Promise.all([chat.sendMessage('3'), chat.sendMessage(), chat.regenerate()])
    expect(requests).toHaveLength(1)
  })

  it('dispose keeps onToolCall from being asked', async () => {
    const scope = effectScope()
    const onToolCall = vi.fn<() => undefined>()
    const check: AnyTool = { name: 'check', needsApproval: () => tick(5).then(() => false) }
    const set = scope.run(() =>
      setUp([[toolCall('check', {}, 'c'), finish('tool-calls')]], { tools: [check], onToolCall }),
    )
    void set?.chat.sendMessage('1')
    await tick(2)
    scope.stop()
    await tick(10)
    expect(onToolCall).not.toHaveBeenCalled()
    expect(set?.call('c')).toMatchObject({ state: 'pending' })
  })

  it('a change of the id shows its messages and ends the run', async () => {
    const id = ref('one')
    const { chat, requests } = setUp([['half', hang]], {
      id,
      initialMessages: () => [{ role: 'user', content: id.value }],
    })
    const sent = chat.sendMessage('1')
    await tick()
    id.value = 'two'
    await sent
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(story(chat.messages.value)).toEqual(['user: two'])
  })
})

it('a round that was reset and never given again is closed', async () => {
  const { chat } = setUp([['half', finish(), { type: 'step-reset' }]])
  await chat.sendMessage('1')
  expect(chat.messages.value[1]).toMatchObject({ parts: [], steps: [{ finishReason: 'stop' }] })
})

it('a stop after an error that came behind the end of a round closes what the error opened', async () => {
  const reasons: unknown[] = []
  const { chat } = setUp([['whole', finish(), { type: 'error', code: 'x', message: 'y' }, hang]], {
    onChunk: (chunk) => reasons.push(chunk.type === 'step-end' ? chunk.finishReason : chunk.type),
  })
  void chat.sendMessage('1')
  await tick()
  chat.stop()
  expect(reasons).toEqual(['text-delta', 'stop', 'error', 'stopped'])
})

it.each<[string, Script]>([
  ['its first text', ['one']],
  ['its end', [[finish()]]],
])('an answer stopped by a watcher as it joins with %s has one closed round', async (_, script) => {
  const { chat } = setUp(script)
  const stop = () => chat.messages.value.length > 1 && chat.stop()
  watch(chat.messages, stop, { flush: 'sync', deep: true })
  await chat.sendMessage('1')
  await tick()
  expect(chat.messages.value[1]?.steps).toHaveLength(1)
  expect(chat.messages.value[1]?.parts).toEqual([])
})
