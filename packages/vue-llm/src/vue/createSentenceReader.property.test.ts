import { propertyRuns } from '#test/propertyRuns'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSentenceReader, createSplitter } from './createSentenceReader'

const pieces =
  'One|two| |. |.|? |! |\n|\n\n|```|`|```js\n|\n```\n|~~~|[|](|)| 3 |2.|**|- |1. |> |你好。|Да. |🎉|"|<b>|# |\\'.split(
    '|',
  )

/** Where a sentence ends may hang on a mark that is not there yet; its words are said, and once. */
const wordsOf = (said: readonly string[]) => said.join('').replace(/[^\p{L}\p{N}]/gu, '')

it('what is said does not hang on where the text is cut', () => {
  const split = createSplitter('en')
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('|', ...pieces), { maxLength: 16 }),
      fc.array(fc.nat(100), { maxLength: 6 }),
      (parts, cuts) => {
        const text = parts.join('')
        const said: string[] = []
        const read = createSentenceReader()
        for (const cut of cuts.toSorted((a, b) => a - b)) {
          said.push(...read(text.slice(0, cut), false, split))
        }
        said.push(...read(text, true, split))
        expect(wordsOf(said)).toBe(wordsOf(createSentenceReader()(text, true, split)))
      },
    ),
    { numRuns: propertyRuns(500) },
  )
})
