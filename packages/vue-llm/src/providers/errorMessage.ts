/** The first 500 characters of a text; redact before, since a cut secret is not found any more. @internal */
export function excerpt(text: string): string {
  // An unpaired surrogate at the cut would make the text unfit for JSON and UTF-8.
  return text.length > 500 ? `${text.slice(0, 500).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

/** What a server says in an error, wherever servers put it: `''` if it says nothing, or sends a web page. @internal */
export function errorMessage(said: unknown): string {
  if (typeof said === 'string') {
    try {
      const json: unknown = JSON.parse(said)
      if (json && typeof json === 'object') return errorMessage(json)
    } catch {
      // Plain text.
    }
    return /^\s*</.test(said) ? '' : said.trim()
  }
  if (!said || typeof said !== 'object') return ''
  const [first] = [said].flat()
  for (const key of ['error', 'message', 'detail', 'msg']) {
    const message = errorMessage((first as Record<string, unknown> | null)?.[key])
    if (message) return message
  }
  return ''
}
