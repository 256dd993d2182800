import { createMarkdownRenderer, type MarkdownRenderer } from 'vitepress'
import { beforeAll, describe, expect, it } from 'vitest'
import { docsFolder, pagesIn, readPage } from '../scripts/pages.ts'
import { createReference } from '../scripts/reference.ts'
import { anchorsOf, shareAnchors } from '../scripts/sharedAnchors.ts'

const russian = pagesIn('ru')
const reference = createReference()

/** The prose of a page: no front matter, code, addresses or marks of lists. */
const proseOf = (page: string) =>
  readPage(page)
    .replace(/^---\n.*?\n---\n/s, '')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/^<.*$/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^ *- /gm, '')

const levelsOf = (page: string) =>
  [
    ...readPage(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/^#+(?= )/gm),
  ].map(([{ length }]) => length)

describe('a page in Russian', () => {
  let markdown: MarkdownRenderer
  beforeAll(async () => {
    markdown = await createMarkdownRenderer(docsFolder, { config: shareAnchors })
  })

  it.each(russian)('%s has the headings of the English one, under the same addresses', (page) => {
    expect(levelsOf(`ru/${page}`)).toEqual(levelsOf(page))
    expect(anchorsOf(markdown, `ru/${page}`)).toEqual(anchorsOf(markdown, page))
  })

  it.each(russian)('%s has the code of the English one', (page) => {
    const codeOf = (text: string) => text.match(/^```.*?^```$/gms) ?? []
    expect(codeOf(readPage(`ru/${page}`))).toEqual(codeOf(readPage(page)))
  })

  it.each(russian)('%s links to headings that are there', (page) => {
    for (const [, path = '', anchor = ''] of readPage(`ru/${page}`).matchAll(
      /\]\(([^)#\s]*)#([^)]+)\)/g,
    )) {
      const target = path === '' ? `ru/${page}` : path.slice(1)
      const found = target.startsWith('reference/')
        ? reference.get(target)?.includes(`{#${anchor}}`)
        : anchorsOf(markdown, target).includes(anchor)
      expect(found, `${path}#${anchor}`).toBe(true)
    }
  })

  it.each(russian)('%s is set as Russian is: «quotes», a dash with spaces', (page) => {
    const prose = proseOf(`ru/${page}`)
    expect(prose).toMatch(/[а-яё]/)
    expect(prose.match(/.{0,20}["“”„].{0,20}/g) ?? []).toEqual([])
    expect(prose.match(/.{0,20}(?: - | – |\S—|—\S).{0,20}/g) ?? []).toEqual([])
  })
})

describe('the page that the project starts from is in the docs in its own words', () => {
  it.each([
    ['tools', 'Инструмент с `execute` выполняется автоматически'],
    ['tools', 'результат возвращается модели, и диалог продолжается'],
    ['tools', '`defineTool` только добавляет типы'],
    ['tools', 'разобранные аргументы и `signal`, который срабатывает при остановке чата'],
    ['tools', 'её текст отправляется модели, чтобы та могла исправиться'],
    ['tools', 'попадают в `onToolCall` — единый обработчик для всех инструментов'],
    ['tools', 'аргументы ещё поступают; в `args` — то, что уже удалось разобрать'],
    ['tools', 'аргументы получены полностью'],
    ['tools', 'выполняется `execute` или `onToolCall`'],
    ['tools', 'в `result` — возвращённое значение'],
    ['tools', 'инструмент выбросил ошибку; её текст — в `error`'],
    [
      'tools',
      '`maxToolRoundtrips` (по умолчанию 5) ограничивает, сколько раз модель может вызывать',
    ],
    ['tools', 'должны работать на сервере'],
    ['tools', 'В обоих случаях `state` части становится `result`'],
    ['human-in-the-loop', 'Вызов, который не получил результата'],
    ['human-in-the-loop', 'ставит чат на паузу в состоянии `pending`'],
    ['human-in-the-loop', 'Завершите его из интерфейса через `addToolResult`'],
    ['human-in-the-loop', 'чат отправит результаты и продолжит работу'],
    ['human-in-the-loop', '`autoSendToolResults: false` только записывает ответы'],
    ['human-in-the-loop', 'Если вместо ответа пользователь отправит новое сообщение'],
  ])('%s: %s', (page, words) => {
    expect(readPage(`ru/${page}`).replaceAll(/\s+/g, ' ')).toContain(words)
  })
})
