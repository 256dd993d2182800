/** What Vue did since the last reset. */
export const counters = { list: 0, growing: 0, earlier: 0 }

/** The messages that were there before. */
export const earlierIds = new Set<string>()

/** Begins to count anew; `ids` are those of the messages at hand. */
export function resetCounters(ids: Iterable<string>): void {
  Object.assign(counters, { list: 0, growing: 0, earlier: 0 })
  earlierIds.clear()
  for (const id of ids) earlierIds.add(id)
}
