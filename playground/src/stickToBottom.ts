import { onMounted, onScopeDispose, ref, type Ref } from 'vue'

/** How near to the end still counts as being there: pixels. */
const nearPx = 48

/** Keeps the end of a growing list in view, unless the reader has scrolled up or `isOn` says no. */
export function useStickToBottom(
  scroller: Readonly<Ref<HTMLElement | null>>,
  content: Readonly<Ref<HTMLElement | null>>,
  isOn: () => boolean,
) {
  const isStuck = ref(true)
  const hasNews = ref(false)
  let lastTop = 0

  const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
    scrollHeight - scrollTop - clientHeight <= nearPx

  function toEnd(behavior: ScrollBehavior = 'instant'): void {
    isStuck.value = true
    hasNews.value = false
    scroller.value?.scrollTo({ top: scroller.value.scrollHeight, behavior })
  }

  function follow(): void {
    if (isOn()) toEnd()
  }

  function onScroll(): void {
    const element = scroller.value
    if (!element) return
    // Only a move upwards leaves the end: content that grew moves it away without the reader's doing.
    if (isNearEnd(element)) {
      isStuck.value = true
      hasNews.value = false
    } else if (element.scrollTop < lastTop) isStuck.value = false
    lastTop = element.scrollTop
  }

  onMounted(() => {
    let height = 0
    const observer = new ResizeObserver(() => {
      const grown = content.value?.offsetHeight ?? 0
      if (isStuck.value) follow()
      else if (grown > height) hasNews.value = true
      height = grown
    })
    if (content.value) observer.observe(content.value)
    if (scroller.value) observer.observe(scroller.value)
    onScopeDispose(() => observer.disconnect())
    follow()
  })

  return { isStuck, hasNews, toEnd, onScroll }
}
