import { getCurrentInstance, nextTick, watch } from 'vue'

/**
 * Keeps the focus in the part that the current component draws when what had it goes away or is disabled, as the buttons
 * of a form that was answered are: a keyboard or a screen reader would begin at the top of the page again.
 *
 * @internal
 */
export function keepFocus(change: () => unknown): void {
  const instance = getCurrentInstance()
  const root = (): HTMLElement | null => {
    // A slot's nodes have no one element around them: the first is meant.
    const node = instance?.proxy?.$el
    return node?.nodeType === 1 ? node : (node?.nextElementSibling ?? null)
  }
  watch(change, async () => {
    if (!root()?.contains(document.activeElement)) return
    await nextTick()
    const element = root()
    // What was disabled has the focus until the page is painted.
    if (!element || !document.activeElement?.matches('body, :disabled')) return
    const focus = () => element.focus({ preventScroll: true })
    focus()
    if (document.activeElement === element) return
    element.tabIndex = -1
    focus()
  })
}
