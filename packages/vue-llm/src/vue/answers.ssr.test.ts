// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, onServerPrefetch } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createOpenAIProvider } from '../providers'
import { createScriptedProvider } from '../testing'
import { useChat } from './useChat'
import { useCompletion } from './useCompletion'
import { useObject } from './useObject'
import { useSpeech, type Speak } from './useSpeech'

const schema = { type: 'object', properties: { title: { type: 'string' } } } as const

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('on a server', () => {
  it('nothing is asked, started, made up or said by itself', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    vi.stubGlobal('fetch', fetch)
    const spies = [
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(Math, 'random'),
      vi.spyOn(Date, 'now'),
    ]
    const App = defineComponent(() => {
      const provider = createOpenAIProvider({ baseURL: 'http://localhost/v1', apiKey: 'key' })
      const { object, result, status } = useObject({ provider, model: 'm', schema })
      const { completion, input } = useCompletion({ provider, model: 'm' })
      const { speaking } = useSpeech(useChat({ provider, model: 'm' }))
      const shown = [object, result, status, completion, input, speaking]
      return () => h('p', JSON.stringify(shown.map(({ value }) => value ?? null)))
    })
    const html = await renderToString(createSSRApp(App))
    expect(html).toBe('<p>[null,null,&quot;ready&quot;,&quot;&quot;,&quot;&quot;,false]</p>')
    expect(fetch).not.toHaveBeenCalled()
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  it('an answer may be awaited in onServerPrefetch, and is not said', async () => {
    const speak = vi.fn<Speak>()
    const App = defineComponent(() => {
      const provider = createScriptedProvider(['{"title": "Soup"}', 'A text.', 'Said. Or not.'])
      const { result, submit } = useObject({ provider, model: 'm', schema })
      const { completion, complete } = useCompletion({ provider, model: 'm' })
      const chat = useChat({ provider, model: 'm' })
      useSpeech(chat, { speak })
      onServerPrefetch(async () => {
        await submit('1')
        await complete('2')
        await chat.sendMessage('3')
      })
      return () => h('p', [result.value?.title, completion.value, chat.messages.value.length])
    })
    const html = await renderToString(createSSRApp(App))
    expect(html.replace(/<!--.*?-->/g, '')).toBe('<p>SoupA text.2</p>')
    expect(speak).not.toHaveBeenCalled()
  })
})
