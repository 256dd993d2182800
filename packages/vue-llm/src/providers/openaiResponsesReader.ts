import {
  responsesKey,
  type WireContent,
  type WireEvent,
  type WireItem,
  type WireResponse,
} from './openaiResponsesWire'
import { setUsage } from './setUsage'
import { createSources } from './sources'
import type { Round, StreamReader } from './types'

/** An item of the output while it comes. */
interface Item {
  /** Tells its parts from those of other items. */
  place: string
  /** The text of each of its pieces so far. */
  given: Map<string, string>
  /** The id of the part that was written last. */
  last?: string
  phase?: string | undefined
  toolCallId?: string
  isHosted?: boolean
  isDone?: boolean
}

type Kind = 'text' | 'reasoning' | 'args'

const deltas = new Map<string, Kind>([
  ['output_text', 'text'],
  ['refusal', 'text'],
  ['reasoning_text', 'reasoning'],
  ['reasoning_summary_text', 'reasoning'],
  ['function_call_arguments', 'args'],
  ['mcp_call_arguments', 'args'],
])

const ends = ['completed', 'incomplete', 'failed', 'cancelled']

/** Reads the events of the Responses API, or a whole response. @internal */
// long: closures over the items of one answer
export function createOpenAIResponsesReader(round: Round): StreamReader {
  const { emit } = round
  const sources = createSources(round)
  const items = new Set<Item>()
  /** By index, and by id where ids stay the same. */
  const known = new Map<unknown, Item>()
  let refused = false

  /** Servers repeat an index, or change the id of an item from event to event: either one tells. */
  function find({ output_index, item_id, item }: WireEvent, step?: string): Item {
    const id = item_id ?? item?.id
    const byId = id ? known.get(id) : undefined
    let found = byId ?? known.get(output_index)
    if (!found || (!byId && (step === 'added' || (step === 'done' && found.isDone)))) {
      items.add((found = { place: `${items.size}`, given: new Map() }))
    }
    known.set(output_index, found)
    if (id) known.set(id, found)
    return found
  }

  /** Writes a piece of text or arguments; of a `whole` text, what did not come in pieces. */
  function give(item: Item, kind: Kind, part: string, piece: unknown, whole?: boolean): void {
    const { toolCallId } = item
    // What can't be written yet comes again with the whole.
    if (typeof piece !== 'string' || (kind === 'args' && !toolCallId)) return
    const before = item.given.get(part) ?? ''
    const text = !whole ? piece : piece.startsWith(before) ? piece.slice(before.length) : ''
    item.given.set(part, before + text)
    if (!text) return
    if (kind === 'args') {
      if (toolCallId) emit({ type: 'tool-call-delta', toolCallId, argsText: text })
      return
    }
    // The pieces of a message are one text, those of reasoning have a heading each.
    const id = kind === 'text' ? item.place : `${item.place}.${part}`
    const { phase } = item
    const isFirst = item.last !== id
    item.last = id
    emit({
      type: `${kind}-delta`,
      text,
      id,
      ...(phase && isFirst && { providerMetadata: { [responsesKey]: { phase } } }),
    })
  }

  function startCall(item: Item, { type, id, call_id, name }: WireItem): void {
    if (item.toolCallId) return
    item.isHosted = type !== 'function_call'
    item.toolCallId = round.callId(item.isHosted ? id : call_id || id)
    emit({
      type: 'tool-call-start',
      toolCallId: item.toolCallId,
      toolName: name ? `${name}` : `${type}`.replace(/_call$/, ''),
      ...(item.isHosted && { providerExecuted: true }),
    })
  }

  function start(item: Item, wire: WireItem): void {
    item.phase = wire.phase
    if (isCall(wire) && (wire.name || wire.type !== 'function_call')) startCall(item, wire)
  }

  function finish(item: Item, wire: WireItem): void {
    if (item.isDone) return
    item.isDone = true
    item.phase ??= wire.phase
    const { type, content, summary } = wire
    if (type === 'message') content?.forEach((piece, index) => finishText(item, piece, index))
    else if (type === 'reasoning') {
      summary?.forEach(({ text }, index) => give(item, 'reasoning', `s${index}`, text, true))
      content?.forEach(({ text }, index) => give(item, 'reasoning', `c${index}`, text, true))
      const { status: _, ...metadata } = wire
      const id = item.last ?? item.place
      emit({
        type: 'reasoning-delta',
        text: '',
        id,
        providerMetadata: { [responsesKey]: metadata },
      })
    } else if (type === 'image_generation_call') {
      const { id, result: data, output_format = 'png' } = wire
      const mediaType = `image/${output_format}`
      if (data)
        emit({ type: 'file', mediaType, data, providerMetadata: { [responsesKey]: { id } } })
    } else if (isCall(wire)) {
      startCall(item, wire)
      const { code, queries, action = { code, queries }, arguments: args = action } = wire
      give(item, 'args', 'args', typeof args === 'string' ? args : JSON.stringify(args), true)
      if (item.isHosted) finishHosted(item.toolCallId ?? '', wire)
    }
  }

  function finishText(item: Item, piece: WireContent, index: number): void {
    const { text, refusal, annotations } = piece
    if (refusal) refused = true
    give(item, 'text', `c${index}`, refusal || text, true)
    annotations?.forEach((one) => sources.add(one?.url, one?.title))
  }

  function finishHosted(toolCallId: string, wire: WireItem): void {
    const { type, status, error, output, outputs = output, results = outputs } = wire
    const providerMetadata = { [responsesKey]: wire }
    emit({ type: 'tool-call-end', toolCallId, providerMetadata })
    if (type === 'mcp_approval_request') emit({ type: 'tool-approval-request', toolCallId })
    else if (error || status === 'failed') {
      const text = typeof error === 'string' ? error : JSON.stringify(error ?? status)
      emit({ type: 'tool-error', toolCallId, error: text })
    } else emit({ type: 'tool-result', toolCallId, result: results ?? null })
  }

  function readEnd(status: string, response: WireResponse): void {
    const { output, error, usage, incomplete_details: details } = response
    // What came in events is not read again: servers leave out items here, or all of them.
    if (!items.size) {
      output?.forEach((item, index) => finish(find({ output_index: index, item }, 'done'), item))
    }
    setUsage(
      round,
      usage?.input_tokens,
      usage?.output_tokens,
      usage?.input_tokens_details?.cached_tokens,
      usage?.output_tokens_details?.reasoning_tokens,
    )
    round.done = true
    if (status !== 'completed' && status !== 'incomplete') {
      return round.fail(error ?? `response ${status}`)
    }
    const reason = details?.reason
    round.rawFinishReason = reason ? `${status}:${reason}` : status
    round.finishReason =
      refused || reason === 'content_filter'
        ? 'content-filter'
        : status === 'incomplete'
          ? 'length'
          : [...items].some(isOwnCall)
            ? 'tool-calls'
            : 'stop'
  }

  return {
    event(data: WireEvent, name) {
      const [, what = '', step] = `${data.type ?? name}`.split('.')
      const { item, delta, content_index: content, summary_index: summary, response = data } = data
      const kind = deltas.get(what)
      if (step === 'delta' && kind) {
        if (what === 'refusal') refused = true
        const part = kind === 'args' ? kind : summary === undefined ? `c${content}` : `s${summary}`
        give(find(data), kind, part, delta)
      } else if (step === 'done' && kind === 'args') {
        // Where no piece came, the whole does.
        give(find(data), kind, kind, data.arguments, true)
      } else if (what === 'output_item' && item) {
        const found = find(data, step)
        if (step === 'done') finish(found, item)
        else start(found, item)
      }
      // Some servers leave it out of the item.
      if (data.annotation) sources.add(data.annotation.url, data.annotation.title)
      const end = ends.find((status) => status === what || (!step && status === response?.status))
      if (end && response) readEnd(end, response)
    },
    end(whole) {
      sources.end()
      if (!whole) return
      for (const item of items) {
        if (isOwnCall(item)) emit({ type: 'tool-call-end', toolCallId: item.toolCallId })
      }
    },
  }
}

/** Whether an item is a call, of this side's tools or of one that the server has built in. */
const isCall = ({ type }: WireItem): boolean =>
  type !== 'image_generation_call' && /_call$|^mcp_approval_request$/.test(`${type}`)

const isOwnCall = (item: Item): item is Item & { toolCallId: string } =>
  !!item.toolCallId && !item.isHosted
