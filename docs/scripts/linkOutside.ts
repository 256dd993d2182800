import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { docsFolder } from './pages.ts'

/** A link of a page to a file of `examples`: the site carries a copy of it. */
const outside = /^(?:\.\.\/)+examples\//

/** Leads links that work in the repository to where the site has the file. */
export function linkOutside(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-outside', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        if (!href || !outside.test(href)) continue
        token.attrSet('href', href.replace(outside, '/examples/'))
        // A file, not a page: the site's router must leave it alone.
        token.attrSet('target', '_self')
      }
    }
  })
}

/** Puts the files that pages link to where the site serves them. */
export function copyExamples(): void {
  const file = 'examples/python/server.py'
  cpSync(join(docsFolder, '..', file), join(docsFolder, 'public', file))
}
