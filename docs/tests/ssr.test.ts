// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import type { MessageInput } from 'vue-llm'
import { render } from '../samples/ssr/server.ts'

const stored: MessageInput[] = [
  { role: 'user', content: 'Who is Ada?' },
  { role: 'assistant', content: 'Hello <b>Ada</b></script>' },
]

it('the samples of server rendering ask nothing, and the browser takes over what is drawn', async () => {
  const asked = vi.spyOn(globalThis, 'fetch')
  document.body.innerHTML = await render(stored)
  const main = document.querySelector('main')
  const drawn = main?.innerHTML
  expect(drawn).toContain('Hello &lt;b&gt;Ada')
  const parts = [...document.querySelectorAll('[data-part]')]
  await import('../samples/ssr/browser.ts')
  expect(main?.innerHTML).toBe(drawn)
  expect([...document.querySelectorAll('[data-part]')]).toEqual(parts)
  expect(main).toHaveProperty('__vue_app__')
  expect(asked).not.toHaveBeenCalled()
})
