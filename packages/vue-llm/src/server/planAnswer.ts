import {
  callsOf,
  defined,
  isApproved,
  type AnyTool,
  type Chunk,
  type Message,
  type PrepareStep,
  type RunChatOptions,
} from '../core'
import { validatorOf } from './lazyValidator'
import { mergeStored } from './mergeStored'
import { claimOwnCalls, countClientRounds, isClientRound, settleOpenCalls } from './openCalls'
import type { AskedRequest } from './openAnswer'
import type { LLMHandlerOptions, PreparedAnswer } from './options'
import { readBody } from './readBody'
import { readFields, type ClientFields } from './readFields'
import { readTranscript } from './readTranscript'
import { invalid } from './refusal'
import {
  createAnswerTools,
  createProgressGate,
  joinTools,
  type AnswerTools,
  type ProgressGate,
} from './serverTools'
import { createThrown, watchProvider, type Thrown } from './thrown'

/** Everything that an answer needs before its stream starts. @internal */
export interface AnswerPlan {
  id: string | undefined
  messages: Message[]
  own: ReadonlySet<string>
  thrown: Thrown
  gate: ProgressGate
  /** What was closed before the run, for the client to see. */
  closed: readonly Chunk[]
  /** Calls that a person allowed and that this answer runs. */
  approved: readonly string[]
  run: Omit<RunChatOptions, 'signal' | 'onError'>
}

/** Reads a request and decides how it is answered. Throws a `Refusal`, a `Response`, or what a callback threw. @internal */
export async function planAnswer<Context>(
  options: LLMHandlerOptions<Context>,
  request: AskedRequest,
  context: Context,
  signal: AbortSignal,
): Promise<AnswerPlan> {
  const { maxBodyBytes = 4 * 2 ** 20, maxMessages = 1000, maxArgsChars = 1e6 } = options
  const { loadMessages } = options
  const body = await readBody(request, maxBodyBytes, signal)
  const fields = readFields(body, options.allow ?? [])
  const { id, messageId } = fields
  // Taken once: what is replaced meanwhile holds from the next turn on.
  const registered = options.registry?.snapshot()
  const offered = joinTools(options.tools, registered?.tools)
  const messages = await readMessages(loadMessages, offered, fields, body, context, maxMessages)
  // With `prepare` it is a `Request`: see `OpenHandler`.
  const event = { request: request as Request, context, messages, id, body }
  const prepared = refuseResponse(await options.prepare?.(event)) ?? {}
  const thrown = createThrown()
  const gate = createProgressGate()
  const tools = createAnswerTools(
    prepared.tools ?? offered,
    fields.tools,
    { isStored: !!loadMessages, validator: validatorOf(options.validator), maxArgsChars },
    thrown,
    gate,
  )
  const { own } = tools
  claimOwnCalls(messages, own)
  const closed = settleOpenCalls(messages, own, !!loadMessages)
  const approved = callsOf(messages.at(-1)).filter(isApproved)
  if (messages.at(-1)?.role === 'user' && messages.some((each) => each.id === messageId)) {
    throw invalid('/messageId', `'${messageId}' is the id of another message`)
  }
  return {
    id,
    messages,
    own,
    thrown,
    gate,
    closed,
    approved: approved.map(({ toolCallId }) => toolCallId),
    run: {
      ...createRun(options, prepared, fields),
      messages,
      context,
      provider: watchProvider(prepared.provider ?? options.provider, thrown),
      tools: tools.list,
      validator: tools.validator,
      prepareStep: options.prepareStep && watchSteps(options.prepareStep, tools, thrown),
      // The client asked, though the last round may be one after which nothing goes on by itself.
      goOn: !approved.length,
      limits: createLimits(
        messages,
        own,
        fields.maxToolRoundtrips ?? options.maxToolRoundtrips ?? registered?.maxIterations,
      ),
    },
  }
}

/** What a run holds of what server and client said. */
function createRun<Context>(
  options: LLMHandlerOptions<Context>,
  prepared: PreparedAnswer,
  fields: ClientFields,
): Pick<RunChatOptions, 'request' | 'generateId' | 'interrupted'> {
  const { messageId } = fields
  return {
    request: {
      model: prepared.model ?? fields.model ?? options.model,
      ...defined({
        chatId: fields.id,
        system: prepared.system ?? fields.system ?? options.system,
        toolChoice: fields.toolChoice,
        settings: { ...options.settings, ...fields.settings, ...prepared.settings },
      }),
    },
    generateId: messageId === undefined ? undefined : () => messageId,
    // Of a client that went away nobody knows whether it comes back: what waits for a person still waits.
    interrupted: true,
  }
}

async function readMessages<Context>(
  loadMessages: LLMHandlerOptions<Context>['loadMessages'],
  tools: readonly AnyTool[],
  { id }: ClientFields,
  body: Record<string, unknown>,
  context: Context,
  maxMessages: number,
): Promise<Message[]> {
  const client = readTranscript(body.messages, maxMessages)
  if (!loadMessages) return client
  if (id === undefined) throw invalid('/id', 'expected the id of the chat')
  const stored = refuseResponse(await loadMessages(id, context))
  return mergeStored(stored, client, (toolName) =>
    tools.some(({ name, execute }) => execute && name === toolName),
  )
}

/** A callback that returns a refusal instead of throwing it must not let the request pass. */
function refuseResponse<T>(value: T): T {
  if (value instanceof Response) throw value
  return value
}

/** The rounds that may run in this request; rounds that are the client's alone do not count. */
function createLimits(
  messages: readonly Message[],
  own: ReadonlySet<string>,
  maxToolRoundtrips = 4,
): { maxToolRoundtrips: number } {
  const before = countClientRounds(messages, own)
  return {
    // Read when it is needed: of the rounds made here only one that pauses for the client is the client's. Rounds
    // whose calls this side closed by itself go on by themselves, and must come to an end.
    get maxToolRoundtrips() {
      return maxToolRoundtrips + before + (isClientRound(messages.at(-1), own) ? 1 : 0)
    },
  }
}

function watchSteps(prepareStep: PrepareStep, { watch }: AnswerTools, thrown: Thrown): PrepareStep {
  return thrown.watch('handler', async (step) => {
    const prepared = await prepareStep(step)
    return prepared?.tools ? { ...prepared, tools: watch(prepared.tools) } : prepared
  })
}
