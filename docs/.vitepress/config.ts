import { defineConfig } from 'vitepress'
import { aliases } from '../../vite.aliases.ts'
import { copyExamples, linkOutside } from '../scripts/linkOutside.ts'
import { writeLlmsTexts } from '../scripts/llmsTexts.ts'
import { createLocales, searchLocales } from '../scripts/locales.ts'
import { writeReference } from '../scripts/reference.ts'
import { searchAsDialog } from '../scripts/searchAsDialog.ts'
import { shareAnchors } from '../scripts/sharedAnchors.ts'

// Before VitePress looks which pages there are.
const reference = writeReference()
copyExamples()
writeLlmsTexts(reference)

export default defineConfig({
  title: 'vue-llm',
  titleTemplate: ':title | vue-llm',
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  srcExclude: ['README.md', 'ru/README.md', 'samples/**', 'scripts/**', 'tests/**'],
  locales: createLocales(),
  themeConfig: {
    search: { provider: 'local', options: { locales: searchLocales } },
    externalLinkIcon: true,
  },
  markdown: {
    // Both have enough contrast on their backgrounds.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'sh' },
    config(markdown) {
      linkOutside(markdown)
      shareAnchors(markdown)
    },
  },
  vite: {
    // The site shows the package's sources, with one copy of Vue for both.
    resolve: { alias: aliases, dedupe: ['vue'] },
    plugins: [searchAsDialog()],
  },
})
