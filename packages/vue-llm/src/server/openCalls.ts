import {
  applyChunk,
  callsOf,
  closingChunk,
  isApproved,
  isOpenCall,
  lastCalls,
  type Chunk,
  type Message,
} from '../core'
import { invalid } from './refusal'

/**
 * Makes calls of server tools the server's own again: on the wire they are marked as run by the other side, here the
 * model is to read them and they count.
 * @internal
 */
export function claimOwnCalls(messages: readonly Message[], own: ReadonlySet<string>): void {
  for (const call of messages.flatMap((message) => callsOf(message))) {
    if (own.has(call.toolName)) delete call.providerExecuted
  }
}

/**
 * Closes calls of server tools that a transcript left open: only calls that the model makes now are run, or, in the
 * server's own copy (`isTrusted`), approved ones. Returns the chunks that did it, which the client has to see, too.
 * Throws a `Refusal` where a call still waits for the client, or where there is nothing to answer.
 * @internal
 */
export function settleOpenCalls(
  messages: readonly Message[],
  own: ReadonlySet<string>,
  isTrusted: boolean,
): Chunk[] {
  const last = messages.at(-1)
  if (!last) throw invalid('/messages', 'there is no message to answer')
  if (last.role === 'user') return []
  const closed: Chunk[] = []
  for (const call of callsOf(last).filter(isOpenCall)) {
    const isOwn = own.has(call.toolName) || call.providerExecuted
    if (isTrusted && isOwn && isApproved(call)) continue
    if (!isOwn || (isTrusted && call.approval?.state === 'requested')) {
      throw invalid('/messages', `tool call '${call.toolCallId}' still waits for an answer`)
    }
    const chunk = closingChunk(call.toolCallId, 'interrupted')
    // To the call alone: looking each up among all the others takes minutes where a client forges thousands.
    applyChunk({ ...last, parts: [call] }, chunk)
    closed.push(chunk)
  }
  if (!lastCalls(last).length) {
    throw invalid('/messages', 'the last message is an answer that has nothing to go on with')
  }
  return closed
}

/**
 * The last messages' rounds whose calls were all the client's: they count on the client, not here.
 * @internal
 */
export function countClientRounds(messages: readonly Message[], own: ReadonlySet<string>): number {
  let count = 0
  for (let i = messages.length - 1; messages[i]?.role === 'assistant'; i--) {
    // In one pass: a transcript may have as many rounds as its bytes allow.
    const areClients = new Map<number, boolean>()
    for (const { providerExecuted, step, toolName } of callsOf(messages[i])) {
      if (providerExecuted) continue
      areClients.set(step, (areClients.get(step) ?? true) && !own.has(toolName))
    }
    for (const isClients of areClients.values()) if (isClients) count++
  }
  return count
}

/** Whether a round waits for the client alone. @internal */
export function isClientRound(message: Message | undefined, own: ReadonlySet<string>): boolean {
  const calls = callsOf(message, (message?.steps.length ?? 0) - 1).filter(
    ({ providerExecuted }) => !providerExecuted,
  )
  return calls.some(isOpenCall) && !calls.some(({ toolName }) => own.has(toolName))
}
