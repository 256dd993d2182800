/** Splits a text into sentences; joined, they are the text. @internal */
export type SplitSentences = (text: string) => string[]

/** Splits by the rules of a language; not at all where the browser knows none, or no such language. @internal */
export function createSplitter(lang: string | undefined): SplitSentences {
  try {
    const segmenter = new Intl.Segmenter(lang, { granularity: 'sentence' })
    return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment)
  } catch {
    // Without a segmenter, or for a language tag that is none: a line is a sentence.
    return (line) => [line]
  }
}

/** Takes a growing text and gives the sentences that are new in it; the last one once the text is whole. @internal */
export type ReadSentences = (text: string, isWhole: boolean, split: SplitSentences) => string[]

/**
 * Reads a Markdown text as it grows, line by line: its sentences as they are said, without marks and blocks of code.
 *
 * @internal
 */
export function createSentenceReader(): ReadSentences {
  /** Where the line begins, and how many sentences of it have been given. */
  let at = 0
  let count = 0
  /** What began the block of code that is read. */
  let fence = ''
  return (text, isWhole, split) => {
    const lines = text.slice(at).split('\n')
    at = text.length - (lines.at(-1) ?? '').length
    return lines.flatMap((line, index) => {
      const isOpen = index + 1 === lines.length
      // Text in a line may hold three backticks as well.
      const mark = /^[ >*+\d.)-]*(`{3,}(?!.*`)|~{3,})/.exec(line)?.[1] ?? ''
      if (fence || mark) {
        if (!isOpen) fence = !fence ? mark : mark.startsWith(fence) ? '' : fence
        return []
      }
      const grows = isOpen && !isWhole
      // A link may hold what looks like an end, so one that is not whole waits.
      const sentences = split(withoutMarks(grows ? line.replace(/!?\[[^\]]*]?$/, '') : line))
      // Whether `5.` ends a sentence shows by the next letter, which may be far.
      while (grows && /^\P{L}+$/u.test(sentences.pop() ?? ''));
      const found = sentences.slice(count)
      // Fewer than before: what was taken for text has become a mark.
      count = isOpen ? Math.max(count, sentences.length) : 0
      return found.map((said) => said.trim()).filter((said) => /[\p{L}\p{N}]/u.test(said))
    })
  }
}

// No lookbehind: older browsers refuse a whole module that holds one.
const withoutMarks = (line: string): string =>
  line
    // Links and images keep their text, one whose end has not come too; addresses keep their host.
    .replace(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/https?:\/\/([^\s/?#)]*\w)(\S*[\w/])?/g, '$1')
    // A number of a list is no end of a sentence.
    .replace(/^([ >]*\d+)\.(?= )/, '$1)')
    .replace(/\\[*_`~|]?|<\/?[a-z][^>]*>|`+|~~|^[ #>*+-]+ /gi, '')
    // `2 * 3` and `snake_case` are no emphasis.
    .replace(/(^|[^\w*_])[*_]+(?=[^\s*_])|([^\s*_])[*_]+(?!\w)/g, '$1$2')
    .replace(/[\s|]+/g, ' ')
