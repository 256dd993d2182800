import { ref, watchEffect } from 'vue'

/** How the page is lit: as the system says, or as a person chose. */
export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'vue-llm-playground:theme'
const order: readonly Theme[] = ['system', 'light', 'dark']

function load(): Theme {
  try {
    return order.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system'
  } catch {
    return 'system'
  }
}

/** The theme in use. */
export const theme = ref(load())

watchEffect(() => {
  document.documentElement.dataset['theme'] = theme.value
  try {
    localStorage.setItem(storageKey, theme.value)
  } catch {
    // Without storage the choice holds until the page is closed.
  }
})

/** Goes on to the next theme. */
export function nextTheme(): void {
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'system'
}
