import { closingText, findCall, isOpenCall } from './calls'
import { isCut } from './nextStep'
import {
  addCall,
  addPart,
  closeCall,
  closeText,
  endArgs,
  failCall,
  growArgs,
  mergeMetadata,
  writeText,
} from './partWriters'
import { defined, seal } from './plain'
import type { Chunk, ChunkType, DataPart, Message, ToolCallPart, ToolCallState } from './types'

type Handler<T extends ChunkType> = (message: Message, chunk: Chunk<T>) => void
type CallChunkType = Extract<ChunkType, `tool-${string}`>

/** A handler for a call in one of those states; for any other call the chunk is ignored. */
// Says to bundlers that the table below may go where `applyChunk` is not used.
/* @__NO_SIDE_EFFECTS__ */
function on<T extends CallChunkType>(
  states: readonly ToolCallState[],
  handle: (call: ToolCallPart, chunk: Chunk<T>, message: Message) => void,
): Handler<T> {
  return (message, chunk) => {
    const call = findCall(message, chunk.toolCallId)
    if (!call || !states.includes(call.state)) return
    mergeMetadata(call, chunk)
    handle(call, chunk, message)
  }
}

const open: readonly ToolCallState[] = ['streaming', 'pending', 'running']

function mergeMessage(message: Message, metadata: Message['metadata']): void {
  message.metadata = seal({ ...message.metadata, ...metadata })
}

const endCall = on<'tool-call-end'>(['streaming'], (call, { toolName, args, providerExecuted }) => {
  if (toolName !== undefined) call.toolName = toolName
  if (providerExecuted) call.providerExecuted = true
  const error = endArgs(call, args)
  if (error) closeCall(call, 'error', { error, errorCode: 'invalid-args' })
  else call.state = 'pending'
})

const handlers: { [T in ChunkType]: Handler<T> } = {
  'message-start'(message, { runId, createdAt, metadata }) {
    const { parts, steps } = message
    const begun = parts.length || steps.length || message.metadata?.runId !== undefined
    if (createdAt !== undefined && !begun) message.createdAt = createdAt
    if (metadata) mergeMessage(message, metadata)
    if (runId !== undefined) mergeMessage(message, { runId })
  },
  'text-delta': (message, chunk) => writeText(message, 'text', chunk),
  'reasoning-delta': (message, chunk) => writeText(message, 'reasoning', chunk),
  'tool-call-start': addCall,
  'tool-call-delta': on(['streaming'], (call, { argsText }) => growArgs(call, argsText)),
  'tool-call-end'(message, chunk) {
    if (chunk.toolName !== undefined) addCall(message, chunk)
    endCall(message, chunk)
  },
  'tool-call-cancel': on(open, (call, _, { parts }) => parts.splice(parts.indexOf(call), 1)),
  'tool-approval-request': on(['pending'], (call) => {
    call.approval = seal({ state: 'requested' })
  }),
  'tool-approval-response': on(['pending'], (call, { approved, reason, args }) => {
    if (call.approval?.state !== 'requested') return
    call.approval = seal({ state: approved ? 'approved' : 'declined', ...(reason && { reason }) })
    if (!approved) {
      const error = reason || closingText.declined
      closeCall(call, 'error', { error, errorCode: 'declined', answeredBy: 'person' })
    } else if (args) {
      call.args = seal(args)
      call.argsText = JSON.stringify(args)
    }
  }),
  'tool-start': on(['pending'], (call) => {
    call.state = 'running'
  }),
  'tool-wait': on(['pending', 'running'], (call) => {
    delete call.approval
    delete call.progress
    call.state = 'pending'
  }),
  'tool-progress': on(['running'], (call, { progress }) => {
    call.progress = seal(progress)
  }),
  'tool-result': on(open, (call, { result, answeredBy }) => {
    // Arguments that can't be parsed stay as read: the result counts.
    if (call.state === 'streaming') endArgs(call)
    closeCall(call, 'result', { result: seal(result) ?? null, answeredBy })
  }),
  'tool-error': on(open, (call, { error, errorCode, answeredBy }) =>
    closeCall(call, 'error', { error, errorCode, answeredBy }),
  ),
  file: addPart,
  source: addPart,
  data(message, chunk) {
    const { name, id } = chunk
    const data = seal(chunk.data)
    const same = message.parts.find(
      (part): part is DataPart =>
        part.type === 'data' && part.name === name && part.id === id && id !== undefined,
    )
    if (same) {
      same.data = data
      mergeMetadata(same, chunk)
    } else addPart(message, { ...chunk, data } as Omit<DataPart, 'step'>)
  },
  metadata: (message, { metadata }) => mergeMessage(message, metadata),
  // The step-end after it carries it.
  error: () => {},
  'step-end'(message, chunk) {
    closeText(message)
    const cut = isCut(chunk.finishReason)
    for (const part of message.parts) {
      if (part.type === 'tool-call' && (cut ? isOpenCall(part) : part.state === 'streaming')) {
        failCall(part, chunk.finishReason === 'stopped' ? 'stopped' : 'cut')
      }
    }
    message.steps.push(seal(defined({ ...chunk, type: undefined })))
  },
  'step-reset'({ parts, steps }) {
    if (parts.at(-1)?.step !== steps.length) steps.pop()
    const first = parts.findIndex(({ step }) => step >= steps.length)
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
  const handle = handlers[chunk.type] as Handler<ChunkType>
  handle(message, chunk)
}
