import type { AnyTool } from '../core'
import type { DialectInput, DialectReader } from './types'

/** Finds any of the words, or the beginning of one at the end of a text. @internal */
export const wordPattern = (words: readonly string[]): RegExp =>
  new RegExp(
    words
      .map((word) =>
        [...word].reduceRight((rest, char) => {
          const here = char.replace(/[^\w\s<>]/, '\\$&')
          return rest ? `${here}(?:${rest}|$)` : here
        }, ''),
      )
      .join('|'),
  )

/** Takes white space up to the next other character. @internal */
export function* takeSpace(input: DialectInput): DialectReader<string> {
  let space = ''
  for (;;) {
    const end = input.text.search(/\S/)
    space += input.take(end < 0 ? undefined : end)
    if (end >= 0 || input.isLast) return space
    yield
  }
}

/** Whether one of the words comes next. @internal */
export function* seesWord(input: DialectInput, ...words: string[]): DialectReader<boolean> {
  while (!input.isLast && words.some((word) => word.startsWith(input.text) && input.text !== word))
    yield
  return words.some((word) => input.text.startsWith(word))
}

/** Whether the text ended within one of the words. @internal */
export const isCutWord = (input: DialectInput, ...words: string[]): boolean =>
  input.isLast && !!input.text && words.some((word) => word.startsWith(input.text))

/** Takes a word if it comes next. @internal */
export function* takeWord(input: DialectInput, word: string): DialectReader<boolean> {
  const isNext = yield* seesWord(input, word)
  if (isNext) input.take(word.length)
  return isNext
}

/**
 * Takes the text up to one of the words, and the word; gives the text to `put` as it comes. Returns the word, `''` at
 * the end, where a beginning of a word is dropped.
 * @internal
 */
export function* takeUntil(
  input: DialectInput,
  words: readonly string[],
  put: (text: string) => void,
): DialectReader<string> {
  const pattern = wordPattern(words)
  for (;;) {
    const found = pattern.exec(input.text)
    put(input.take(found?.index))
    if (found && words.includes(found[0])) return input.take(found[0].length)
    if (input.isLast) {
      input.take()
      return ''
    }
    yield
  }
}

/** Takes all text that is left; gives it to `put`. @internal */
export function* takeRest(input: DialectInput, put = (_text: string): void => {}): DialectReader {
  for (;;) {
    put(input.take())
    if (input.isLast) return
    yield
  }
}

/** The tool that has this name. @internal */
export const findTool = ({ tools }: DialectInput, toolName: unknown): AnyTool | undefined =>
  tools.find(({ name }) => name === toolName)

/** A piece of text as it stands in a string of JSON; halves of a character are left to meet. @internal */
export const escapeText = (text: string): string =>
  text.replace(/["\\\p{Cc}]/gu, (char) => JSON.stringify(char).slice(1, -1))
