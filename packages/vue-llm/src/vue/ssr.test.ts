// @vitest-environment node
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, onServerPrefetch, ref, type Ref } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createOpenAIProvider } from '../providers'
import { createScriptedProvider } from '../testing'
import { MessageParts } from './MessageParts'
import { useChat, type UseChatOptions } from './useChat'

const source = fileURLToPath(new URL('..', import.meta.url))

const initialMessages = [
  { role: 'user' as const, content: 'hi' },
  { role: 'assistant' as const, content: 'hello' },
]

/** A server's app with a chat, as each request gets a new one. */
function appOf(options: Partial<UseChatOptions> = {}) {
  const Chat = defineComponent(() => {
    const provider = createOpenAIProvider({ baseURL: 'http://localhost/v1', apiKey: 'key' })
    const { messages, status, id, usage, pendingToolCalls, queued, input, error } = useChat({
      provider,
      model: 'm',
      initialMessages,
      ...options,
    })
    return () =>
      h('main', { id: id.value, class: status.value }, [
        ...messages.value.map((message) =>
          h('section', { key: message.id, id: message.id }, h(MessageParts, { message })),
        ),
        h('input', { value: input.value }),
        h('small', [usage.value.inputTokens, pendingToolCalls.value.length, queued.value.length]),
        h('b', error.value?.message),
      ])
  })
  return createSSRApp(Chat)
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('on a server (state case D17)', () => {
  it('a chat shows its messages, and requests, starts, makes up and waits for nothing', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    vi.stubGlobal('fetch', fetch)
    const spies = [
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(globalThis, 'setInterval'),
      vi.spyOn(Math, 'random'),
      vi.spyOn(Date, 'now'),
      vi.spyOn(crypto, 'randomUUID'),
    ]
    const app = appOf()
    const html = await renderToString(app)
    expect(html).toContain('<main class="ready">')
    expect(html).toContain('hello')
    expect(fetch).not.toHaveBeenCalled()
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  it('two requests share nothing: the same HTML each time, whatever the first one did', async () => {
    const first = await renderToString(appOf())
    const talking = appOf({ id: 'same', provider: createScriptedProvider(['a secret']) })
    talking.mixin({
      setup() {
        const chat = useChat({
          provider: createScriptedProvider(['a secret']),
          model: 'm',
          id: 'same',
        })
        onServerPrefetch(() => chat.sendMessage('mine'))
        return { chat }
      },
    })
    await renderToString(talking)
    expect(await renderToString(appOf())).toBe(first)
    const shown = await renderToString(appOf({ id: 'same' }))
    expect(shown.replace(' id="same"', '')).toBe(first)
  })

  it('an id that outlives the request keeps no watcher of it', async () => {
    const id = ref('shared')
    useChat({ provider: createScriptedProvider([]), model: 'm', id })
    expect(subscribersOf(id), 'that of a chat without a scope').toBe(1)
    for (let i = 0; i < 3; i++) await renderToString(appOf({ id }))
    expect(subscribersOf(id)).toBe(1)
  })

  it('a chat may be awaited in onServerPrefetch', async () => {
    const app = createSSRApp(
      defineComponent(() => {
        const chat = useChat({ provider: createScriptedProvider(['an answer']), model: 'm' })
        onServerPrefetch(() => chat.sendMessage('1'))
        return () => chat.messages.value.map((message) => h(MessageParts, { message }))
      }),
    )
    expect(await renderToString(app)).toContain('an answer')
  })
})

/** How many effects depend on a ref. */
function subscribersOf(given: Ref): number {
  let count = 0
  interface Link {
    prevSub?: Link
  }
  const { dep } = given as unknown as { dep: { subs?: Link } }
  for (let link = dep.subs; link; link = link.prevSub) count++
  return count
}

describe('an import in bare Node (state case D17)', { timeout: 60_000 }, () => {
  const entries = [
    'index.ts',
    ...readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/index.ts`),
  ]

  it.each(entries)('of %s looks for no window and leaves nothing running', async (entry) => {
    const traps = `
      const seen = []
      for (const name of ['window', 'document', 'self', 'navigator', 'location', 'localStorage', 'sessionStorage',
        'requestAnimationFrame'])
        Object.defineProperty(globalThis, name, { configurable: true, get: () => void seen.push(name) })`
    const { outputFiles } = await build({
      stdin: {
        contents: `export * from './${entry}'; process.stdout.write('seen: ' + seen)`,
        resolveDir: source,
        loader: 'ts',
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      // Static imports run before it: what Vue itself looks for is not counted.
      banner: { js: traps },
      logLevel: 'silent',
    })
    const code = outputFiles[0]?.text ?? ''
    // Through a pipe: a bundle may be longer than a system lets an argument be.
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      timeout: 50_000,
    })
    running.child.stdin?.end(code)
    const { stdout, stderr } = await running
    expect([stdout, stderr]).toEqual(['seen: ', ''])
  })
})
