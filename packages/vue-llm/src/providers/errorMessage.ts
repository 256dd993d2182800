/** The first 500 characters of a text; redact before, since a cut secret is not found any more. @internal */
export function excerpt(text: string): string {
  // An unpaired surrogate at the cut would make the text unfit for JSON and UTF-8.
  return text.length > 500 ? `${text.slice(0, 500).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

/** What a server says in an error body, wherever servers put it: `''` if it says nothing. @internal */
export function errorMessage(body: unknown): string {
  if (typeof body === 'string') return body.trim()
  if (typeof body !== 'object' || body === null) return ''
  if (Array.isArray(body)) return errorMessage(body[0])
  const { error, message, detail, msg } = body as Record<string, unknown>
  return errorMessage(error) || errorMessage(message) || errorMessage(detail) || errorMessage(msg)
}
