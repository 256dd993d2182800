import { shallowRef, type Ref, type ShallowRef } from 'vue'
import {
  callsOf,
  closingChunk,
  createMessage,
  isOpenCall,
  nextStep,
  runChat,
  toLLMError,
  type ChatLimits,
  type Chunk,
  type LLMError,
  type Message,
  type MessageInput,
  type RunChatOptions,
  type ToolCallPart,
} from '../core'
import { dropFailedStep, hasWork, isResumable } from './resume'

/** `submitted` until the first chunk, `streaming` until the run ends or pauses, then `ready` or `error`. */
export type ChatStatus = 'ready' | 'submitted' | 'streaming' | 'error'

/** A user's message as it is sent: a message without its role. */
export type UserMessage = Omit<MessageInput, 'role'>

/** @internal What is known when a run has ended or paused. */
export interface TurnEnd {
  messages: Message[]
  error: LLMError | undefined
  isAbort: boolean
}

/** @internal What {@link createTurns} needs of the chat around it. */
export interface TurnsHost {
  messages: Ref<Message[]>
  status: Ref<ChatStatus>
  error: Ref<LLMError | undefined>
  limits(): ChatLimits
  generateId(): string
  /** Options of a run beside those that the turn itself sets; may hold getters. */
  runOptions(): Omit<RunChatOptions, 'messages'>
  apply(message: Message, chunk: Chunk): void
  onChunk(chunk: Chunk): void
  onEnd(end: TurnEnd): void
}

interface Turn {
  readonly controller: AbortController
  readonly messages: Message[]
  readonly running: Map<ToolCallPart, AbortController>
  options?: RunChatOptions
  /** Whether a request went out. */
  requested: boolean
  error: LLMError | undefined
  /** Starts calls that were approved while others run. */
  wake: () => void
  /** Settles the promise of `sendMessage`. */
  resolve: () => void
}

interface Job {
  content: UserMessage
  resolve: () => void
}

/** @internal The runs of a chat: at most one at a time, messages sent meanwhile wait in a queue. */
export interface Turns {
  /** Messages that wait for their turn, oldest first. */
  queued: Readonly<ShallowRef<readonly UserMessage[]>>
  send(content: UserMessage): Promise<void>
  /** Goes on where the transcript stands. */
  goOn(): Promise<void>
  regenerate(): Promise<void>
  stop(): void
  /** Ends everything and shows other messages. */
  reset(messages: Message[]): void
  /** To be called after an answer was recorded: starts what can start now. */
  proceed(): void
  /** The controller of a call that runs. */
  runningCall(call: ToolCallPart): AbortController | undefined
  dispose(): void
}

/** @internal */
// long: one closure over the active run and the queue, whose functions are short
export function createTurns(host: TurnsHost): Turns {
  const { messages, status, error } = host
  const queued = shallowRef<readonly UserMessage[]>([])
  let queue: Job[] = []
  let active: Turn | undefined
  let disposed = false

  const setQueue = (jobs: Job[]): Job[] => {
    const before = queue
    queue = jobs
    queued.value = jobs.map(({ content }) => content)
    return before
  }

  /** Makes a run the active one before anything is written, then ends the one before. */
  function claim(resolve: () => void): Turn {
    const before = active
    const turn: Turn = {
      controller: new AbortController(),
      messages: messages.value,
      running: new Map(),
      requested: false,
      error: undefined,
      wake: () => {},
      resolve,
    }
    active = turn
    error.value = undefined
    status.value = 'submitted'
    if (before) abort(before)
    return turn
  }

  function end(turn: Turn, isAbort: boolean): void {
    turn.resolve()
    host.onEnd({ messages: turn.messages, error: turn.error, isAbort })
  }

  function abort(turn: Turn, interrupted = false): void {
    if (turn.options) turn.options.interrupted = interrupted
    turn.controller.abort()
    end(turn, true)
  }

  /** Ends the active run, if there is one. */
  function halt(interrupted?: boolean): void {
    const turn = active
    if (!turn) return
    active = undefined
    status.value = 'ready'
    abort(turn, interrupted)
  }

  async function run(turn: Turn, goOn: boolean): Promise<void> {
    const { controller, messages: list } = turn
    const options: RunChatOptions = Object.assign(host.runOptions(), {
      messages: list,
      goOn,
      signal: controller.signal,
      running: turn.running,
      apply(message: Message, chunk: Chunk) {
        host.apply(message, chunk)
        if (active === turn && turn.requested) status.value = 'streaming'
        host.onChunk(chunk)
      },
      onRequest: () => (turn.requested = true),
      onError: (failure: LLMError) => (turn.error = failure),
      onWake: (wake: () => void) => (turn.wake = wake),
    })
    turn.options = options
    try {
      // An answer given just after the run had looked is not lost: it is looked for again.
      do {
        for await (const _ of runChat(options));
        options.goOn = false
      } while (active === turn && !turn.error && hasWork(list, host.limits()))
    } catch (failure) {
      turn.error = toLLMError(failure, 'misuse')
    }
    if (active !== turn) return
    active = undefined
    error.value = turn.error
    status.value = turn.error ? 'error' : 'ready'
    end(turn, false)
    if (!turn.error && !active && nextStep(list, host.limits()) !== 'wait') startNext()
  }

  function start(prepare: (turn: Turn) => void, goOn: boolean): Promise<void> {
    return new Promise((resolve) => {
      const turn = claim(resolve)
      prepare(turn)
      void run(turn, goOn)
    })
  }

  /** Starts the message that has waited longest. */
  function startNext(): void {
    const [job, ...others] = queue
    if (!job || disposed) return
    const turn = claim(job.resolve)
    setQueue(others)
    const last = turn.messages.at(-1)
    for (const call of callsOf(last)) {
      if (last && isOpenCall(call)) host.apply(last, closingChunk(call.toolCallId, 'unanswered'))
    }
    turn.messages.push(createMessage('user', { id: host.generateId(), ...job.content }))
    void run(turn, false)
  }

  return {
    queued,
    send: (content) =>
      new Promise((resolve) => {
        if (disposed) return resolve()
        setQueue([...queue, { content, resolve }])
        if (!active) startNext()
      }),
    async goOn() {
      if (disposed || active || !isResumable(messages.value)) return
      await start((turn) => dropFailedStep(turn.messages, host.apply), true)
    },
    async regenerate() {
      const index = messages.value.findLastIndex(({ role }) => role === 'user')
      if (disposed || index < 0) return
      for (const job of setQueue([])) job.resolve()
      await start((turn) => turn.messages.splice(index + 1), true)
    },
    stop: () => halt(),
    reset(list) {
      const turn = active
      active = undefined
      const jobs = setQueue([])
      error.value = undefined
      status.value = 'ready'
      messages.value = list
      // Last: whoever hears of it may send again.
      if (turn) abort(turn)
      for (const job of jobs) job.resolve()
    },
    proceed() {
      if (active) active.wake()
      else if (!disposed && hasWork(messages.value, host.limits())) void start(() => {}, false)
    },
    runningCall: (call) => active?.running.get(call),
    dispose() {
      disposed = true
      halt(true)
      for (const job of setQueue([])) job.resolve()
    },
  }
}
