import { takeTag, type Tag } from './qwenTags'
import type { TypedArgs } from './typedArgs'
import type { DialectInput, DialectReader } from './types'

/**
 * Reads a value, in which any tag may stand; returns the tag after it. What is a tag and what is data:
 *
 * - `</parameter>` ends the value only right before a parameter of the tool, or one that is closed in its turn, or
 *   `</function>`, `</tool_call>`, `<function=…>` or the end;
 * - `</function>` only right before `</tool_call>`, `<function=…>`, `<tool_call>` or the end;
 * - `</parameter…>`, with more in it, only where what comes next ends a value that has no closer;
 * - `<parameter=…>` only with the name of a parameter of the tool that the call does not have yet;
 * - `</tool_call>` only where no `</parameter>` or `</function>` comes before the next `<tool_call>`;
 * - a whole call is data if the value is ended after it; if it never is, one that begins a line is the next call.
 *
 * @internal
 */
// long: one loop whose branches share what is still undecided
export function* takeValue(input: DialectInput, args: TypedArgs): DialectReader<Tag> {
  /** A tag and the white space after it, of which what comes right behind them decides. */
  let held = ''
  let last: Tag['kind'] = ''
  let tail = '\n'
  let startsLine = false
  /** The value from the first call in it on, and how many calls are open there. */
  let nested = ''
  let before = ''
  let depth = 0
  const known = knownOf(input)

  const write = (text: string): void => {
    if (!text) return
    tail = text.slice(-1)
    if (nested) nested += text
    else args.put(text)
  }
  const put = (text: string): void => {
    if (held) {
      held += text
      if (!text.trim()) return
      text = held
      held = ''
    }
    write(text)
  }
  const end = (tag: Tag): Tag => {
    args.put(nested)
    return tag
  }

  for (;;) {
    const tag = yield* takeTag(input, put)
    const { kind, name, raw } = tag
    if (held) {
      const isEnd = !kind || kind === '/tool_call' || kind === 'function='
      if (last === 'tool_call') {
        if (kind === 'function=' && !known.isFlat) {
          depth++
          if (!nested) before = tail
          nested += held
          held = ''
        } else if (kind === 'function=' && startsLine)
          return { ...tag, kind: last, raw: held + raw }
      } else if (last === '/function' && (isEnd || kind === 'tool_call')) {
        if (kind) input.unread(raw)
        return end({ kind: last, name, raw: '' })
      } else if (
        last === '/parameter' &&
        (isEnd ||
          kind === '/function' ||
          (kind === 'parameter=' && (args.mayFollow(name) || (yield* isClosed(input)))))
      ) {
        return end(tag)
      } else if (last === '/parameter…') {
        if (kind === '/function') {
          last = kind
          held += raw
          continue
        }
        if (kind ? yield* endsValue(input, args, tag) : !nested) return end(tag)
      }
      write(held)
      held = ''
    }
    if (!kind) {
      if (!nested || !input.isWhole) return tag
      input.unread(nested + raw)
      tail = before
      nested = ''
      depth = 0
      known.isFlat = true
    } else if (kind === 'tool_call' || (!depth && /^\/(param|func)/.test(kind))) {
      startsLine = tail === '\n'
      last = kind
      held = raw
    } else if (!depth && (yield* endsValue(input, args, tag))) {
      return end(tag)
    } else {
      if (kind === '/tool_call' && depth) depth--
      write(raw)
    }
  }
}

/** Whether a tag ends a value that has no closer. */
function* endsValue(
  input: DialectInput,
  args: TypedArgs,
  { kind, name }: Tag,
): DialectReader<boolean> {
  return kind === 'parameter='
    ? args.mayFollow(name)
    : kind === '/tool_call' && !(yield* closesLater(input))
}

/** Whether a parameter that is not expected is closed as one is. */
function* isClosed(input: DialectInput): DialectReader<boolean> {
  let gap = ''
  input.mark()
  let { kind } = yield* takeTag(input)
  const hasCloser = kind === '/parameter'
  if (hasCloser) ({ kind } = yield* takeTag(input, (text) => (gap += text)))
  input.rewind()
  return hasCloser && !gap.trim() && kind !== 'tool_call' && kind !== '/parameter'
}

/** What is known of the text ahead, so that none is looked through again and again. */
interface Known {
  /** Up to where {@link Known.isData} is the answer of {@link closesLater}. */
  until: number
  isData: boolean
  /** The text is over, and a call in a value was found that nothing closes: no more are looked for. */
  isFlat: boolean
}

const knowledge = new WeakMap<DialectInput, Known>()

function knownOf(input: DialectInput): Known {
  let known = knowledge.get(input)
  if (!known) knowledge.set(input, (known = { until: 0, isData: false, isFlat: false }))
  return known
}

/** Whether a closer comes before the next call. */
function* closesLater(input: DialectInput): DialectReader<boolean> {
  const known = knownOf(input)
  if (input.at >= known.until) {
    let kind
    input.mark()
    do ({ kind } = yield* takeTag(input))
    while (kind && kind !== 'tool_call' && kind !== '/parameter' && kind !== '/function')
    known.until = input.at
    known.isData = kind.startsWith('/')
    input.rewind()
  }
  return known.isData
}
