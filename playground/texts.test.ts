import { describe, expect, it } from 'vitest'
import { textOf } from './src/textCalls/textOf.ts'
import { toSnippet } from './src/toSnippet.ts'

describe('the text of an answer', () => {
  it('is what its whole events carry, however much has arrived', () => {
    const answer =
      '{"choices":[{"delta":{"content":"<a"}}]}|{"choices":[{"delta":{}}]}|{"choices":[]}|[DONE]'
        .split('|')
        .map((data) => `data: ${data}\n\n`)
        .join('')
    for (let length = 0; length <= answer.length; length++) {
      const isThere = length > answer.indexOf('\n')
      expect(textOf(answer.slice(0, length))).toBe(isThere ? '<a' : '')
    }
  })
})

describe('a snippet', () => {
  it.each([
    [
      'is the marked part, moved to the left',
      'a\n  // #region source\n  b\n    c\n  // #endregion\nd',
      'b\n  c\n',
    ],
    [
      'joins several parts',
      '<!-- #region source -->\na\n<!-- #endregion -->\nb\n// #region source\nc\n// #endregion\n',
      'a\n\nc\n',
    ],
    ['is the whole file without marks', 'a\n  b\n', 'a\n  b\n'],
  ])('%s', (_, file, expected) => {
    expect(toSnippet(file)).toBe(expected)
  })
})
