import {
  computed,
  getCurrentScope,
  isRef,
  onScopeDispose,
  ref,
  shallowRef,
  toRaw,
  toRef,
  toValue,
  watch,
  type ComputedRef,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue'
import {
  createId,
  isDelta,
  lastAnswer,
  sumUsage,
  type AnyTool,
  type ChatSettings,
  type Chunk,
  type LLMError,
  type Message,
  type MessageInput,
  type MessageOf,
  type OnToolCall,
  type PrepareStep,
  type Provider,
  type ToolCallPartOf,
  type ToolChoice,
  type ToolValidator,
  type Usage,
} from '../core'
import { createAnswers, pendingCalls, type ApprovalAnswer, type ToolAnswer } from './answers'
import { createFrameWriter } from './frameWriter'
import { keepOnReload } from './hmr'
import { copyMessages, sealPayloads, toPlain } from './payload'
import { notify } from './notify'
import { limitsOf, runOptions } from './runOptions'
import { untracked } from './untracked'
import { createTurns, type ChatStatus, type UserMessage } from './turns'

/** Options of {@link useChat}. Data may be refs or getters, read anew at each request. */
export interface UseChatOptions<TTools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** Who answers: `createOpenAIProvider(…)` or any other. */
  provider: MaybeRefOrGetter<Provider>
  /** The model's name as the provider knows it; not needed where a server of your own chooses it. */
  model?: MaybeRefOrGetter<string | undefined>
  /** Id of the chat; a change shows `initialMessages` (a getter may depend on the id). @default made at the first send */
  id?: MaybeRefOrGetter<string | undefined>
  /** What is shown first; copied, never changed. @default [] */
  initialMessages?: MaybeRefOrGetter<readonly MessageInput[] | undefined>
  /** The system prompt. */
  system?: MaybeRefOrGetter<string | undefined>
  settings?: MaybeRefOrGetter<ChatSettings | undefined>
  /** Headers of each request, beside the provider's own. */
  headers?: MaybeRefOrGetter<Record<string, string> | undefined>
  /** Fields merged into the body of each request. */
  body?: MaybeRefOrGetter<Record<string, unknown> | undefined>
  tools?: MaybeRefOrGetter<TTools | undefined>
  /** Whether and which tool the model must call. @default the provider's own: `auto` */
  toolChoice?: MaybeRefOrGetter<ToolChoice | undefined>
  /** Handles calls of tools without `execute`; `undefined` leaves the call to a person. */
  onToolCall?: OnToolCall
  /** How many rounds with calls may run for one user message. @default 5 */
  maxToolRoundtrips?: MaybeRefOrGetter<number | undefined>
  /** Whether the chat goes on by itself once a person has answered every call. @default true */
  autoSendToolResults?: MaybeRefOrGetter<boolean | undefined>
  /** May change model, tools, tool choice and settings of each request. */
  prepareStep?: PrepareStep
  /** Checks arguments before a call runs, such as `ajvValidator()`. */
  validator?: ToolValidator
  /** Milliseconds between two updates while text streams; `0` shows every chunk at once. @default one frame */
  throttleMs?: MaybeRefOrGetter<number | undefined>
  /** Makes ids of messages. @default random */
  generateId?: () => string
  /** Called when an answer has ended or paused. */
  onFinish?: (event: FinishEvent<TTools>) => void
  onError?: (error: LLMError) => void
  /** Called for every chunk, deltas joined as they were read. */
  onChunk?: (chunk: Chunk) => void
}

/** What `onFinish` gets. */
export interface FinishEvent<TTools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** The answer; absent where a request failed before anything came. */
  message: MessageOf<TTools> | undefined
  messages: MessageOf<TTools>[]
  /** Why the last model round ended. */
  finishReason: string | undefined
  /** Tokens of all rounds of the answer. */
  usage: Usage
  isAbort: boolean
  isError: boolean
}

/** What {@link useChat} returns: flat, for destructuring; `reactive(useChat(…))` works as well. */
export interface UseChatReturn<TTools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** The transcript, written in place. Not to be watched deeply: see `onChunk` and `onFinish`. */
  messages: Ref<MessageOf<TTools>[]>
  status: Readonly<Ref<ChatStatus>>
  error: Readonly<Ref<LLMError | undefined>>
  /** Text of the input field, for `v-model`. */
  input: Ref<string>
  /** Sends `input` and empties it; prevents the form's own submit. */
  handleSubmit: (event?: { preventDefault?: () => void }) => Promise<void>
  /**
   * Sends a message, or without one goes on where the transcript stands (after an error, a stop, or recorded answers).
   * Resolves when the answer ends or pauses, and never rejects: errors are in `error`. While an answer runs it waits
   * its turn.
   */
  sendMessage: (content?: string | UserMessage) => Promise<void>
  /** Drops the last answer and asks anew. */
  regenerate: () => Promise<void>
  /** Ends the answer at once; what came so far stays. */
  stop: () => void
  /**
   * Answers a call. Resolves once it is recorded: `true`, or `false` where the call already has an outcome.
   *
   * @throws {@link LLMError} `misuse` for an unknown call or one whose arguments still stream
   */
  addToolResult: (answer: ToolAnswer) => Promise<boolean>
  /** Allows or declines a call that needs approval; resolves and rejects as `addToolResult`. */
  answerApproval: (answer: ApprovalAnswer) => Promise<boolean>
  /** The calls that wait for a person, in order. */
  pendingToolCalls: ComputedRef<(ToolCallPartOf<TTools> & { state: 'pending' })[]>
  /** Messages that wait for their turn, oldest first. */
  queued: Readonly<Ref<readonly UserMessage[]>>
  /** Shows other messages; ends a running answer. */
  setMessages: (messages: readonly MessageInput[]) => void
  /** Empties the chat; ends a running answer. */
  clear: () => void
  clearError: () => void
  /** The tools in use, as the option gives them. */
  tools: Readonly<Ref<readonly AnyTool[]>>
  /** Tokens of the whole chat. */
  usage: ComputedRef<Usage>
  /** Id of the chat; without the option it is made at the first send. */
  id: ComputedRef<string | undefined>
}

/**
 * A chat with a model that may call tools: reactive messages made of parts, one answer at a time.
 *
 * Ends with the scope it is used in (a component's unmount aborts a running answer); works without a scope as well.
 */
// long: refs, the parts of the chat and one flat return, in one reading order
export function useChat<const TTools extends readonly AnyTool[] = readonly AnyTool[]>(
  options: UseChatOptions<TTools>,
): UseChatReturn<TTools> {
  const initial = () => copyMessages(toValue(options.initialMessages) ?? [])
  const kept = keepOnReload(toValue(options.id), () => {
    turns.dispose()
    return { id: id.value, messages: toRaw(messages.value) }
  })
  const messages = ref(kept ?? initial()) as Ref<Message[]>
  const status = ref<ChatStatus>('ready')
  const error = shallowRef<LLMError>()
  const input = ref('')
  const generatedId = ref<string>()
  const id = computed(() => toValue(options.id) ?? generatedId.value)
  const writer = createFrameWriter(() => toValue(options.throttleMs))
  const apply = (message: Message, chunk: Chunk) => {
    const isText = isDelta(chunk) && !('providerMetadata' in chunk)
    writer.write(message, isText ? chunk : sealPayloads({ ...chunk }))
  }
  const turns = createTurns({
    messages,
    status,
    error,
    apply,
    giveWay: writer.giveWay,
    limits: () => limitsOf(options as UseChatOptions),
    generateId: options.generateId ?? (() => createId('msg_')),
    onChunk: (chunk) => notify(options.onChunk, chunk),
    onEnd({ messages: list, error: failure, isAbort }) {
      const message = lastAnswer(list)
      if (failure) notify(options.onError, failure)
      notify(options.onFinish as ((event: FinishEvent) => void) | undefined, {
        message,
        messages: list,
        finishReason: message?.steps.at(-1)?.finishReason,
        usage: sumUsage(message?.steps ?? []),
        isAbort,
        isError: failure !== undefined,
      })
    },
    runOptions: () =>
      runOptions(
        options as UseChatOptions,
        () => id.value ?? (generatedId.value = createId('chat_')),
      ),
  })
  const answers = createAnswers(messages, apply, turns)
  const reset = untracked(turns.reset)
  const show = (list: readonly MessageInput[]) => reset(copyMessages(list))

  if (isRef(options.id) || typeof options.id === 'function') {
    watch(
      () => toValue(options.id),
      () => turns.reset(initial()),
      { flush: 'sync' },
    )
  }
  if (getCurrentScope()) onScopeDispose(turns.dispose)

  const sendMessage = untracked(async (content?: string | UserMessage): Promise<void> => {
    const message = typeof content === 'string' ? { content } : content
    // An event, where this is its handler, is no message.
    if (!message || !(message.parts || message.content !== undefined)) return turns.goOn()
    if (content !== '') await turns.send(toPlain(message))
  })
  const chat: UseChatReturn = {
    // Assigned messages are a caller's as well.
    messages: computed({ get: () => messages.value, set: show }),
    status,
    error,
    input,
    async handleSubmit(event) {
      event?.preventDefault?.()
      const text = input.value
      if (!text.trim()) return
      input.value = ''
      await sendMessage(text)
    },
    sendMessage,
    regenerate: untracked(turns.regenerate),
    stop: untracked(turns.stop),
    addToolResult: untracked(answers.addToolResult),
    answerApproval: untracked(answers.answerApproval),
    pendingToolCalls: computed(() => {
      // While an answer runs, calls of tools with `execute` are about to start; at rest nothing starts by itself.
      const isAtRest = status.value === 'ready' || status.value === 'error'
      return pendingCalls(messages.value, (!isAtRest && toValue(options.tools)) || [])
    }),
    queued: turns.queued,
    setMessages: show,
    clear: () => show([]),
    clearError: turns.clearError,
    tools: toRef(() => toValue(options.tools) ?? []),
    usage: computed(() => sumUsage(messages.value.flatMap(({ steps }) => steps))),
    id,
  }
  return chat as unknown as UseChatReturn<TTools>
}
