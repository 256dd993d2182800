import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLlmsTexts, leadOf } from '../scripts/llmsTexts.ts'
import { listedPages } from '../scripts/locales.ts'
import { createReference } from '../scripts/reference.ts'
import { docsFolder, pagesIn, readPage, sampleText, titleOf } from '../scripts/pages.ts'

const english = pagesIn('')
const russian = pagesIn('ru')
const reference = createReference()
const guides = english.filter((page) => page !== 'index')
const included = /^<<< @\/([^\s#{]+)(?:#([\w-]+))?/gm

/** Pages whose samples are held by a test of their own. */
const heldElsewhere = new Set(['protocol', 'performance'])

describe('the pages', () => {
  it('every page is in the sidebar', () => {
    expect(guides.filter((page) => !listedPages.includes(page))).toEqual([])
  })

  it.each(guides)('%s begins with what it gets the reader, then a sample', (page) => {
    expect(leadOf(page).length).toBeGreaterThan(30)
    const [, first = ''] = readPage(page).split(/^# .+\n/m)
    const beforeSample = first.split(/^(?:<<<|<Live|<Architecture|```)/m)[0] ?? ''
    expect(beforeSample.trim().split(/\s+/).length).toBeLessThan(90)
    expect(beforeSample).not.toMatch(/^## /m)
  })

  it.each(english.filter((page) => !heldElsewhere.has(page)))(
    'the samples of %s are files',
    (page) => {
      const text = readPage(page)
      expect(text).not.toMatch(/^```(?!sh$|$)/m)
      for (const [, file = '', region] of text.matchAll(included)) {
        expect(sampleText(file, region).trim()).not.toBe('')
      }
      for (const [, name] of text.matchAll(/<Live name="(\w+)"/g)) {
        expect(existsSync(join(docsFolder, 'samples', `${name}.vue`))).toBe(true)
      }
    },
  )

  it('every sample is shown on a page', () => {
    const samples = readdirSync(join(docsFolder, 'samples'), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(docsFolder.length))
    const texts = english.map(readPage).join('\n')
    const shown = new Set([...texts.matchAll(included)].map(([, file]) => file))
    expect(samples.filter((file) => !shown.has(file))).toEqual([])
  })

  it.each(['', 'ru'] as const)(
    'the list for programs names every page and holds every sample: %s',
    (language) => {
      const { index, full } = createLlmsTexts(reference, language)
      const prefix = language && `${language}/`
      const headings = full.replaceAll('`', '').split('\n')
      for (const page of guides) {
        expect(index).toContain(`](/${prefix}${page}): ${leadOf(prefix + page)}\n`)
        expect(headings).toContain(`# ${titleOf(prefix + page)}`)
      }
      expect(index).toContain('(/reference/core): ')
      expect(index).not.toMatch(/ {2}|undefined/)
      expect(full).toContain("name: 'get_weather'")
      // Every export stands in the English one.
      expect(full.includes('### createServeServer\n')).toBe(language === '')
      expect(full).not.toMatch(/^<<<|^<Live|^---$|&lt;|\{#/m)
    },
  )
})

describe('the page that the project starts from is in the docs', () => {
  it.each([
    ['tools', 'JSON\nSchema'],
    ['tools', 'A tool with `execute` runs by itself'],
    ['tools', '`defineTool` only adds types'],
    ['tools', 'a `signal` that aborts when the chat\nis stopped'],
    ['tools', "error's text is sent to the model, so that it can correct itself"],
    ['tools', 'Tools without `execute` go to `onToolCall`, one handler for all of them'],
    [
      'tools',
      '| `streaming` | the arguments still arrive; `args` holds what could be parsed so far |',
    ],
    ['tools', '| `pending` | the arguments are whole; the call waits'],
    ['tools', '| `running` | `execute` or `onToolCall` runs'],
    ['tools', '| `result` | `result` holds what was returned |'],
    ['tools', '| `error` | the tool threw; the text is in `error` |'],
    ['tools', '`maxToolRoundtrips` (5 by default)'],
    ['tools', 'Tools that need secrets or a database belong on a server'],
    ['tools', 'arrives in state `result`, and the page sends nothing more'],
    ['tools', '[Generative UI](/generative-ui)'],
    ['tools', '[through `createSSEProvider`](/protocol)'],
    ['human-in-the-loop', 'stays `pending`,\nand the chat pauses'],
    ['human-in-the-loop', 'Answer it from your page with `addToolResult`'],
    ['human-in-the-loop', 'When no call waits any more, the chat sends the results and goes on'],
    ['human-in-the-loop', '`autoSendToolResults: false` only records the answers'],
    ['human-in-the-loop', 'the model reads that no answer was given'],
  ])('%s: %s', (page, words) => {
    expect(readPage(page)).toContain(words)
  })

  it('with its samples', () => {
    const weather = sampleText('samples/weather.ts')
    expect(weather).toContain('defineTool<{ city: string }, { temp: number }>')
    expect(weather).toContain('maxToolRoundtrips: 3')
    expect(sampleText('samples/onToolCall.ts')).toContain(
      "if (toolName === 'get_weather') return fetchWeather(args as { city: string })",
    )
    expect(sampleText('samples/answers.ts', 'answers')).toContain('result: { approved: true }')
    expect(sampleText('samples/AskColor.vue')).toContain("error: 'The user declined'")
  })
})

describe.skipIf(russian.length === 0)('the pages in Russian', () => {
  it('are the same as in English', () => {
    expect(russian).toEqual(english)
  })

  it.each(russian)('%s shows the same samples in the same order', (page) => {
    const shown = (text: string) =>
      [...text.matchAll(/^<<< @\/\S+|<Live name="\w+"|<Architecture|`\{"type"[^`]*/gm)].map(
        ([mark]) => mark,
      )
    expect(shown(readPage(`ru/${page}`))).toEqual(shown(readPage(page)))
  })

  it.each(russian)('%s links to pages in Russian', (page) => {
    const text = readFileSync(join(docsFolder, 'ru', `${page}.md`), 'utf8')
    const links = [...text.matchAll(/\]\((\/[^)#]*)|^\s*link: (\/\S*)/gm)].map(
      ([, inText, inList]) => inText ?? inList ?? '',
    )
    expect(links.filter((link) => !/^\/(ru|reference|examples)\//.test(link))).toEqual([])
  })
})
