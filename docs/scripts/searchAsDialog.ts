/** What of the theme's search box screen readers can't follow, and what stands in its place. */
const changes: readonly (readonly [RegExp, string])[] = [
  // It calls itself a button, though it holds a field, buttons and links.
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  // Links are no options of a list box: a plain list of links, which have their own words as their names.
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="[^"]*"\s+role="option"/, ''],
  [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"/, ''],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
]

/** Makes the theme's search box a dialog with a list of links, which is what it is. */
export function searchAsDialog() {
  return {
    name: 'search-as-dialog',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined
      return changes.reduce((text, [found, instead]) => {
        const changed = text.replace(found, instead)
        if (changed === text) throw new Error(`VitePress has another search box, without ${found}`)
        return changed
      }, code)
    },
  }
}
