import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the site's pages. */
export const docsFolder = fileURLToPath(new URL('..', import.meta.url))

/** Folders that hold no pages written by hand. */
const otherFolders = /^(node_modules|\.vitepress|public|reference|samples|scripts|tests)(\/|$)/

/** The pages of a language written by hand, as paths without `.md`; `''` is English, at the root. */
export function pagesIn(language: string): string[] {
  const folder = join(docsFolder, language)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && entry.name !== 'README.md')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !otherFolders.test(path) && (language !== '' || !path.startsWith('ru/')))
    .map((path) => path.slice(0, -'.md'.length))
    .toSorted()
}

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(docsFolder, `${page}.md`), 'utf8')
}

/** What a page is called: its first heading of the first level. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readPage(page)) ?? []
  if (title === undefined) throw new Error(`docs/${page}.md needs a line '# Title'`)
  return title.replaceAll('`', '')
}

/** The page with the samples in it that it includes (`<<< @/samples/…`). */
export function withSamples(text: string): string {
  return text.replaceAll(
    /^<<< @\/([^\s#{]+\.(\w+))(?:#([\w-]+))?(?:\{.*\})?(?: \[.*\])?$/gm,
    (_, file: string, extension: string, region?: string) =>
      `\`\`\`${extension}\n${sampleText(file, region)}\n\`\`\``,
  )
}

/** A sample as the page shows it: a region of it, or all of it without the marks of regions. */
export function sampleText(file: string, region?: string): string {
  const lines = readFileSync(join(docsFolder, file), 'utf8').trimEnd().split('\n')
  const mark = (word: string) => (line: string) =>
    new RegExp(String.raw`#${word} ${region}\s*(-->)?$`).test(line.trim())
  const shown =
    region === undefined
      ? lines
      : lines.slice(lines.findIndex(mark('region')) + 1, lines.findIndex(mark('endregion')))
  if (shown.length === 0) throw new Error(`docs/${file} has no region '${region}'`)
  return shown.filter((line) => !/^\s*(\/\/|<!--) ?#(end)?region/.test(line)).join('\n')
}
