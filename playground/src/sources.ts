import { toSnippet } from './toSnippet'
import type { View } from './views'

/** The essential lines of a file that a page is made of. */
export interface Source {
  file: string
  text: string
}

/** The files themselves, so that what is shown is what runs. */
const texts = import.meta.glob<string>(
  [
    '../server/handleChat.ts',
    './components/{ChatMessage,RecipeView,SpeechView}.vue',
    './errors/errorsChat.ts',
    './generative/{uiChat,uiTools}.ts',
    './generative/UiMessage.vue',
    './long/{LongMessages.vue,scrollByKey.ts,withLastMessages.ts}',
    './{playgroundChat,tools,toolsChat}.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

const files: Readonly<Record<View['name'], readonly string[]>> = {
  chat: [
    './playgroundChat.ts',
    './tools.ts',
    './components/ChatMessage.vue',
    '../server/handleChat.ts',
  ],
  ui: ['./generative/uiTools.ts', './generative/UiMessage.vue', './generative/uiChat.ts'],
  tools: ['./toolsChat.ts'],
  recipe: ['./components/RecipeView.vue'],
  speech: ['./components/SpeechView.vue'],
  errors: ['./errors/errorsChat.ts'],
  long: ['./long/LongMessages.vue', './long/scrollByKey.ts', './long/withLastMessages.ts'],
  states: ['./components/ChatMessage.vue'],
}

/** What a page is made of, short enough to be read beside it. */
export const sourcesOf = ({ name }: View): Source[] =>
  files[name].map((path) => ({
    file: path.replace(/^.*\//, ''),
    text: toSnippet(texts[path] ?? ''),
  }))
