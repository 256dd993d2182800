import { markRaw, toRaw, unref } from 'vue'
import { isPlainObject, normaliseMessages, type Message, type MessageInput } from '../core'

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => Array.isArray(value) || isPlainObject(value)
const copyOf = (tree: Tree): Tree => (Array.isArray(tree) ? (tree.slice() as never) : { ...tree })

/**
 * The value without Vue in it: proxies and refs are replaced at any depth, in copies, as a filtered list of a store is
 * plain but holds proxies. What is plain already comes back as it is; what holds itself is not walked through again.
 *
 * @internal
 */
export function toPlain<T>(value: T, above: unknown[] = []): T {
  const raw: unknown = toRaw(unref(value))
  let copy: Tree | undefined
  if (isTree(raw) && !above.includes(raw)) {
    above.push(raw)
    for (const key in raw) {
      const inner = raw[key]
      if (typeof inner !== 'object') continue
      const plain = toPlain(inner, above)
      if (plain !== inner) (copy ??= copyOf(raw))[key] = plain
    }
    above.pop()
  }
  return (copy ?? raw) as T
}

/**
 * Makes the payloads of a chunk or part plain values that Vue leaves alone, not the caller's own objects. Changes and
 * returns the object it is given.
 *
 * @internal
 */
export function sealPayloads<T extends object>(target: T): T {
  const fields = target as Tree
  for (const key in fields) {
    const value = toPlain(fields[key])
    // Frozen would do for reads; the mark keeps a deep watch of the messages from walking through it.
    if (isTree(value)) fields[key] = Object.freeze(markRaw(copyOf(value)))
  }
  return target
}

/** Messages of a caller's as whole messages of the chat's own. @internal */
export function copyMessages(list: readonly MessageInput[]): Message[] {
  const messages = normaliseMessages(toPlain(list))
  for (const { parts } of messages) parts.forEach(sealPayloads)
  return messages
}
