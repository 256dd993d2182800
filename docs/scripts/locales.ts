import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme, LocaleConfig } from 'vitepress'
import { docsFolder, titleOf } from './pages.ts'

type Theme = DefaultTheme.Config

/** The pages in reading order; their names are their own first headings. */
const sections = {
  start: ['getting-started', 'concepts', 'chat'],
  guides: [
    'tools',
    'human-in-the-loop',
    'generative-ui',
    'structured-output',
    'http-tools',
    'providers',
    'text-tool-calls',
    'testing',
    'migrating',
  ],
  server: ['server', 'protocol', 'serve', 'security', 'ssr', 'performance'],
  recipes: ['recipes/markdown', 'recipes/long-chats', 'recipes/storage', 'recipes/files'],
  contributing: ['contributing/architecture', 'contributing/chunks', 'contributing/extending'],
} as const

/** Every page of the sidebar. */
export const listedPages: readonly string[] = Object.values(sections).flat()

interface Words {
  label: string
  description: string
  sections: Record<keyof typeof sections | 'reference', string>
  reference: string
  theme: Theme
}

const english: Words = {
  label: 'English',
  description: 'An LLM chat with tools for Vue 3',
  sections: {
    start: 'Start',
    guides: 'Guides',
    server: 'Servers',
    recipes: 'Recipes',
    contributing: 'Working on vue-llm',
    reference: 'Reference',
  },
  reference: 'All exports',
  theme: {
    notFound: {
      title: 'Page not found',
      quote: 'There is no such page: it was moved, or the address has a mistake in it.',
      linkText: 'To the start',
      linkLabel: 'To the start',
    },
  },
}

const russian: Words = {
  label: 'Русский',
  description: 'Чат с LLM и инструментами для Vue 3',
  sections: {
    start: 'Начало',
    guides: 'Руководства',
    server: 'Сервер',
    recipes: 'Рецепты',
    contributing: 'Разработка vue-llm',
    reference: 'Справочник',
  },
  reference: 'Все экспорты (на английском)',
  theme: {
    outline: { label: 'На этой странице', level: [2, 3] },
    docFooter: { prev: 'Назад', next: 'Далее' },
    darkModeSwitchLabel: 'Тема',
    lightModeSwitchTitle: 'Светлая тема',
    darkModeSwitchTitle: 'Тёмная тема',
    sidebarMenuLabel: 'Меню',
    returnToTopLabel: 'Наверх',
    langMenuLabel: 'Язык',
    skipToContentLabel: 'К содержанию',
    notFound: {
      title: 'Страница не найдена',
      quote: 'Такой страницы нет: её перенесли, или в адресе ошибка.',
      linkText: 'На главную',
      linkLabel: 'На главную',
    },
  },
}

function localeOf(language: '' | 'ru', words: Words): LocaleConfig<Theme>[string] {
  const prefix = language && `${language}/`
  const pageOf = (page: string) => `${prefix}${page}`
  const items = (pages: readonly string[]) =>
    pages
      .map(pageOf)
      .filter((page) => existsSync(join(docsFolder, `${page}.md`)))
      .map((page) => ({ text: titleOf(page), link: `/${page}` }))
  const groups = Object.entries(sections).map(([section, pages]) => ({
    text: words.sections[section as keyof typeof sections],
    items: items(pages),
  }))
  const reference = {
    text: words.sections.reference,
    items: [{ text: words.reference, link: '/reference/' }],
  }
  const nav = [
    ...items(['getting-started', 'tools', 'server']),
    { text: words.sections.reference, link: '/reference/' },
  ]
  return {
    label: words.label,
    lang: language || 'en',
    description: words.description,
    themeConfig: {
      nav,
      sidebar: [...groups, reference].filter((group) => group.items.length),
      outline: { level: [2, 3] },
      ...words.theme,
    },
  }
}

/** The languages of the site: English, and Russian where its folder exists. */
export function createLocales(): LocaleConfig<Theme> {
  const locales: LocaleConfig<Theme> = { root: localeOf('', english) }
  if (existsSync(join(docsFolder, 'ru'))) locales['ru'] = localeOf('ru', russian)
  return locales
}

/** What the search says in Russian. */
export const searchLocales: NonNullable<DefaultTheme.LocalSearchOptions['locales']> = {
  ru: {
    translations: {
      button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
      modal: {
        displayDetails: 'Показать подробности',
        resetButtonTitle: 'Очистить',
        backButtonTitle: 'Закрыть поиск',
        noResultsText: 'Ничего не найдено:',
        footer: {
          selectText: 'открыть',
          selectKeyAriaLabel: 'Enter',
          navigateText: 'выбрать',
          navigateUpKeyAriaLabel: 'стрелка вверх',
          navigateDownKeyAriaLabel: 'стрелка вниз',
          closeText: 'закрыть',
          closeKeyAriaLabel: 'Esc',
        },
      },
    },
  },
}
