import type { FilePart, Message, Part, TextPart, ToolCallPart } from '../core'

/** What one side says before the other does, in the words of every wire. @internal */
export type Turn =
  | { role: 'user'; parts: (TextPart | FilePart)[] }
  /**
   * `calls` are the calls of this side's tools among `parts`; their results come directly after the turn, in this
   * order.
   */
  | { role: 'assistant'; parts: Part[]; calls: ToolCallPart[] }

/**
 * A transcript as the turns that a wire sends: one for each model round with calls, neighbours of one role joined,
 * turns without content skipped. `sends` tells which of an assistant's parts the wire can carry beside
 * calls of this side's tools, which are always sent; text without characters never is.
 * @internal
 */
export function toTurns(messages: readonly Message[], sends: (part: Part) => boolean): Turn[] {
  const turns: Turn[] = []
  let turn: Turn | undefined
  for (const { role, parts } of messages) {
    let step: number | undefined
    for (const part of parts) {
      if (part.type === 'text' && !part.text) continue
      if (role === 'user') {
        if (part.type !== 'text' && part.type !== 'file') continue
        if (turn?.role !== 'user') turns.push((turn = { role, parts: [] }))
        turn.parts.push(part)
        continue
      }
      const isCall = part.type === 'tool-call' && !part.providerExecuted
      if (!isCall && !sends(part)) continue
      // After calls come their results, so that the next round can't join.
      if (turn?.role !== 'assistant' || (turn.calls.length && part.step !== step)) {
        turns.push((turn = { role, parts: [], calls: [] }))
      }
      turn.parts.push(part)
      if (isCall) turn.calls.push(part)
      step = part.step
    }
  }
  return turns
}
