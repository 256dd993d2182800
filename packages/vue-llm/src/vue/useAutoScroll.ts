import { readonly, ref, toValue, watch, type MaybeRefOrGetter, type Ref } from 'vue'

/** Options of {@link useAutoScroll}. */
export interface AutoScrollOptions {
  /** Whether the end is followed, for instance not while a chat is empty. @default true */
  enabled?: MaybeRefOrGetter<boolean>
  /** How near to the end still counts as being there once the reader scrolls towards it: pixels. @default 48 */
  nearPx?: number
}

/** What {@link useAutoScroll} returns. */
export interface UseAutoScrollReturn {
  /** The end is in view and stays so; `false` once the reader has scrolled up. */
  isAtBottom: Readonly<Ref<boolean>>
  /** Something was added below what the reader sees. */
  hasNewBelow: Readonly<Ref<boolean>>
  /** Goes to the end and follows it again. Smooth where the reader has not asked for less motion. */
  scrollToBottom: (behavior?: ScrollBehavior) => void
}

/**
 * Keeps the end of a growing scroll container in view, until the reader scrolls up: then the page stays where it is,
 * and `hasNewBelow` says that there is more. Scrolling down to the end follows it again.
 *
 * Sizes are observed, not text: it works once a frame at most, also for pictures that load late.
 *
 * @param container the element that scrolls, with its content in elements; or `document.documentElement`
 */
export function useAutoScroll(
  container: MaybeRefOrGetter<HTMLElement | null | undefined>,
  { enabled = true, nearPx = 48 }: AutoScrollOptions = {},
): UseAutoScrollReturn {
  const isAtBottom = ref(true)
  const hasNewBelow = ref(false)

  function arrive(): void {
    isAtBottom.value = true
    hasNewBelow.value = false
  }
  function scrollToBottom(behavior: ScrollBehavior = 'smooth'): void {
    const element = toValue(container)
    if (!element) return
    arrive()
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    element.scrollTo({ top: element.scrollHeight, behavior: isCalm ? 'instant' : behavior })
  }
  function follow(element: HTMLElement): () => void {
    let { scrollTop: lastTop, scrollHeight: lastHeight } = element
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const below = scrollHeight - scrollTop - clientHeight
      // A move upwards is the reader's, unless it is the end itself that came nearer.
      if (below > 1 && scrollTop < lastTop) isAtBottom.value = false
      else if (below <= nearPx) arrive()
      lastTop = scrollTop
    }
    const onResize = () => {
      const height = element.scrollHeight
      // All of it is in view, of which no scrolling tells.
      if (height <= element.clientHeight) arrive()
      if (!isAtBottom.value) hasNewBelow.value ||= height > lastHeight
      else if (toValue(enabled)) element.scrollTop = height
      lastHeight = height
    }
    const stopSizes = observeSizes(element, onResize)
    // The page's own scrolling is told to the document.
    const source = element === document.documentElement ? document : element
    source.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      stopSizes()
      source.removeEventListener('scroll', onScroll)
    }
  }
  watch(
    () => toValue(container),
    (element, _, onCleanup) => element && onCleanup(follow(element)),
    { flush: 'post', immediate: true },
  )

  return { isAtBottom: readonly(isAtBottom), hasNewBelow: readonly(hasNewBelow), scrollToBottom }
}

/** Calls back where an element or one of its children changes its size; returns what ends that. */
function observeSizes(element: HTMLElement, onResize: () => void): () => void {
  const sizes = new ResizeObserver(onResize)
  const observe = () => {
    sizes.disconnect()
    for (const one of [element, ...element.children]) sizes.observe(one)
  }
  const children = new MutationObserver(observe)
  children.observe(element, { childList: true })
  observe()
  return () => {
    sizes.disconnect()
    children.disconnect()
  }
}
