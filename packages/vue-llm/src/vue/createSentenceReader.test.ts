import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSentenceReader, createSplitter } from './createSentenceReader'

afterEach(() => vi.unstubAllGlobals())

const split = createSplitter('en')
const whole = (text: string) => createSentenceReader()(text, true, split)

/** What is said of a text that arrives in pieces of that many characters. */
function piecewise(text: string, size: number): string[] {
  const said: string[] = []
  const read = createSentenceReader()
  for (let at = 0; at <= text.length + size; at += size) {
    said.push(...read(text.slice(0, at), at >= text.length, split))
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
    [
      'a link that asks',
      'See [Why? So!](https://a.b/c?d=e!f) now. Ok.',
      ['See Why?', 'So!', 'now.', 'Ok.'],
    ],
    ['a link with a title', 'See [it](https://a.b "All. Of it.") now.', ['See it now.']],
    [
      'addresses',
      'At https://a.org/b?c=d. Or (https://e.f/)? Go.',
      ['At a.org.', 'Or (e.f)?', 'Go.'],
    ],
    ['numbers that begin a sentence', 'So. 2024. Then.', ['So.', '2024.', 'Then.']],
    ['numbers after a point', 'See No. 3 of it. Ok.', ['See No. 3 of it.', 'Ok.']],
    ['a fence that does not begin a line', 'A. ```js is one.\nB.', ['A. js is one.', 'B.']],
    [
      'Russian',
      'Как дела? Всё, т. е. да. «Нет!» Ну…',
      ['Как дела?', 'Всё, т. е. да.', '«Нет!»', 'Ну…'],
    ],
    ['Japanese', '元気ですか？はい。**では**、また！', ['元気ですか？', 'はい。', 'では、また！']],
    ['emoji', 'Great! 🎉 Go on. 👍🏽👨‍👩‍👧', ['Great!', '🎉 Go on.']],
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
    const read = createSentenceReader()
    expect(read('One. Tw', false, split)).toEqual(['One.'])
    expect(read('One. Two.', false, split)).toEqual([])
    expect(read('One. Two.', true, split)).toEqual(['Two.'])
    expect(read('One. Two.', true, split)).toEqual([])
  })

  it('what stands before a block of code is said at once', () => {
    expect(createSentenceReader()('Look:\n```js', false, split)).toEqual(['Look:'])
  })
})

describe('without rules of a language', () => {
  it.each(['no Intl.Segmenter', 'a wrong tag'])('a line is a sentence: %s', (what) => {
    if (what === 'no Intl.Segmenter') vi.stubGlobal('Intl', {})
    const by = createSplitter('not a tag')
    const read = createSentenceReader()
    expect(read('One. Two!\nThr', false, by)).toEqual(['One. Two!'])
    expect(read('One. Two!\nThree', true, by)).toEqual(['Three'])
  })
})
