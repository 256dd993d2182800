import { onScopeDispose, ref } from 'vue'

/** Copies texts, and tells for a moment that it did. */
export function useCopy() {
  const copied = ref<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => clearTimeout(timer))

  /** Missing where the page was not loaded over https or from this machine. */
  const clipboard: Clipboard | undefined = navigator.clipboard

  /** `name` tells several things to copy apart. */
  async function copy(text: string, name: string): Promise<void> {
    await clipboard?.writeText(text)
    copied.value = name
    clearTimeout(timer)
    timer = setTimeout(() => (copied.value = undefined), 1500)
  }

  return { canCopy: clipboard !== undefined, copied, copy }
}
