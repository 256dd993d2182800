import { markRaw, toRaw, unref } from 'vue'
import { isPlainObject, type Chunk } from '../core'

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

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => Array.isArray(value) || isPlainObject(value)
const copyOf = (tree: Tree): Tree => (Array.isArray(tree) ? (tree.slice() as never) : { ...tree })

/**
 * The value without Vue in it: proxies and refs are replaced at any depth, in copies, as a filtered list of a store is
 * plain but holds proxies. What is plain already comes back as it is.
 *
 * @internal
 */
export function toPlain<T>(value: T): T {
  const raw: unknown = toRaw(unref(value))
  let copy: Tree | undefined
  if (isTree(raw)) {
    for (const key in raw) {
      const plain = toPlain(raw[key])
      if (plain !== raw[key]) (copy ??= copyOf(raw))[key] = plain
    }
  }
  return (copy ?? raw) as T
}

/** @internal A chunk whose payload is a plain value that Vue leaves alone, not the caller's own object. */
export function toRawChunk(chunk: Chunk): Chunk {
  const key = payloads[chunk.type]
  const value = key && toPlain((chunk as unknown as Tree)[key])
  // Frozen would do for reads; the mark keeps a deep watch of the messages from walking through it.
  return key && isTree(value) ? { ...chunk, [key]: Object.freeze(markRaw(copyOf(value))) } : chunk
}
