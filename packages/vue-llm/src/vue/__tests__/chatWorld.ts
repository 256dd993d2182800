// long: one model of a chat, its actions and what is expected of each
import { effectScope, ref, shallowRef, toRaw, watch, type Ref } from 'vue'
import { isLLMError, nextStep } from '../../core'
import type { AnyTool, ChatRequest, Chunk, Message, MessageInput, Provider } from '../../core'
import { useChat } from '../useChat'
import { createEdgeWatch, isClosed, mixingProblems, requestProblems } from './chatChecks'
import type { Action, HookPoint, Plan } from './chatPlan'
import { createOnToolCall, createToolSets } from './chatTools'
import { allCalls, playRound } from './scriptedRound'
import type { VirtualTime } from './virtualTime'

/** More requests than any session can have a reason for. */
const maxRequests = 80

const silent = new Set(['message-start', 'metadata', 'error', 'step-end', 'step-reset'])

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

/** Transcripts to begin with: none, a finished one, one that waits for a person, one that waits for the model. */
export const transcripts: readonly (readonly MessageInput[])[] = deepFreeze([
  [],
  [
    { id: 'i1', role: 'user', content: 'hello' },
    { id: 'i2', role: 'assistant', parts: [{ type: 'text', text: 'hello' }] },
  ],
  [
    { id: 'i1', role: 'user', content: 'hello' },
    {
      id: 'i2',
      role: 'assistant',
      parts: [
        { type: 'tool-call', toolCallId: 'p1', toolName: 'ask', args: {}, state: 'pending' },
        {
          type: 'tool-call',
          toolCallId: 'p2',
          toolName: 'now',
          args: {},
          state: 'result',
          result: [1],
        },
      ],
      steps: [{ finishReason: 'tool-calls' }],
    },
  ],
  [
    { id: 'i1', role: 'user', content: 'hello' },
    {
      id: 'i2',
      role: 'assistant',
      parts: [{ type: 'tool-call', toolCallId: 'p1', toolName: 'ask', args: {}, state: 'pending' }],
    },
    { id: 'i3', role: 'user', content: 'hello again' },
  ],
])

/** How the last run ended, or what came after it. */
export type Ending = 'none' | 'self' | 'abort' | 'error' | 'reset'

/** A chat with everything around it scripted, and everything it does watched. */
export type World = ReturnType<typeof createWorld>

/** Puts something around a provider that may report what is wrong. */
export type WrapProvider = (provider: Provider, report: (problem: string) => void) => Provider

/** Sets up the chat of a plan. Nothing happens before `act`. */
// long: one closure over what is watched, whose functions are short
export function createWorld(plan: Plan, time: VirtualTime, wrap: WrapProvider = (one) => one) {
  const { setup } = plan
  const problems: string[] = []
  const log: string[] = []
  const report = (problem: string) => {
    if (!problems.includes(problem)) problems.push(problem)
  }
  const look = (found: readonly string[]) => found.forEach(report)

  // What is watched.
  const lists = new Set<readonly Message[]>()
  const requests: { request: ChatRequest; messages: Message[]; done: boolean }[] = []
  const sends: { text: string; settled: boolean; dropped: boolean }[] = []
  const answers: Promise<unknown>[] = []
  const confirm = new Set<string>()
  const ran = new Set<string>()
  const edgeProblems = createEdgeWatch()
  const state = {
    disposed: false,
    /** Why nothing may be requested before the next action. */
    held: '',
    ending: 'none' as Ending,
    /** Whether limits have changed since the last run ended. */
    relaxed: false,
    /** Whether a round still needs its `step-end`. */
    open: false,
    /** Whether an error still needs its `step-end`. */
    failed: false,
    hooks: 0,
  }

  // What may change.
  const model = ref('model-0')
  const limit = ref(setup.limit)
  const auto = ref(setup.auto)
  const id = ref('chat-0')
  /** Models and lists of tools that a request may have: those since it was begun. */
  const recent = new Set<unknown>()
  let idCount = 0
  let messageCount = 0
  /** How many actions that end a run are under way. */
  let aborting = 0

  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      time.after(ms, resolve)
      signal?.addEventListener('abort', () => resolve())
    })

  const counts: Partial<Record<HookPoint, number>> = {}
  function hook(on: HookPoint): void {
    const nth = counts[on] ?? 0
    counts[on] = nth + 1
    for (const one of plan.hooks) {
      if (one.on !== on || one.nth !== nth) continue
      // Inside a write the chunk that opens the round is not told yet.
      if (on === 'watch messages') state.open = true
      act(one.act, on)
    }
  }

  function findPart(toolCallId: string) {
    return [...lists]
      .flatMap((list) => allCalls(list))
      .find((call) => call.toolCallId === toolCallId)
  }

  const toolHost = {
    wait,
    onNeedsApproval: () => hook('needsApproval'),
    onRun(toolCallId: string, signal: AbortSignal) {
      if (signal.aborted) report(`${toolCallId} began to run after the abort`)
      if (state.disposed) report(`${toolCallId} began to run after dispose`)
      if (ran.has(toolCallId)) report(`${toolCallId} ran twice`)
      ran.add(toolCallId)
      const part = findPart(toolCallId)
      if (part?.state !== 'running') report(`${toolCallId} ran in state ${part?.state}`)
      if (confirm.has(toolCallId) && part?.approval?.state !== 'approved') {
        report(`${toolCallId} ran before a person allowed it`)
      }
      hook('execute')
      hook('toolCall')
    },
  }
  const toolSets = createToolSets(toolHost)
  const tools: Ref<readonly AnyTool[]> = shallowRef(toolSets[setup.tools] ?? [])
  const onToolCall = createOnToolCall(setup.onToolCall, toolHost)

  async function* stream(request: ChatRequest, index: number): AsyncGenerator<Chunk> {
    const entry = requests[index]
    try {
      const round = plan.rounds[index] ?? ['text', 'end stop']
      yield* playRound(round, {
        index,
        request,
        wait,
        onPull: () => hook('pull'),
        onConfirm: (toolCallId) => confirm.add(toolCallId),
      })
    } finally {
      if (entry) entry.done = true
    }
  }

  const createProvider = (name: string): Provider => wrap(createScripted(name), report)
  const createScripted = (name: string): Provider => ({
    name,
    ...(setup.remote && { remote: true }),
    stream(request) {
      const index = requests.length
      log.push(`${time.now} ms: request ${index}`)
      const writing = requests.filter((one) => !one.done && !one.request.signal.aborted)
      if (writing.length) report('two streams at a time')
      if (state.disposed) report('a request after dispose')
      if (state.held) report(`a request by itself after ${state.held}`)
      if (request.signal.aborted) report('a request after the abort')
      if (!recent.has(request.model) || name !== provider.value.name) report('old options')
      if (!recent.has(toRaw(request.tools))) report('old tools')
      look(requestProblems(request))
      requests.push({
        request,
        messages: JSON.parse(JSON.stringify(request.messages)) as Message[],
        done: false,
      })
      if (requests.length > maxRequests) {
        report('requests without end')
        throw new Error('requests without end')
      }
      hook('stream')
      return stream(request, index)
    },
  })
  const provider = shallowRef(createProvider('provider-0'))

  function onChunk(chunk: Chunk): void {
    if (chunk.type === 'step-end') {
      if (!state.open && !state.failed) report('a round was closed twice')
      state.open = state.failed = false
    } else if (chunk.type === 'error') state.failed = true
    else if (chunk.type === 'step-reset') state.open = true
    else if (!silent.has(chunk.type)) {
      const last = requests.at(-1)
      const byChat = chunk.type === 'tool-error' && chunk.errorCode
      if (last && !last.done && !last.request.signal.aborted && !byChat) state.open = true
    }
    observe(setup.watchAll && setup.throttle === 0)
    hook('chunk')
  }

  const scope = effectScope(true)
  const started = scope.run(() =>
    useChat({
      provider,
      model,
      id,
      initialMessages: () => transcripts[idCount ? idCount % 2 : setup.initial] ?? [],
      tools,
      ...(onToolCall && { onToolCall }),
      maxToolRoundtrips: limit,
      autoSendToolResults: auto,
      prepareStep() {
        state.open = true
        recent.clear()
        recent.add(model.value).add(toRaw(tools.value))
        hook('prepare')
      },
      throttleMs: typeof setup.throttle === 'number' ? setup.throttle : undefined,
      generateId: () => `m${++messageCount}`,
      onChunk,
      onError: () => hook('error'),
      onFinish({ isAbort, isError, message, messages: list }) {
        if (toRaw<unknown>(list) === toRaw(messages.value)) {
          state.ending = isAbort ? 'abort' : isError ? 'error' : 'self'
          state.relaxed = false
        }
        // A watcher of the status may have answered already.
        const isPaused = chat.status.value === 'ready' && next() === 'wait'
        if (!isAbort && !isError && isPaused) state.held = 'a pause'
        if (isAbort && isError) report('an abort that is an error')
        if (isAbort && !aborting) report('a run was aborted by itself')
        if (message && !message.steps.length && !isAbort) report('a message without a round')
        observe(false)
        hook('finish')
      },
    }),
  )
  if (!started) throw new Error('the scope has ended')
  const chat = started
  const messages = chat.messages as unknown as Ref<Message[]>

  const next = () =>
    nextStep(messages.value, { maxToolRoundtrips: limit.value, autoSendToolResults: auto.value })

  function observe(exact: boolean): void {
    lists.add(toRaw(messages.value))
    for (const list of lists) look(edgeProblems(list, exact))
  }

  const stops = [
    watch(chat.error, (error) => error && (state.held = 'an error'), { flush: 'sync' }),
    watch(chat.status, () => hook('watch status'), { flush: 'sync' }),
    watch(chat.error, () => hook('watch error'), { flush: 'sync' }),
    watch(chat.queued, () => hook('watch queued'), { flush: 'sync' }),
  ]
  if (setup.watchAll) {
    const seen = () => {
      observe(true)
      hook('watch messages')
    }
    stops.push(watch(messages, seen, { flush: 'sync', deep: true }))
  }
  observe(false)

  /** What is being sent right now. */
  const sending = new Set<string>()

  function send(): void {
    const text = `u${sends.length + 1}`
    const one = { text, settled: false, dropped: state.disposed }
    sends.push(one)
    sending.add(text)
    chat.sendMessage(text).then(
      () => (one.settled = true),
      (error: unknown) => report(`sendMessage rejected: ${String(error)}`),
    )
    sending.delete(text)
  }

  function settles(what: string, promise: Promise<unknown>): void {
    answers.push(promise)
    promise.catch((error: unknown) => report(`${what} rejected: ${String(error)}`))
  }

  /** Gives an answer, and expects what the rules say of it. */
  function answer(what: string, toolCallId: string, promise: () => Promise<boolean>): void {
    const part = allCalls(messages.value).findLast((call) => call.toolCallId === toolCallId)
    const approval = part?.approval?.state
    const isApproval = /approve|edit|decline/.test(what)
    let expected: boolean | 'misuse' = part ? !isClosed(part) : 'misuse'
    if (part?.state === 'streaming') expected = 'misuse'
    else if (expected === true && isApproval) {
      expected = approval === 'approved' ? false : approval === 'requested' || 'misuse'
    }
    if (expected === true) state.held = ''
    const settled = promise().then(
      (got) => got,
      (error: unknown) => (isLLMError(error, 'misuse') ? 'misuse' : String(error)),
    )
    answers.push(settled)
    void settled.then((got) => {
      if (got !== expected) report(`${what} ${toolCallId}: ${got}, expected ${expected}`)
    })
  }

  function answerCall(what: string, index: number): void {
    const open = allCalls(messages.value).filter((call) => !isClosed(call))
    const call = open[index % (open.length || 1)]
    if (!call) return
    const { toolCallId } = call
    const args = Object.freeze({ x: 2, edited: true })
    const give = (result: string) => () =>
      chat.addToolResult({ toolCallId, result: Object.freeze({ result }) })
    const actions: Record<string, () => Promise<boolean>> = {
      answer: give('by a person'),
      'answer error': () => chat.addToolResult({ toolCallId, error: 'no' }),
      'answer twice': give('first'),
      approve: () => chat.answerApproval({ toolCallId, approved: true }),
      edit: () => chat.answerApproval({ toolCallId, approved: true, args }),
      decline: () => chat.answerApproval({ toolCallId, approved: false, reason: 'no' }),
    }
    const promise = actions[what]
    if (promise) answer(what, toolCallId, promise)
    if (what === 'answer twice') answer('answer again', toolCallId, give('second'))
  }

  /** What ends a run and drops the messages that wait. */
  function drop(run: () => void): void {
    // A message that is just being sent waits before it is shown to.
    const before = new Set([...sending, ...chat.queued.value.map(({ content }) => content)])
    for (const one of sends) if (before.has(one.text)) one.dropped = true
    run()
  }

  /** Does an action, and tells of what only actions may do. */
  function act(action: Action, where = ''): void {
    const aborts = /^(stop|regenerate|clear$|set|id|dispose)/.test(action)
    if (aborts) aborting++
    perform(action, where)
    if (aborts) aborting--
  }

  function perform(action: Action, where: string): void {
    log.push(`${time.now} ms: ${action}${where && ` inside ${where}`}`)
    const [what = '', value = ''] = action.split(' ')
    const index = Number(/\d+$/.exec(action)?.[0] ?? 0)
    const isActive = () => ['submitted', 'streaming'].includes(chat.status.value)
    switch (action.replace(/ \d+$/, '')) {
      case 'send send':
        act('send', where)
        act('send', where)
        break
      case 'stop send':
        act('stop', where)
        act('send', where)
        break
      case 'send':
        state.held = ''
        send()
        break
      case 'go on': {
        const { held } = state
        state.held = ''
        settles(action, chat.sendMessage())
        // It may have found nothing to go on with.
        if (!isActive()) state.held = held
        break
      }
      case 'stop':
        // A run has begun before its status shows where a message leaves the queue, or an earlier error goes.
        if (isActive() || where === 'watch queued' || (where === 'watch error' && !state.held)) {
          state.held = 'stop'
        }
        chat.stop()
        break
      case 'answer unknown':
        answer(action, 'nobody', () => chat.addToolResult({ toolCallId: 'nobody', result: 1 }))
        break
      case 'answer closed': {
        const toolCallId = allCalls(messages.value).find(isClosed)?.toolCallId
        if (toolCallId === undefined) break
        answer(action, toolCallId, () => chat.addToolResult({ toolCallId, result: 'late' }))
        break
      }
      case 'regenerate':
        drop(() => {
          state.held = ''
          settles(action, chat.regenerate())
        })
        break
      case 'clear':
        drop(() => {
          reset()
          chat.clear()
        })
        break
      case 'set':
        drop(() => {
          reset()
          chat.setMessages(transcripts[index] ?? [])
        })
        break
      case 'id':
        drop(() => {
          reset()
          idCount++
          id.value = `chat-${idCount}`
        })
        break
      case 'dispose':
        drop(() => {
          state.disposed = true
          scope.stop()
        })
        break
      case 'clearError':
        chat.clearError()
        break
      case 'model':
        model.value = `model-${log.length}`
        recent.add(model.value)
        break
      case 'provider':
        provider.value = createProvider(`provider-${log.length}`)
        break
      case 'limit':
        limit.value = index
        state.relaxed = true
        break
      case 'auto on':
      case 'auto off':
        auto.value = value === 'on'
        state.relaxed = true
        break
      case 'tools':
        tools.value = toolSets[index] ?? []
        recent.add(toRaw(tools.value))
        break
      default:
        answerCall(action.replace(/ \d+$/, ''), index)
    }
    if (what) observe(false)
  }

  function reset(): void {
    state.held = 'a reset'
    state.ending = 'reset'
  }

  return {
    act,
    answers,
    chat,
    lists,
    log,
    messages,
    observe,
    plan,
    problems,
    report,
    requests,
    sends,
    state,
    tools,
    next,
    mixing: () => [...lists].forEach((list) => look(mixingProblems(list))),
    end() {
      stops.forEach((stop) => stop())
      scope.stop()
    },
  }
}
