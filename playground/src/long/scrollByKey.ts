/** How many pages a key goes down. */
const pages: Record<string, number> = { Home: -1e6, PageUp: -0.9, PageDown: 0.9, End: 1e6 }

/**
 * Scrolls an element by its keys at once. A browser does it smoothly, which would end wherever a virtual list measures a
 * row on the way.
 */
export function scrollByKey(event: KeyboardEvent): void {
  const { key, target, currentTarget } = event
  const count = pages[key]
  if (!count || target !== currentTarget || !(target instanceof Element)) return
  event.preventDefault()
  target.scrollBy({ top: count * target.clientHeight, behavior: 'instant' })
}
