/** Splits a text into sentences; joined, they are the text. @internal */
export type SplitSentences = (text: string) => string[]

/** Splits by the rules of a language where the browser knows them, else after the usual marks. @internal */
export function createSplitter(lang: string | undefined): SplitSentences {
  try {
    const segmenter = new Intl.Segmenter(lang, { granularity: 'sentence' })
    return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment)
  } catch {
    // Without a segmenter, or for a language tag that is none.
    return (text) => text.match(/.+?(?:[.!?…]["”’)]*\s|[。！？\n]|$)/gs) ?? []
  }
}

/** A block of code, with its end where it has one; text in a line may hold three backticks as well. */
const code = /^[ >*+\d.)-]*(`{3,}(?![^\n]*`)|~{3,})[^]*?(\n[ >]*\1|$(?![^]))/gm

/**
 * The sentences of a Markdown text from a place on, as they are said: without marks, without blocks of code. `end` is
 * where to go on: unless the text is whole, its last sentence may still grow.
 *
 * @internal
 */
export function takeSentences(
  text: string,
  from: number,
  isWhole: boolean,
  split: SplitSentences,
): { sentences: string[]; end: number } {
  const prose = text
    .slice(from)
    // As long as it was: one blank line for each block.
    .replace(code, (block, _, end) => (end || isWhole ? '\n'.padStart(block.length) : '\n'))
    // What only looks like an end: images, numbers of a list.
    .replace(/!(?=\[)/g, ' ')
    .replace(/^([ >]*\d+)\.(?= )/gm, '$1)')
  const found = split(prose)
  if (!isWhole) found.pop()
  return {
    sentences: found.map(withoutMarks).filter((said) => /[\p{L}\p{N}]/u.test(said)),
    end: from + found.join('').length,
  }
}

// No lookbehind: older browsers refuse a whole module that holds one.
const withoutMarks = (text: string): string =>
  text
    // Links and images keep their text.
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\[*_`~|]?|<\/?[a-z][^>]*>|`+|~~|^[\s#>*+-]+\s/gi, '')
    // `2 * 3` and `snake_case` are no emphasis.
    .replace(/(^|[^\w*_])[*_]+(?=\S)|([^\s*_])[*_]+(?!\w)/g, '$1$2')
    .replace(/[\s|]+/g, ' ')
    .trim()
