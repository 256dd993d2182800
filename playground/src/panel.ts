import { nextTick, ref } from 'vue'

/** What can stand beside a page. */
export type Panel = 'source' | 'wire'

/** The ids of the buttons that open the panels: the focus returns to them. */
export const panelButtonId = (panel: Panel): string => `open-${panel}`

/** The panel beside the page, if one is open. */
export function usePanel() {
  const panel = ref<Panel>()

  function toggle(wanted: Panel): void {
    panel.value = panel.value === wanted ? undefined : wanted
  }

  async function close(): Promise<void> {
    const id = panel.value && panelButtonId(panel.value)
    panel.value = undefined
    await nextTick()
    if (id) document.getElementById(id)?.focus()
  }

  return { panel, toggle, close }
}
