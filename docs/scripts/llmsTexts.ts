import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listedPages } from './locales.ts'
import { docsFolder, readPage, titleOf, withSamples } from './pages.ts'

/** The address that a heading names. */
const anchor = / \{#[\w-]+\}$/gm

/** A page without what only the site needs, its samples in place of the lines that include them. */
function toPlainPage(page: string): string {
  return withSamples(readPage(page))
    .replace(/^---\n.*?\n---\n+/s, '')
    .replaceAll(/^<script setup.*?^<\/script>\n+/gms, '')
    .replaceAll(/^<(?:Live|Architecture)\b.*?\/>\n+/gms, '')
    .replaceAll(anchor, '')
    .trim()
}

/** What a page gets the reader: its first paragraph. */
export function leadOf(page: string): string {
  const [, lead = ''] = /^# [^\n]+\n+([^#`<|-].*?)(?:\n\n|\n*$)/s.exec(toPlainPage(page)) ?? []
  return lead
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
}

/** What the two texts say beside the pages. */
const words = {
  en: {
    about:
      'An LLM chat with tools for Vue 3: reactive messages made of parts, any provider, tool calls that run by themselves, wait for a person or run on the server, and components drawn from tool calls.',
    all: 'All pages and all exports in one text',
    other: 'In Russian: [/ru/llms.txt](/ru/llms.txt).',
    pages: 'Pages',
    reference: 'Reference',
  },
  ru: {
    about:
      'Чат с LLM и инструментами для Vue 3: реактивные сообщения из частей, любой провайдер, вызовы инструментов, которые выполняются сами, ждут человека или работают на сервере, и компоненты из вызовов.',
    all: 'Все страницы одним текстом',
    other: 'По-английски: [/llms.txt](/llms.txt).',
    pages: 'Страницы',
    reference: 'Справочник (на английском)',
  },
}

/** The pages of the reference without what only the site needs, the overview first. */
function toPlainReference(pages: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...pages]
      .toSorted(([a], [b]) => Number(b.endsWith('/index')) - Number(a.endsWith('/index')))
      .map(([page, text]) => [
        page,
        text
          .replace(/^---\n.*?\n---\n+/s, '')
          .replaceAll(anchor, '')
          .replaceAll(/^<small>.*<\/small>\n+/gm, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&#123;', '{')
          .trim(),
      ]),
  )
}

/**
 * The pages for programs that read: a list of them (https://llmstxt.org), and all of them in one text; `made` are the
 * pages of the reference.
 */
export function createLlmsTexts(
  made: ReadonlyMap<string, string>,
  language: '' | 'ru' = '',
): { index: string; full: string } {
  const own = words[language || 'en']
  const prefix = language && `${language}/`
  const pages = listedPages
    .map((page) => prefix + page)
    .filter((page) => existsSync(join(docsFolder, `${page}.md`)))
  const reference = toPlainReference(made)
  const lines = pages.map((page) => `- [${titleOf(page)}](/${page}): ${leadOf(page)}`)
  const entries = [...reference].map(([page, text]) => {
    const [, title = '', about = ''] = /^# (.*)\n+(.*)/.exec(text) ?? []
    return `- [${title.replaceAll('`', '')}](/${page.replace(/index$/, '')}): ${about.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`
  })
  const index = [
    '# vue-llm',
    `> ${own.about}`,
    `${own.all}: [/${prefix}llms-full.txt](/${prefix}llms-full.txt). ${own.other}`,
    `## ${own.pages}`,
    lines.join('\n'),
    `## ${own.reference}`,
    entries.join('\n'),
    '',
  ].join('\n\n')
  const texts = [...pages.map(toPlainPage), ...(language ? [] : reference.values())]
  return { index, full: `${texts.join('\n\n')}\n` }
}

/** Writes them where the site serves them. */
export function writeLlmsTexts(made: ReadonlyMap<string, string>): void {
  for (const language of ['', 'ru'] as const) {
    const folder = join(docsFolder, 'public', language)
    mkdirSync(folder, { recursive: true })
    const { index, full } = createLlmsTexts(made, language)
    writeFileSync(join(folder, 'llms.txt'), index)
    writeFileSync(join(folder, 'llms-full.txt'), full)
  }
}
