import { closingText, findCall, isOpenCall } from './calls'
import {
  addCall,
  addPart,
  closeCall,
  closeText,
  endArgs,
  fail,
  growArgs,
  mergeMetadata,
  openCall,
  writeText,
} from './partWriters'
import { seal } from './seal'
import type { Chunk, ChunkFields, ChunkType, Message } from './types'

/** After these reasons nothing of the message runs any more. */
const cutReasons = new Set(['length', 'error', 'truncated', 'stopped'])

type Handlers = { [T in ChunkType]: (message: Message, chunk: ChunkFields[T]) => void }

const handlers: Handlers = {
  'message-start'(message, { runId, createdAt, metadata }) {
    const first = !message.parts.length && message.metadata?.runId === undefined
    if (createdAt !== undefined && first) message.createdAt = createdAt
    if (runId !== undefined) metadata = { ...metadata, runId }
    if (metadata) message.metadata = Object.freeze({ ...message.metadata, ...metadata })
  },
  'text-delta': (message, chunk) => writeText(message, 'text', chunk),
  'reasoning-delta': (message, chunk) => writeText(message, 'reasoning', chunk),
  'tool-call-start'(message, chunk) {
    if (!findCall(message, chunk.toolCallId)) addCall(message, chunk)
  },
  'tool-call-delta'(message, chunk) {
    const call = findCall(message, chunk.toolCallId)
    if (call?.state !== 'streaming') return
    growArgs(call, chunk.argsText)
    mergeMetadata(call, chunk)
  },
  'tool-call-end'(message, chunk) {
    const { toolCallId, toolName } = chunk
    if (toolName !== undefined && !findCall(message, toolCallId)) {
      addCall(message, { ...chunk, toolName })
    }
    const call = findCall(message, toolCallId)
    if (call?.state !== 'streaming') return
    if (toolName !== undefined) call.toolName = toolName
    if (chunk.providerExecuted) call.providerExecuted = true
    mergeMetadata(call, chunk)
    const error = endArgs(call, chunk.args)
    if (error) fail(call, 'invalid-args', error)
    else call.state = 'pending'
  },
  'tool-call-cancel'(message, { toolCallId }) {
    const call = openCall(message, toolCallId)
    if (call) message.parts.splice(message.parts.indexOf(call), 1)
  },
  'tool-approval-request'(message, { toolCallId }) {
    const call = openCall(message, toolCallId)
    if (call?.state === 'pending') call.approval = { state: 'requested' }
  },
  'tool-approval-response'(message, { toolCallId, approved, reason, args }) {
    const call = openCall(message, toolCallId)
    if (call?.state !== 'pending' || call.approval?.state !== 'requested') return
    const given = reason === undefined ? {} : { reason }
    call.approval = Object.freeze({ state: approved ? 'approved' : 'declined', ...given })
    if (approved && args) {
      call.args = seal(args)
      call.argsText = JSON.stringify(args)
    } else if (!approved) {
      const error = reason || closingText.declined
      closeCall(call, { error, errorCode: 'declined' }, 'person')
    }
  },
  'tool-start'(message, { toolCallId }) {
    const call = openCall(message, toolCallId)
    if (call?.state === 'pending') call.state = 'running'
  },
  'tool-wait'(message, { toolCallId }) {
    const call = openCall(message, toolCallId)
    if (call?.state !== 'running' && call?.state !== 'pending') return
    delete call.approval
    delete call.progress
    call.state = 'pending'
  },
  'tool-progress'(message, { toolCallId, progress }) {
    const call = openCall(message, toolCallId)
    if (call?.state === 'running') call.progress = seal(progress)
  },
  'tool-result'(message, chunk) {
    const call = openCall(message, chunk.toolCallId)
    if (!call) return
    // Arguments that can't be parsed stay as read: the result counts.
    if (call.state === 'streaming') endArgs(call)
    mergeMetadata(call, chunk)
    closeCall(call, { result: seal(chunk.result) ?? null }, chunk.answeredBy)
  },
  'tool-error'(message, chunk) {
    const call = openCall(message, chunk.toolCallId)
    if (!call) return
    mergeMetadata(call, chunk)
    const { error, errorCode, answeredBy } = chunk
    closeCall(call, errorCode ? { error, errorCode } : { error }, answeredBy)
  },
  file: (message, chunk) =>
    addPart(message, { ...chunk, type: 'file', step: message.steps.length }),
  source: (message, chunk) =>
    addPart(message, { ...chunk, type: 'source', step: message.steps.length }),
  data(message, chunk) {
    const data = seal(chunk.data)
    const same =
      chunk.id !== undefined &&
      message.parts.find(
        (part) => part.type === 'data' && part.name === chunk.name && part.id === chunk.id,
      )
    if (same && same.type === 'data') same.data = data
    else addPart(message, { ...chunk, data, type: 'data', step: message.steps.length })
  },
  metadata(message, { metadata }) {
    message.metadata = Object.freeze({ ...message.metadata, ...metadata })
  },
  error() {
    // The step-end after it carries it.
  },
  'step-end'(message, chunk) {
    closeText(message)
    const stopped = chunk.finishReason === 'stopped'
    const cut = cutReasons.has(chunk.finishReason)
    for (const part of message.parts) {
      if (part.type === 'tool-call' && (part.state === 'streaming' || (cut && isOpenCall(part)))) {
        const code = stopped ? 'stopped' : 'cut'
        fail(part, code, closingText[code])
      }
    }
    const { finishReason, rawFinishReason, usage, error } = chunk
    message.steps.push({
      finishReason,
      ...(rawFinishReason !== undefined && { rawFinishReason }),
      ...(usage && { usage }),
      ...(error && { error }),
    })
  },
  'step-reset'(message) {
    const { parts, steps } = message
    if (!parts.some((part) => part.step === steps.length)) steps.pop()
    const first = parts.findIndex((part) => part.step >= steps.length)
    if (first >= 0) parts.splice(first)
  },
}

/**
 * Writes one chunk to a message; nothing else ever does. Synchronous and without I/O: on a plain object it serves a
 * server, on a Vue proxy the same call is the reactive update. Chunks for unknown or closed calls, starts of calls
 * that the message already holds, and unknown types are ignored.
 */
export function applyChunk(message: Message, chunk: Chunk): void {
  // Own keys only: other people's back ends may send any type, `constructor` too.
  if (!Object.hasOwn(handlers, chunk.type)) return
  const handle = handlers[chunk.type] as (message: Message, chunk: Chunk) => void
  handle(message, chunk)
}
