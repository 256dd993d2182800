/** The id of the field that messages are written in. */
export const composerId = 'composer-field'

/** Puts the cursor where messages are written; not on a phone, where a keyboard would cover the page. */
export function focusComposer(): void {
  if (matchMedia('(hover: hover)').matches) document.getElementById(composerId)?.focus()
}
