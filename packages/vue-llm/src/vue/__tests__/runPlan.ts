import { toRaw } from 'vue'
import { fromJSON, toJSON } from '../../core'
import type { ChatRequest, Message, Provider, ToolCallPart } from '../../core'
import { useChat } from '../useChat'
import { isClosed, requestProblems, restProblems } from './chatChecks'
import type { Plan } from './chatPlan'
import { createToolSets } from './chatTools'
import { createWorld, type World, type WrapProvider } from './chatWorld'
import { allCalls } from './scriptedRound'
import { installVirtualTime, type VirtualTime } from './virtualTime'

const frames = { 0: undefined, 7: undefined, frame: 16, hidden: -1 }

/**
 * Plays a session to its end and tells what was wrong.
 *
 * @param wrap puts something around each provider, such as the wire of a vendor
 */
export async function runPlan(
  plan: Plan,
  nextTask: () => Promise<void>,
  wrap?: WrapProvider,
): Promise<{ problems: string[]; log: string[] }> {
  const time = installVirtualTime(nextTask, frames[plan.setup.throttle])
  try {
    const world = createWorld(plan, time, wrap)
    const { act, problems, log } = world
    time.after(0, () => act('send'))
    for (const { at, hops, act: action } of plan.events) {
      time.after(at, () => void afterHops(hops, () => act(action)))
    }
    await time.drain()
    for (let i = 0; i < 4 && isActive(world); i++) {
      // What hangs is stopped, as a person would.
      act('stop')
      await time.drain()
    }
    checkRest(world)
    await checkRestored(world, time)
    await checkDispose(world, time)
    world.mixing()
    world.end()
    return { problems, log }
  } finally {
    time.restore()
  }
}

async function afterHops(hops: number, run: () => void): Promise<void> {
  for (let i = 0; i < hops; i++) await undefined
  run()
}

const isActive = ({ chat }: World): boolean =>
  chat.status.value === 'submitted' || chat.status.value === 'streaming'

const isWaiting = (call: ToolCallPart): boolean =>
  !isClosed(call) && (!call.providerExecuted || call.approval?.state === 'requested')

function checkRest(world: World): void {
  const { chat, report, state, sends, requests } = world
  const messages = toRaw(world.messages.value)
  const status = chat.status.value
  world.observe(false)
  restProblems(messages).forEach(report)
  if (status !== 'ready' && status !== 'error') report(`at rest the status is ${status}`)
  if ((status === 'error') !== (chat.error.value !== undefined)) {
    report(`at rest the status is ${status}, the error ${String(chat.error.value)}`)
  }
  if (requests.some(({ done, request }) => !done && !request.signal.aborted)) {
    report('at rest a stream is still read')
  }
  if (state.failed) report('an error without a step-end')
  checkLast(world, messages)
  const removes = world.plan.rounds.flat().some((item) => /retry|cancel/.test(item))
  for (const { id, role, parts, steps } of messages) {
    const failed = steps.every(({ finishReason }) => /error|truncated/.test(finishReason))
    if (role === 'assistant' && !parts.length && failed && !removes) {
      report(`a failed request left the empty message ${id}`)
    }
  }
  const queued = chat.queued.value.map(({ content }) => content)
  if (new Set(queued).size !== queued.length) report('a message is queued twice')
  const written = new Set([...world.lists].flatMap((list) => textsOf(list)))
  for (const { text, settled, dropped } of sends) {
    const isQueued = queued.includes(text)
    if (!settled && !isQueued) report(`sendMessage ${text} neither settled nor queued`)
    if (settled && isQueued) report(`sendMessage ${text} settled and queued`)
    if (!isQueued && !dropped && !written.has(text)) report(`the message ${text} was lost`)
  }
  const held = state.held || state.disposed || state.relaxed || world.next() === 'wait'
  if (queued.length && !held) report(`messages wait for nothing: ${queued.join(', ')}`)
}

function textsOf(list: readonly Message[]): string[] {
  return list.flatMap(({ parts }) => parts).map((part) => (part.type === 'text' ? part.text : ''))
}

/** What must be true of the last message at rest, by how the last run ended. */
function checkLast(world: World, messages: readonly Message[]): void {
  const { report, state, tools } = world
  const last = messages.at(-1)
  const calls = allCalls(last ? [last] : [])
  const pending = calls.filter(({ state: now }) => now === 'pending')
  // What is answered after dispose is recorded only.
  const byItself = pending.filter(
    (call) =>
      !(call.approval && (call.approval.state === 'requested' || state.disposed)) &&
      !call.providerExecuted &&
      call.toolCallId.startsWith('c') &&
      (call.approval || tools.value.some((tool) => tool.name === call.toolName && tool.execute)),
  )
  if (state.ending !== 'reset' && !world.log.some((line) => line.includes('tools '))) {
    byItself.forEach(({ toolCallId }) => report(`${toolCallId} could run, but is pending`))
  }
  if (state.ending === 'self' && !state.disposed && !state.relaxed && world.next() === 'request') {
    report('at rest the model could be asked')
  }
  if (state.ending === 'error' && calls.some((call) => !isClosed(call))) {
    report('an open call after an error')
  }
  if (state.ending === 'abort' && !state.disposed && calls.some((call) => !isClosed(call))) {
    report('an open call after an abort')
  }
}

/** A stored chat goes on after the answers to its calls. */
async function checkRestored(world: World, time: VirtualTime): Promise<void> {
  const { report } = world
  const text = JSON.stringify(toJSON(world.messages.value))
  const initialMessages = fromJSON(text)
  if (JSON.stringify(toJSON(initialMessages)) !== text) report('a stored chat has changed')
  const requests: ChatRequest[] = []
  const provider: Provider = {
    name: 'restored',
    ...(world.plan.setup.remote && { remote: true }),
    async *stream(request) {
      requests.push(request)
      requestProblems(request).forEach(report)
      yield { type: 'text-delta', text: 'good' }
      yield { type: 'step-end', finishReason: 'stop' }
    },
  }
  const names = world.tools.value.map(({ name }) => name)
  const [all = []] = createToolSets({
    wait: (ms) => new Promise((resolve) => time.after(ms, resolve)),
    onRun: () => {},
    onNeedsApproval: () => {},
  })
  const tools = all.filter(({ name }) => names.includes(name))
  const chat = useChat({ provider, model: 'm', initialMessages, tools, throttleMs: 0 })
  const last = initialMessages.at(-1)
  const waiting = allCalls(last ? [last] : []).filter(isWaiting)
  const shown = chat.pendingToolCalls.value.map(({ toolCallId }) => toolCallId)
  const asking = waiting.filter(({ approval }) => approval?.state !== 'approved')
  if (shown.join() !== asking.map(({ toolCallId }) => toolCallId).join()) {
    report(`stored calls wait, but are not pending: ${shown.join()}`)
  }
  for (const { toolCallId, approval } of asking) {
    const approved = approval?.state === 'requested'
    if (!approved) await chat.addToolResult({ toolCallId, result: 'late' })
    else await chat.answerApproval({ toolCallId, approved })
    await time.drain()
  }
  // What was allowed and never ran is gone on with.
  if (!asking.length && waiting.length) await Promise.all([chat.sendMessage(), time.drain()])
  // A call without its tool any more waits for a person after it was allowed.
  for (const { toolCallId } of chat.pendingToolCalls.value) {
    await chat.addToolResult({ toolCallId, result: 'late' })
    await time.drain()
  }
  if (!waiting.length) return
  const ofLastRound = (call: ToolCallPart) => call.step === (last?.steps.length ?? 0) - 1
  const isOver = allCalls(last ? [last] : []).some(
    (call) => ofLastRound(call) && (call.errorCode === 'limit' || call.errorCode === 'stopped'),
  )
  const isOwn = (call: ToolCallPart) => !call.providerExecuted || call.approval !== undefined
  const calls = allCalls(last ? [last] : []).filter(isOwn)
  const asked = calls.some(ofLastRound) && !isOver
  if (requests.length !== (asked ? 1 : 0)) report(`restored: ${requests.length} requests`)
  if (chat.status.value !== 'ready') report(`restored: ${chat.status.value}`)
  restProblems(toRaw(chat.messages.value) as Message[]).forEach(report)
}

/** After dispose nothing is requested, whatever is asked for, and every promise settles. */
async function checkDispose(world: World, time: VirtualTime): Promise<void> {
  const { act, chat, report, requests, sends } = world
  act('dispose')
  const before = requests.length
  for (const action of ['answer 0', 'approve 0', 'go on', 'send', 'regenerate', 'stop']) act(action)
  await time.drain()
  if (requests.length !== before) report('requests after dispose')
  if (chat.queued.value.length) report('a queue after dispose')
  if (sends.some(({ settled }) => !settled)) report('a promise that never settles after dispose')
}
