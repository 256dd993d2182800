import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSplitter, takeSentences } from './takeSentences'

afterEach(() => vi.unstubAllGlobals())

const split = createSplitter('en')
const whole = (text: string) => takeSentences(text, 0, true, split).sentences

/** What is said of a text that arrives in pieces of that many characters. */
function piecewise(text: string, size: number, by = split): string[] {
  const said: string[] = []
  let from = 0
  for (let at = 0; at <= text.length + size; at += size) {
    const part = takeSentences(text.slice(0, at), from, at >= text.length, by)
    said.push(...part.sentences)
    from = part.end
  }
  return said
}

describe('what is said of a text', () => {
  it.each<[string, string, string[]]>([
    ['sentences', 'One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['numbers with a point', 'It is 2.5 now. Good.', ['It is 2.5 now.', 'Good.']],
    ['lines', 'Title\nText', ['Title', 'Text']],
    ['emphasis', '**Bold** and _slanted_, ***both***.', ['Bold and slanted, both.']],
    ['no emphasis', '2 * 3 and 2*3 in snake_case_name.', ['2 * 3 and 2*3 in snake_case_name.']],
    ['struck text', '~~Old~~ new, ~5 km.', ['Old new, ~5 km.']],
    ['headings', '## Weather\nFine.', ['Weather', 'Fine.']],
    ['lists', '- one\n* two\n+ three\n1. four', ['one', 'two', 'three', '1) four']],
    ['quotes', '> Said she.\n> > - He.', ['Said she.', 'He.']],
    ['links and images', 'See [the docs](https://a.b/c) ![a cat](x.png).', ['See the docs a cat.']],
    ['inline code', 'Call `useChat()` now.', ['Call useChat() now.']],
    ['tags', 'A<br>b <b>c</b>, <https://a.b>d < e.', ['Ab c, d < e.']],
    ['tables', '| a | b |\n|---|---|\n| 1 | 2 |', ['a b', '1 2']],
    ['rules', 'A.\n\n---\n\n***\nB.', ['A.', 'B.']],
    ['escapes', String.raw`Is \*not\* bold.`, ['Is not bold.']],
    ['other scripts', '**Привет.** 你好。再见。', ['Привет.', '你好。', '再见。']],
    ['nothing', ' \n\n', []],
    ['a block of code', 'A:\n```js\nlet b. C.\n```\nD.', ['A:', 'D.']],
    ['a block in a list', '1. A:\n   ```\n   b. c.\n   ```\n2. D', ['1) A:', '2) D']],
    ['a block in a quote', '> A\n> ```\n> b\n> ```\n> C', ['A', 'C']],
    [
      'blocks with tildes and longer fences',
      '~~~\na\n```\n~~~\nB\n````\n```\nc\n````\nD',
      ['B', 'D'],
    ],
    ['a block without an end', 'A.\n```\nb. c.', ['A.']],
    ['three backticks in a line', '```a``` b. C.', ['a b.', 'C.']],
  ])('%s', (_, text, said) => {
    expect(whole(text)).toEqual(said)
    for (const size of [1, 2, 3, 7]) expect(piecewise(text, size)).toEqual(said)
  })

  it('a sentence is said once the next has begun', () => {
    expect(takeSentences('One. Tw', 0, false, split)).toEqual({ sentences: ['One.'], end: 5 })
    expect(takeSentences('One. Two.', 5, false, split)).toEqual({ sentences: [], end: 5 })
    expect(takeSentences('One. Two.', 5, true, split)).toEqual({ sentences: ['Two.'], end: 9 })
  })

  it('what stands before a block of code is said at once', () => {
    expect(takeSentences('Look:\n```js', 0, false, split)).toEqual({ sentences: ['Look:'], end: 6 })
  })
})

describe('without Intl.Segmenter', () => {
  const text = 'One. “Two!” It is 2.5 now…\nThree\n你好。再见'
  const said = ['One.', '“Two!”', 'It is 2.5 now…', 'Three', '你好。', '再见']

  it('sentences end after their marks and lines', () => {
    vi.stubGlobal('Intl', {})
    const by = createSplitter('en')
    expect(takeSentences(text, 0, true, by).sentences).toEqual(said)
    for (const size of [1, 2, 3, 7]) expect(piecewise(text, size, by)).toEqual(said)
  })

  it('a wrong language tag does no harm', () => {
    expect(takeSentences('A. B.', 0, true, createSplitter('not a tag')).sentences).toEqual([
      'A.',
      'B.',
    ])
  })
})
