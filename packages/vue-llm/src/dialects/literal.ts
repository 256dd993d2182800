import { parseJSON } from '../core'

/** What a text of JSON holds, or of a Python literal, which models write too; `undefined` if it is neither. @internal */
export const parseLiteral = (text: string): unknown => parseJSON(text) ?? parseJSON(toJSON(text))

const words: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  ',': '',
  '(': '[',
  ')': ']',
}

/** What Python takes for an escape as JSON writes it; what is none keeps its backslash. */
const toEscape = (char: string): string =>
  char === "\\'"
    ? "'"
    : char === '\\x'
      ? '\\u00'
      : /\\["\\bfnrtu]/.test(char)
        ? char
        : JSON.stringify(char).slice(1, -1)

/** Python's strings, words, tuples and trailing commas as JSON. A string without an end goes to the end of the text. */
const toJSON = (text: string): string =>
  text.replace(
    /(['"])((?:(?!\1)[^\\]|\\[^])*)(?:\1|$)|\b(?:True|False|None)\b|,(?=\s*[\])}])|[()]/g,
    (token, quote: string | undefined, inner: string) =>
      quote ? `"${inner.replace(/\\[^]|["\p{Cc}]/gu, toEscape)}"` : (words[token] ?? ''),
  )
