import type { ChatRequest, Chunk, Message, ToolCallPart } from '../../core'

/** What a provider needs to play a round. */
export interface RoundOptions {
  /** Number of the request in the session: the text and the calls carry it. */
  index: number
  request: ChatRequest
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Called before each chunk. */
  onPull(): void
  /** Called with the id of each call that must not run before a person allowed it. */
  onConfirm(toolCallId: string): void
}

/** The tools of which each call needs a person's word. */
const confirming = ['sure', 'sureAsk']

/** What a text says that came after the abort: no message may hold it. */
export const lateText = 'LATE'

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner)
    Object.freeze(value)
  }
  return value
}

/** The calls of a transcript, as the tests see them: without the help of what they check. */
export function allCalls(messages: readonly Message[]): ToolCallPart[] {
  return messages
    .flatMap(({ parts }) => parts)
    .filter((part): part is ToolCallPart => part.type === 'tool-call')
}

/** Ids of calls that other messages than the answer hold, which a provider must not use again. */
function takenIds({ messages, messageId }: ChatRequest): Set<string> {
  return new Set(
    messages
      .filter(({ id }) => id !== messageId)
      .flatMap(({ parts }) => parts)
      .map((part) => (part.type === 'tool-call' ? part.toolCallId : '')),
  )
}

/** The chunks of one item of a plan. */
function chunksOf(item: string, id: string, tag: string): Chunk[] {
  const [what = '', name = ''] = item.split(' ')
  const begin: Chunk = { type: 'tool-call-start', toolCallId: id, toolName: name }
  const delta: Chunk = { type: 'tool-call-delta', toolCallId: id, argsText: '{"x":' }
  const rest: Chunk = { type: 'tool-call-delta', toolCallId: id, argsText: '1}' }
  const end: Chunk = { type: 'tool-call-end', toolCallId: id }
  const whole: Chunk = { type: 'tool-call-end', toolCallId: id, toolName: name, args: { x: 1 } }
  switch (what) {
    case 'text':
      return [
        { type: 'text-delta', text: tag },
        { type: 'text-delta', text: tag },
      ]
    case 'think':
      return [{ type: 'reasoning-delta', text: tag }]
    case 'call':
    case 'same':
      return [whole]
    case 'streamed':
      return [begin, delta, rest, end]
    case 'start':
      return [begin, delta]
    case 'cancel':
      return [begin, delta, { type: 'tool-call-cancel', toolCallId: id }]
    case 'confirm':
      return [whole, { type: 'tool-approval-request', toolCallId: id }]
    case 'server':
      return serverCall(name, id)
    case 'begin':
      return [{ type: 'message-start', runId: id, metadata: { from: tag } }]
    case 'metadata':
      return [{ type: 'metadata', metadata: { note: { from: tag } } }]
    case 'data':
      return [{ type: 'data', name: 'row', data: { from: tag } }]
    case 'end':
      return [{ type: 'step-end', finishReason: name as 'stop' }]
    case 'error':
      return [{ type: 'error', code: 'provider', message: 'error inside the stream' }]
    case 'retry':
      return [
        { type: 'text-delta', text: tag },
        { type: 'step-end', finishReason: 'stop' },
        { type: 'step-reset' },
      ]
    default:
      throw new Error(`a round can't do '${item}'`)
  }
}

/** A call of a tool that the provider's side runs. */
function serverCall(name: string, id: string): Chunk[] {
  const call: Chunk = {
    type: 'tool-call-end',
    toolCallId: id,
    toolName: 'server',
    args: {},
    providerExecuted: true,
  }
  if (name === 'ok') return [call, { type: 'tool-result', toolCallId: id, result: { rows: [1] } }]
  if (name === 'ask') return [call, { type: 'tool-approval-request', toolCallId: id }]
  return name === 'runs' ? [call, { type: 'tool-start', toolCallId: id }] : [call]
}

/** Plays the items of one round. Ends at the abort, unless one of the items is `deaf`. */
export async function* playRound(items: readonly string[], options: RoundOptions) {
  const { index, request, wait, onPull, onConfirm } = options
  const { signal } = request
  const taken = takenIds(request)
  const deaf = items.includes('deaf')
  const tag = `<${index}>`
  let count = 0
  // What `same` repeats: a call of an earlier round, where there is one.
  let last = allCalls(request.messages).at(-1)?.toolCallId ?? `c${index}_0`
  let isOpen = true
  let hasFailed = false
  for (const item of items) {
    const [what, name = ''] = item.split(' ')
    if (what === 'deaf') continue
    if (what === 'throw') throw new TypeError('fetch failed')
    if (what === 'hang') await new Promise<void>((resolve) => onAbort(signal, deaf, resolve))
    if (what === 'wait') await wait(Number(name), deaf ? undefined : signal)
    // A round is closed once; what a provider does wrong itself is no fault of the chat.
    if (what === 'hang' || what === 'wait' || (what === 'end' && !isOpen)) continue
    const isSilent = what === 'begin' || what === 'metadata' || (what === 'error' && hasFailed)
    if (!isSilent) isOpen = what !== 'end'
    hasFailed ||= what === 'error' || item === 'end error' || item === 'end truncated'
    let id = what === 'same' ? last : `c${index}_${++count}`
    if (taken.has(id)) id = `c${index}_again${++count}`
    const asks = confirming.includes(name) && request.tools.some((tool) => tool.name === name)
    const isWhole = what === 'call' || what === 'streamed'
    if ((asks && isWhole) || what === 'confirm') onConfirm(id)
    last = id
    for (const chunk of chunksOf(item, id, signal.aborted ? lateText : tag)) {
      onPull()
      if (signal.aborted && !deaf) throw signal.reason
      yield freeze(chunk)
    }
  }
}

function onAbort(signal: AbortSignal, deaf: boolean, resolve: () => void): void {
  if (!deaf) signal.addEventListener('abort', () => resolve())
}
