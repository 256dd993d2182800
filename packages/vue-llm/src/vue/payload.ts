import { isProxy, toRaw } from 'vue'
import type { Chunk } from '../core'

/** Where a chunk carries a value that somebody else made. */
const payloads: Partial<Record<Chunk['type'], string>> = {
  'message-start': 'metadata',
  metadata: 'metadata',
  data: 'data',
  'tool-call-end': 'args',
  'tool-approval-response': 'args',
  'tool-progress': 'progress',
  'tool-result': 'result',
}

/** A chunk whose payload is no reactive proxy, so that the transcript holds plain data. */
export function toRawChunk(chunk: Chunk): Chunk {
  const key = payloads[chunk.type]
  if (!key) return chunk
  const value: unknown = (chunk as unknown as Record<string, unknown>)[key]
  return isProxy(value) ? { ...chunk, [key]: toRaw(value) } : chunk
}
