import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listedPages } from './locales.ts'
import { docsFolder, readPage, titleOf, withSamples } from './pages.ts'

/** A page without what only the site needs, its samples in place of the lines that include them. */
function toPlainPage(page: string): string {
  return withSamples(readPage(page))
    .replace(/^---\n.*?\n---\n+/s, '')
    .replaceAll(/^<script setup.*?^<\/script>\n+/gms, '')
    .replaceAll(/^<(?:Live|Architecture)\b.*?\/>\n+/gms, '')
    .trim()
}

/** What a page gets the reader: its first paragraph. */
export function leadOf(page: string): string {
  const [, lead = ''] = /^# [^\n]+\n+([^#`<|-].*?)(?:\n\n|\n*$)/s.exec(toPlainPage(page)) ?? []
  return lead.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

/** The pages for programs that read: a list of them (https://llmstxt.org), and all of them in one text. */
export function createLlmsTexts(): { index: string; full: string } {
  const pages = listedPages.filter((page) => existsSync(join(docsFolder, `${page}.md`)))
  const lines = pages.map((page) => `- [${titleOf(page)}](/${page}): ${leadOf(page)}`)
  const index = [
    '# vue-llm',
    '> An LLM chat with tools for Vue 3: reactive messages made of parts, any provider, tool calls that run by themselves, wait for a person or run on the server, and components drawn from tool calls.',
    'All pages in one text: [/llms-full.txt](/llms-full.txt).',
    '## Pages',
    lines.join('\n'),
    '## Reference',
    '- [All exports](/reference/): every public name, with its docblock',
    '',
  ].join('\n\n')
  const full = `${pages.map(toPlainPage).join('\n\n')}\n`
  return { index, full }
}

/** Writes them where the site serves them. */
export function writeLlmsTexts(): void {
  const folder = join(docsFolder, 'public')
  mkdirSync(folder, { recursive: true })
  const { index, full } = createLlmsTexts()
  writeFileSync(join(folder, 'llms.txt'), index)
  writeFileSync(join(folder, 'llms-full.txt'), full)
}
