import { parseJSON, type ChatRequest } from '../core'
import { openaiKey } from './openaiReasoning'
import type { Round } from './types'

/** A piece of a tool call as servers send it; any field may be absent, `null` or empty. @internal */
export interface WireCall {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
  /** What Google's servers want back with the call, such as the signature of a thought. */
  extra_content?: unknown
}

interface Call {
  index: number | undefined
  /** The server's id, `''` while there is none. */
  wireId: string
  /** The id in the transcript, `''` until the call is shown. */
  id: string
  name: string
  /** The name that was shown; a piece of it may still come after. */
  shownName: string
  args: string
  /** The last piece of `args` that was not empty. */
  piece: string
  extra?: unknown
}

/** Puts the pieces of tool calls together, whichever way a server marks what belongs together. @internal */
// long: closures over the calls of one answer
export function createOpenAICalls({ emit, callId }: Round, { tools }: ChatRequest) {
  const calls: Call[] = []
  const isTool = (name: string) => tools.some((tool) => tool.name === name)

  /**
   * Whether a piece begins a new call where its place says it goes on. Servers send one index for all calls, no index,
   * no id, or a new id with each piece: then the name tells, and that nothing can follow whole arguments.
   */
  function startsAnother(
    call: Call,
    index: number | undefined,
    id: string,
    name: string,
    piece: string,
  ): boolean {
    const named = name && call.name
    if (id && call.wireId) return id !== call.wireId && (index === undefined || !!named)
    if (!named) return false
    if (index === undefined && name !== call.name && isTool(name)) return true
    return (index === undefined || !!piece.trim()) && isWhole(call)
  }

  function show(call: Call): void {
    call.id = callId(call.wireId)
    call.shownName = call.name
    emit({ type: 'tool-call-start', toolCallId: call.id, toolName: call.name })
    giveArgs(call, call.args)
  }

  function giveArgs({ id }: Call, argsText: string): void {
    if (argsText) emit({ type: 'tool-call-delta', toolCallId: id, argsText })
  }

  return {
    /** Takes a piece; `place` is its index where a whole message gives none. */
    read(wire: WireCall, place?: number): void {
      const index = wire.index ?? place
      const id = wire.id || ''
      const name = wire.function?.name || ''
      const args = wire.function?.arguments
      const piece = typeof args === 'string' ? args : args ? JSON.stringify(args) : ''
      let call = calls.at(-1)
      if (index !== undefined && call?.index !== index) {
        call = calls.findLast((one) => one.index === index)
      }
      if (index === undefined && id) call = calls.find(({ wireId }) => wireId === id) ?? call
      if (!call || startsAnother(call, index, id, name, piece)) {
        call = { index, wireId: id, id: '', name: '', shownName: '', args: '', piece: '' }
        calls.push(call)
      }
      call.wireId ||= id
      // Names come whole, in pieces, or again with every piece of the arguments.
      if (name !== call.name) call.name += name
      call.args += piece
      call.piece = piece || call.piece
      call.extra ??= wire.extra_content
      if (call.id) giveArgs(call, piece)
      else if (call.name && (piece || isTool(call.name))) show(call)
    },

    /** Shows what was not shown yet; ends all calls if they are whole. */
    end(whole: boolean): void {
      for (const call of calls) {
        if (!call.id && (call.name || call.args)) {
          call.name ||= 'unknown'
          show(call)
        }
        const { id, name, shownName, extra } = call
        if (!whole || !id) continue
        emit({
          type: 'tool-call-end',
          toolCallId: id,
          ...(name !== shownName && { toolName: name }),
          ...(!!extra && { providerMetadata: { [openaiKey]: { extra_content: extra } } }),
        })
      }
    },
  }
}

function isWhole({ args, piece }: Call): boolean {
  // First at the end: names may come with every piece, and parsing all of it each time would be quadratic.
  return /\}\s*$/.test(piece) && parseJSON(args) !== undefined
}
