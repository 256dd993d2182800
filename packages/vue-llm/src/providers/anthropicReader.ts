import type { FinishReason } from '../core'
import type { WireBlock, WireDelta, WireEvent, WireMessage, WireUsage } from './anthropicWire'
import { setUsage } from './setUsage'
import { createSources } from './sources'
import type { Round, StreamReader } from './types'

/** A call whose result is not there yet. */
interface Call {
  id: string
  /** Given at once instead of in pieces. */
  input: unknown
}

/** A block that may still grow. */
interface Block {
  /** Of reasoning. */
  id: string
  call: Call | undefined
}

const reasons = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

/** The block of a part, without what the part itself holds, goes back to this wire. */
const metadata = (anthropic: object) => ({ providerMetadata: { anthropic } })

/** Reads Messages, streamed or whole. @internal */
// long: closures over the state of one answer
export function createAnthropicReader(round: Round): StreamReader {
  const { emit } = round
  const blocks = new Map<unknown, Block>()
  /** By the server's id. */
  const calls = new Map<unknown, Call>()
  const sources = createSources(round)
  const usage: WireUsage = {}
  let started = false
  let count = 0

  function startBlock(index: unknown, wire: WireBlock): Block {
    const { type, id, name, input, content, tool_use_id, data, citations, ...rest } = wire
    let call: Call | undefined
    if (`${type}`.endsWith('_use')) {
      const isServer = type !== 'tool_use'
      call = { id: round.callId(id), input }
      calls.set(id, call)
      emit({
        type: 'tool-call-start',
        toolCallId: call.id,
        toolName: `${name}`,
        ...(isServer
          ? { providerExecuted: true, ...metadata({ type, id, name, ...rest }) }
          : Object.keys(rest).length && metadata(rest)),
      })
    } else if (tool_use_id) {
      // A turn that was paused goes on with the result of a call that is in the transcript.
      emit({
        type: 'tool-result',
        toolCallId: calls.get(tool_use_id)?.id ?? `${tool_use_id}`,
        result: content,
        // By itself, since it is merged to what the call has.
        providerMetadata: { anthropicResult: { type, tool_use_id, ...rest } },
      })
      calls.delete(tool_use_id)
    }
    const block = { id: `${count++}`, call }
    blocks.set(index, block)
    readDelta(block, rest, data && { type, data })
    citations?.forEach((citation) => readDelta(block, { citation }))
    return block
  }

  function giveArgs(call: Call, argsText: string): void {
    // What was given at once counts where no piece comes.
    call.input = undefined
    emit({ type: 'tool-call-delta', toolCallId: call.id, argsText })
  }

  function giveInput(call: Call): void {
    const text = JSON.stringify(call.input ?? {})
    if (text !== '{}') giveArgs(call, text)
  }

  function readDelta({ id, call }: Block, delta: WireDelta, block?: unknown): void {
    const { text, thinking, signature, partial_json, citation } = delta
    if (signature) block = { type: 'thinking', signature }
    if (text) emit({ type: 'text-delta', text: `${text}` })
    if (thinking || block) {
      const thought = `${thinking || ''}`
      emit({ type: 'reasoning-delta', text: thought, id, ...(block ? metadata(block) : {}) })
    }
    if (call && partial_json) giveArgs(call, `${partial_json}`)
    if (citation) sources.add(citation.url ?? citation.source, citation.title)
  }

  function endBlock({ call }: Block): void {
    if (call) giveInput(call)
  }

  /** Reads what a message holds as it starts, what is known at its end, or both. */
  function readMessage({ content, usage: next, stop_reason, stop_details }: WireMessage): void {
    content?.forEach((block) => endBlock(startBlock(undefined, block)))
    if (next) {
      // Counts are of the whole message; what does not apply is left out or `null`.
      for (const key of Object.keys(next) as (keyof WireUsage)[]) {
        Object.assign(usage, { [key]: next[key] ?? usage[key] })
      }
      const cached = usage.cache_read_input_tokens ?? 0
      setUsage(
        round,
        // Here what comes from a cache, or goes into it, is counted beside the input.
        (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + cached,
        usage.output_tokens ?? 0,
        cached,
        usage.output_tokens_details?.thinking_tokens,
      )
    }
    if (!stop_reason) return
    round.rawFinishReason = `${stop_reason}`
    round.finishReason = reasons.get(stop_reason) ?? 'other'
    const why = stop_details?.explanation
    if (why) emit({ type: 'text-delta', text: `${why}`, id: 'refusal' })
  }

  return {
    event(data: WireEvent) {
      const { type, index, message, content_block, delta } = data
      const block = blocks.get(index)
      if (type === 'message_start') {
        // A gateway began the answer again: what came so far can't be taken back, nor be gone on with.
        if (started) round.fail('the answer began again (a second message_start): ask again')
        else if (message) readMessage(message)
        started = true
      } else if (type === 'content_block_start' && content_block) startBlock(index, content_block)
      else if (type === 'content_block_stop' && block) endBlock(block)
      else if (type === 'content_block_delta' && delta) {
        readDelta(block ?? startBlock(index, {}), delta)
      } else if (type === 'message' || type === 'message_delta') readMessage({ ...data, ...delta })
      if (type === 'message' || type === 'message_stop') round.done = true
    },
    end(whole) {
      for (const call of whole ? calls.values() : []) {
        giveInput(call)
        emit({ type: 'tool-call-end', toolCallId: call.id })
      }
      sources.end()
    },
  }
}
