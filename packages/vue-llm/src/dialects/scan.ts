import { createId, joinDelta, type ChatRequest, type Chunk } from '../core'
import { takeSpace, takeWord, wordPattern } from './text'
import type { DialectInput, DialectReader, ToolCallDialect } from './types'

/** Text is read in slices of this size, so that what is given back costs no more than its own length. */
const SLICE = 4096

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Reads the text of one round. @internal */
export interface TextScan {
  /** Takes a piece of text. Whether it holds nothing to be read; else the chunks that it makes are in `chunks`. */
  feed(delta: Chunk<'text-delta'>): boolean
  /** The text is over. `isWhole` tells that the round ended by itself. */
  end(isWhole: boolean): void
  /** Takes back the calls of this text, and makes none from now on. */
  mute(): void
  /** What is to be yielded; to be emptied by whoever does. */
  readonly chunks: Chunk[]
}

/** @internal */
// long: the state of one text and the small steps that share it
export function createTextScan(
  { tools, toolChoice }: ChatRequest,
  dialects: readonly ToolCallDialect[],
): TextScan {
  const chunks: Chunk[] = []
  const ids: string[] = []
  /** What is to be read before anything new, the next piece last. */
  const waiting: string[] = []
  let isMuted = toolChoice === 'none'
  let template: Chunk<'text-delta'> = { type: 'text-delta', text: '' }
  let taken = ''
  let toolCallId = ''
  /** Whether nothing is held back, and what comes may be shown as it is up to the next opener. */
  let isIdle = false
  const closers: Record<string, string> = Object.assign({}, ...dialects.map(({ open }) => open))
  // The longest first: one may begin like another.
  const openers = Object.keys(closers).sort((a, b) => b.length - a.length)
  const pattern = wordPattern(openers)

  const emit = (chunk: Chunk): void => {
    if (!joinDelta(chunks[chunks.length - 1], chunk)) chunks.push(chunk)
  }
  const note = (text: string): void => {
    const line = text.lastIndexOf('\n') + 1
    if (line || input.isLineStart) input.isLineStart = !text.slice(line).trim()
    input.isFirst &&= !text.trim()
    input.tail = text.slice(-1)
  }
  const isCut = () => input.isLast && !input.isWhole
  const input: Writable<DialectInput> = {
    tools,
    text: '',
    isLast: false,
    isWhole: false,
    isFirst: true,
    isLineStart: true,
    tail: '',
    at: 0,
    take(count) {
      const piece = input.text.slice(0, count)
      input.text = input.text.slice(piece.length)
      input.at += piece.length
      taken += piece
      return piece
    },
    mark() {
      taken = ''
    },
    rewind() {
      input.unread(taken)
      taken = ''
    },
    unread(text) {
      if (!text) return
      waiting.push(input.text, text)
      input.text = ''
      input.at -= text.length
      input.isLast = false
    },
    show(text, type = 'text-delta') {
      if (!text) return
      emit({ ...template, type, text })
      if (type === 'text-delta') note(text)
    },
    start(toolName) {
      if (!/^[^\s"'`{}<>=]+$/.test(toolName)) return false
      if (isMuted) return true
      toolCallId = createId('call_')
      ids.push(toolCallId)
      emit({ type: 'tool-call-start', toolCallId, toolName })
      return true
    },
    grow(argsText) {
      if (toolCallId && argsText && !isCut())
        emit({ type: 'tool-call-delta', toolCallId, argsText })
    },
    end() {
      if (toolCallId && !isCut()) emit({ type: 'tool-call-end', toolCallId })
      toolCallId = ''
    },
    cancel() {
      if (toolCallId && !isCut()) {
        emit({ type: 'tool-call-cancel', toolCallId })
        ids.pop()
      }
      toolCallId = ''
    },
  }
  const reader = readText()

  /** Finds what opens a block, and shows what stands between. */
  function* readText(): DialectReader {
    for (;;) {
      input.mark()
      const found = pattern.exec(input.text)
      input.show(input.take(found?.index))
      const open = found?.[0] ?? ''
      const close = closers[open]
      const mayGoOn =
        input.text === open && openers.some((word) => word !== open && word.startsWith(open))
      if (close !== undefined && (input.isLast || !mayGoOn)) {
        input.take(open.length)
        yield* readBlock(input, open, close, dialects)
      } else if (input.isLast) return input.show(input.take())
      else {
        isIdle = !input.text
        yield
        isIdle = false
      }
    }
  }

  const run = (isEnd: boolean): void => {
    for (;;) {
      const next = waiting.pop()
      if (next !== undefined) {
        input.text += next.slice(0, SLICE)
        if (next.length > SLICE) waiting.push(next.slice(SLICE))
      } else if (isEnd) input.isLast = true
      else return
      if (reader.next().done) return
    }
  }

  return {
    chunks,
    feed(delta) {
      const { text } = delta
      if (isIdle && text && !pattern.test(text)) {
        note(text)
        return true
      }
      template = delta
      waiting.push(text)
      run(false)
      // What the wire wants back is not held back with its text.
      if (delta.providerMetadata && !chunks.length) chunks.push({ ...delta, text: '' })
      return false
    },
    end(isWhole) {
      input.isWhole = isWhole
      run(true)
    },
    mute() {
      for (const id of ids.splice(0)) emit({ type: 'tool-call-cancel', toolCallId: id })
      toolCallId = ''
      isMuted = true
    },
  }
}

/** Reads a block from after its opener to after its closer, or shows that it is none. */
function* readBlock(
  input: DialectInput,
  open: string,
  close: string,
  dialects: readonly ToolCallDialect[],
): DialectReader {
  let hasCall = false
  let space
  let outcome
  let at
  do {
    at = input.at
    space = yield* takeSpace(input)
    if (close && (yield* takeWord(input, close))) return
    // Where a call came before, a closer that is cut at the end is dropped.
    if (hasCall && input.isLast && close.startsWith(input.text)) break
    outcome = undefined
    for (const dialect of dialects) {
      if (!(open in dialect.open)) continue
      input.mark()
      outcome = yield* dialect.read(input, open, space)
      if (outcome !== undefined) break
      input.rewind()
    }
    hasCall ||= !!outcome
    // A dialect that takes nothing would be asked for ever.
  } while (outcome && close && input.at > at)

  const shown = outcome === undefined ? (hasCall ? '' : open) + space : undefined
  const isQuoted = !hasCall && !space && input.tail === '`' && input.text[0] === '`'
  if (close && !isQuoted) yield* skipBlock(input, open, close, shown)
  else if (shown) input.show(shown)
}

/** Hides what is no call up to the closer; without one, `shown` and what follows it is text after all. */
function* skipBlock(
  input: DialectInput,
  open: string,
  close: string,
  shown: string | undefined,
): DialectReader {
  const pattern = wordPattern([close, open])
  let hidden = ''
  for (;;) {
    const word = pattern.exec(input.text)
    hidden += input.take(word?.index)
    if (word?.[0] === close) return void input.take(close.length)
    const isOpener = word?.[0] === open
    if (isOpener || input.isLast) {
      if (!isOpener) hidden += input.take()
      // A tag that a cut round left alone is the beginning of a call.
      if (shown !== undefined && (isOpener || input.isWhole || hidden)) input.show(shown + hidden)
      return
    }
    yield
  }
}
