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
    '../server/{handleChat,orders}.ts',
    './components/{ChatMessage,RecipeView,SpeechView}.vue',
    './approval/approvalTools.ts',
    './approval/{AskDay,RefundForm}.vue',
    './errors/errorsChat.ts',
    './generative/{componentTools,uiChat,uiTools}.ts',
    './generative/{SeatPicker,UiMessage}.vue',
    './life/lifeChat.ts',
    './long/{LongMessages.vue,scrollByKey.ts,withLastMessages.ts}',
    './providers/providersChat.ts',
    './serverTools/serverChat.ts',
    './textCalls/textChat.ts',
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
  long: ['./long/LongMessages.vue', './long/scrollByKey.ts', './long/withLastMessages.ts'],
  life: ['./life/lifeChat.ts'],
  states: ['./components/ChatMessage.vue'],
  approval: ['./approval/approvalTools.ts', './approval/RefundForm.vue', './approval/AskDay.vue'],
  server: ['./serverTools/serverChat.ts', '../server/handleChat.ts', '../server/orders.ts'],
  tools: ['./toolsChat.ts'],
  text: ['./textCalls/textChat.ts'],
  ui: ['./generative/uiTools.ts', './generative/UiMessage.vue', './generative/uiChat.ts'],
  component: ['./generative/componentTools.ts', './generative/SeatPicker.vue'],
  recipe: ['./components/RecipeView.vue'],
  speech: ['./components/SpeechView.vue'],
  providers: ['./providers/providersChat.ts'],
  errors: ['./errors/errorsChat.ts'],
}

/** What a page is made of, short enough to be read beside it. */
export const sourcesOf = ({ name }: View): Source[] =>
  files[name].map((path) => ({
    file: path.replace(/^.*\//, ''),
    text: toSnippet(texts[path] ?? ''),
  }))
