/** What a text of JSON holds; `undefined` if it is none. @internal */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
