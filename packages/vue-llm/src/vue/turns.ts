// long: the runs of a chat and its queue are one closure, with what it takes and gives beside it
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

/** What is known when a run has ended or paused. @internal */
export interface TurnEnd {
  messages: Message[]
  error: LLMError | undefined
  isAbort: boolean
}

/** What {@link createTurns} needs of the chat around it. @internal */
export interface TurnsHost {
  messages: Ref<Message[]>
  status: Ref<ChatStatus>
  error: Ref<LLMError | undefined>
  limits(): ChatLimits
  generateId(): string
  /** Options of a run beside those that the turn itself sets; may hold getters. */
  runOptions(): Omit<RunChatOptions, 'messages'>
  apply(message: Message, chunk: Chunk): void
  /** Lets the page have its turn. */
  giveWay(): Promise<void> | undefined
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

/** Writes to the transcript before a run begins. */
type Prepare = (messages: Message[]) => void

interface Job {
  content: UserMessage
  resolve: () => void
}

/** The runs of a chat: at most one at a time, messages sent meanwhile wait in a queue. @internal */
export interface Turns {
  /** Messages that wait for their turn, oldest first. */
  queued: Readonly<ShallowRef<readonly UserMessage[]>>
  send(content: UserMessage): Promise<void>
  /** Goes on where the transcript stands. */
  goOn(): Promise<void>
  regenerate(): Promise<void>
  stop(): void
  clearError(): void
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
  const queue: Job[] = []
  let active: Turn | undefined
  let disposed = false
  /** After a stop or an error the queue waits for a person. */
  let stopped = false

  // Sync watchers and callbacks may act again at every reactive write: what decides is written before, in one go.
  let changes = 0
  const show = (next: ChatStatus, failure?: LLMError): void => {
    const change = ++changes
    error.value = failure
    if (change === changes) status.value = next
  }
  const showQueue = () => {
    queued.value = queue.map(({ content }) => content)
  }
  const emptyQueue = () => {
    for (const { resolve } of queue.splice(0)) resolve()
  }

  function end(turn: Turn, isAbort: boolean): void {
    turn.resolve()
    // A stop just after a failure is a stop.
    host.onEnd({ messages: turn.messages, error: isAbort ? undefined : turn.error, isAbort })
  }

  /** Ends a run that is not the active one any more. */
  function abort(turn: Turn | undefined, interrupted = false): void {
    if (turn?.options) turn.options.interrupted = interrupted
    turn?.controller.abort()
    if (!active) show('ready')
    if (turn) end(turn, true)
  }

  /** Ends the active run, if there is one. */
  function halt(interrupted?: boolean): void {
    const turn = active
    active = undefined
    if (!turn) return
    stopped = true
    abort(turn, interrupted)
  }

  async function run(turn: Turn, goOn: boolean, prepare?: Prepare): Promise<void> {
    const { controller, messages: list } = turn
    /** Chunks that are applied, or being applied, and not told yet. */
    const untold: Chunk[] = []
    const options: RunChatOptions = Object.assign(host.runOptions(), {
      messages: list,
      goOn,
      signal: controller.signal,
      running: turn.running,
      apply(message: Message, chunk: Chunk) {
        // A sync watcher may stop the run, which writes more: that is told after this.
        const isNested = untold.push(chunk) > 1
        try {
          host.apply(message, chunk)
        } finally {
          if (!isNested) for (let one; (one = untold[0]); untold.shift()) host.onChunk(one)
        }
        if (active === turn && turn.requested) status.value = 'streaming'
      },
      afterChunk: host.giveWay,
      onRequest: () => (turn.requested = true),
      onError: (failure: LLMError) => (turn.error = failure),
      onWake: (wake: () => void) => (turn.wake = wake),
    })
    turn.options = options
    try {
      if (active === turn) prepare?.(list)
      // An answer given just after the run had looked is not lost: it is looked for again.
      do {
        await runChat(options).next()
        options.goOn = false
      } while (active === turn && !turn.error && hasWork(list, host.limits()))
    } catch (failure) {
      turn.error = toLLMError(failure, 'misuse')
    }
    if (active !== turn) return
    active = undefined
    stopped = !!turn.error
    show(turn.error ? 'error' : 'ready', turn.error)
    end(turn, false)
    // Whoever was told may have started something else.
    if (!active && !stopped && !isHeld()) startNext()
  }

  /** Whether a pause holds the messages that wait. */
  const isHeld = () => nextStep(messages.value, host.limits()) === 'wait'

  /** Makes a run the active one before anything is written, then ends the one before. */
  function start(resolve: () => void, goOn: boolean, prepare?: Prepare): void {
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
    stopped = false
    if (before) abort(before)
    void run(turn, goOn, prepare)
    // Last: whoever sees it and stops the run finds one that can close what is open.
    if (active === turn) show('submitted')
  }

  /** Starts the message that has waited longest. */
  function startNext(): void {
    const job = queue.shift()
    if (!job) return
    start(job.resolve, false, (list) => {
      const last = list.at(-1)
      list.push(createMessage('user', { id: host.generateId(), ...job.content }))
      for (const call of callsOf(last)) {
        if (last && isOpenCall(call)) host.apply(last, closingChunk(call.toolCallId, 'unanswered'))
      }
      showQueue()
    })
  }

  return {
    queued,
    send: (content) =>
      new Promise((resolve) => {
        if (disposed) return resolve()
        queue.push({ content, resolve })
        if (active) showQueue()
        else startNext()
      }),
    async goOn() {
      if (disposed || active) return
      // Such as a stored call that was allowed and never ran.
      const isWork = hasWork(messages.value, host.limits())
      if (isWork || isResumable(messages.value)) {
        const prepare = (list: Message[]) => dropFailedStep(list, host.apply)
        await new Promise<void>((resolve) => start(resolve, !isWork, isWork ? undefined : prepare))
      } else if (!isHeld()) startNext()
    },
    async regenerate() {
      const index = messages.value.findLastIndex(({ role }) => role === 'user')
      if (disposed || index < 0) return
      emptyQueue()
      await new Promise<void>((resolve) => {
        start(resolve, true, (list) => list.splice(index + 1))
        showQueue()
      })
    },
    stop: () => halt(),
    clearError() {
      if (!active) show('ready')
    },
    reset(list) {
      const turn = active
      active = undefined
      emptyQueue()
      messages.value = list
      abort(turn)
      showQueue()
    },
    proceed() {
      if (active) active.wake()
      else if (!disposed && hasWork(messages.value, host.limits())) start(() => {}, false)
      else if (!stopped && !isHeld()) startNext()
    },
    runningCall: (call) => active?.running.get(call),
    dispose() {
      disposed = true
      emptyQueue()
      halt(true)
      showQueue()
    },
  }
}
