import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'
import { docsFolder } from './pages.ts'

/** The ids of a page's headings, in order. */
export function anchorsOf(markdown: MarkdownRenderer, page: string): string[] {
  const file = join(docsFolder, `${page}.md`)
  const env: Partial<MarkdownEnv> = { path: file, relativePath: `${page}.md` }
  return markdown
    .parse(readFileSync(file, 'utf8'), env)
    .filter(({ type }) => type === 'heading_open')
    .map((token) => token.attrGet('id') ?? '')
}

/**
 * Gives the headings of a Russian page the ids of the English ones: a link to a section leads there in both
 * languages, and the menu of languages stays where one reads.
 */
export function shareAnchors(markdown: MarkdownRenderer): void {
  markdown.core.ruler.before('anchor', 'shared-anchors', ({ tokens, env }) => {
    const { relativePath = '' } = env as Partial<MarkdownEnv>
    const [, page = ''] = /^ru\/(.+)\.md$/.exec(relativePath) ?? []
    if (!page || !existsSync(join(docsFolder, `${page}.md`))) return
    const ids = anchorsOf(markdown, page)
    const headings = tokens.filter(({ type }) => type === 'heading_open')
    for (const [index, heading] of headings.entries()) {
      const id = ids[index]
      if (id && heading.attrGet('id') === null) heading.attrSet('id', id)
    }
  })
}
