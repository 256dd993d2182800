import type { DialectInput, DialectReader } from './types'

/** A tag, or the end of the text (`''`). @internal */
export interface Tag {
  kind:
    | ''
    | 'tool_call'
    | '/tool_call'
    | 'function='
    | '/function'
    | 'parameter='
    | '/parameter'
    | '/parameter…'
  /** What stands behind `=`. */
  name: string
  /** The tag as it was written; at the end of the text, one that was cut. */
  raw: string
}

// A closer that lacks its `>` is one right before another tag. One with more in it (`</parameter1>`) is of its own kind.
const pattern =
  /^<(?:(tool_call)>|(\/(?:tool_call|function|parameter))(?:>|(?=\s{0,9}<))|((?:function|parameter)=)([^<>\n]{0,200})>|\/parameter[^<>\n]{1,100}>)/
const beginning =
  /^<(?:\/?[a-z_]{0,9}\s{0,9}|(?:function|parameter)=[^<>\n]{0,200}|\/parameter[^<>\n]{0,100})$/

/** Takes the text up to the next tag, which it gives to `put` as it comes, and the tag. @internal */
export function* takeTag(
  input: DialectInput,
  put = (_text: string): void => {},
): DialectReader<Tag> {
  for (;;) {
    const at = input.text.indexOf('<')
    if (at) put(input.take(at < 0 ? undefined : at))
    const { text } = input
    const [raw, opener, closer, kind, name = ''] = pattern.exec(text) ?? []
    if (raw) {
      input.take(raw.length)
      return {
        kind: (opener ?? closer ?? kind ?? '/parameter…') as Tag['kind'],
        name: name.trim(),
        raw,
      }
    }
    if (text && !beginning.test(text)) put(input.take(1))
    else if (input.isLast) return { kind: '', name: '', raw: input.take() }
    else yield
  }
}
