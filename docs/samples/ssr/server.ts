import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import type { MessageInput } from 'vue-llm'
import { Chat } from './Chat'

/** The body of the page: nothing is asked, what is stored is drawn, and goes along as JSON. */
export async function render(stored: readonly MessageInput[]): Promise<string> {
  const html = await renderToString(createSSRApp(Chat(stored)))
  // A message may hold `</script>`.
  const json = JSON.stringify(stored).replaceAll('<', '\\u003c')
  return `<main id="app">${html}</main><script type="application/json" id="stored">${json}</script>`
}
