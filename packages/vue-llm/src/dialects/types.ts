import type { AnyTool } from '../core'

/**
 * How a model writes tool calls as text. The scanner looks for what opens a block and asks the dialects with that
 * opener, in their order, whether it is theirs.
 */
export interface ToolCallDialect {
  readonly name: string
  /**
   * What opens a block, with what closes it: text between the two that no dialect reads is no call, and is hidden all
   * the same. With `''` such a text is shown, opener included.
   */
  readonly open: Readonly<Record<string, string>>
  /**
   * Reads one call after `open` and the white space that follows it. `true`: a call was read; where the opener
   * has a closer, that is left to the scanner, who asks again if another call stands before it. `false`: it began as
   * a call and is malformed, nothing of it is shown. `undefined`: it is no call of this dialect, whatever was taken is
   * given back. `yield` waits for more text.
   */
  read(input: DialectInput, open: string, space: string): DialectReader<boolean | undefined>
}

/** Reads from a {@link DialectInput}; each `yield` waits until there is more text, or none will come. */
export type DialectReader<Result = void> = Generator<undefined, Result, undefined>

/** The text of one model round as a dialect reads it, and what it makes of it. */
export interface DialectInput {
  /** What has arrived and was not taken yet. */
  readonly text: string
  /** Whether no more text comes after {@link text}. */
  readonly isLast: boolean
  /** Whether the round ended by itself. Known once `isLast` is set: what is unfinished then was cut. */
  readonly isWhole: boolean
  /** Whether only white space was shown before. */
  readonly isFirst: boolean
  /** Whether only white space was shown since the last line end. */
  readonly isLineStart: boolean
  /** The last character shown before. */
  readonly tail: string
  /** How much was taken so far. */
  readonly at: number
  /** The tools of the request. */
  readonly tools: readonly AnyTool[]
  /** Takes that many characters, or all there are. */
  take(count?: number): string
  /** Remembers this place. */
  mark(): void
  /** Gives back what was taken since the last {@link mark}. */
  rewind(): void
  /** Puts text before what was not taken yet. */
  unread(text: string): void
  /** Shows text, as reasoning if so said. */
  show(text: string, type?: 'text-delta' | 'reasoning-delta'): void
  /** Begins a call. False for what can't be a tool's name: white space, quotes, or one of `{}<>=` in it. */
  start(toolName: string): boolean
  /** Adds to the arguments of the call, which are JSON. */
  grow(argsText: string): void
  /** The call is whole. Does nothing where it was the end of a cut round that ended it. */
  end(): void
  /** The call proved malformed: it is taken back, unless a cut round left it unfinished. */
  cancel(): void
}
