// long: every sample that runs without a page, one test each
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isLLMError, useChat, type Message, type Provider, type UseChatReturn } from 'vue-llm'
import { createMessage, runChat } from 'vue-llm/core'
import { buildHttpRequest } from 'vue-llm/http-tools'
import {
  createDemoModel,
  createScriptedProvider,
  finish,
  sseResponse,
  toolCall,
} from 'vue-llm/testing'
import { docsFolder } from '../scripts/pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the page's `fetch` reaches: the demo model at any path, and what a test adds. */
let routes: Record<string, (init?: RequestInit) => Response | Promise<Response>> = {}
const originalFetch = globalThis.fetch

beforeEach(() => {
  routes = {}
  const model = createDemoModel({ delayMs: 0 })
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const route = Object.keys(routes).find((path) => `${url}`.startsWith(path))
    return route === undefined ? model(url, init) : routes[route]!(init)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const lastOf = (messages: readonly Message[]) => messages.at(-1)!
const textOf = (message: Message) =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const callsIn = (message: Message) => message.parts.filter((part) => part.type === 'tool-call')

async function ask(chat: UseChatReturn, question: string): Promise<Message> {
  await chat.sendMessage(question)
  expect(chat.error.value).toBeUndefined()
  return lastOf(chat.messages.value)
}
const asChat = (chat: unknown) => chat as UseChatReturn

it('every sample compiles', { timeout: 180_000 }, () => {
  const { stdout } = spawnSync('vue-tsc', ['--noEmit', '-p', join(docsFolder, 'tests')], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: join(root, 'node_modules', '.bin') + delimiter + process.env['PATH'],
    },
  })
  expect(stdout).toBe('')
})

describe('tools', () => {
  it('weather.ts asks its service and tells the model', async () => {
    const asked: string[] = []
    routes['/api/weather'] = () => Response.json({ temp: 7 })
    const stubbed = fetch
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      asked.push(url)
      return stubbed(url, init)
    })
    const { chat } = await import('../samples/weather.ts')
    const message = await ask(asChat(chat), "What's the weather in Oslo?")
    expect(callsIn(message)).toMatchObject([{ args: { city: 'Oslo' }, result: { temp: 7 } }])
    expect(asked).toContain('/api/weather?city=Oslo')
    expect(textOf(message)).toContain('Oslo')
  })

  it('onToolCall.ts answers the calls of its tool', async () => {
    const { chat } = await import('../samples/onToolCall.ts')
    const message = await ask(asChat(chat), "What's the weather in Rome?")
    expect(callsIn(message)).toMatchObject([{ state: 'result', result: { city: 'Rome', temp: 7 } }])
  })

  it('zodTool.ts runs with arguments that fit only', async () => {
    const { chat } = await import('../samples/zodTool.ts')
    const message = await ask(asChat(chat), 'Set a timer to 5 minutes')
    expect(callsIn(message)).toMatchObject([{ args: { minutes: 5 }, state: 'result' }])
  })

  it('progress.ts reports how far it is', async () => {
    const { countRows } = await import('../samples/progress.ts')
    const seen: unknown[] = []
    const provider = createScriptedProvider([
      [toolCall('count_rows', { table: 'orders' }), finish('tool-calls')],
      'All counted.',
    ])
    const messages = [createMessage('user', { content: 'Count' })]
    for await (const chunk of runChat({
      provider,
      messages,
      request: { model: 'm' },
      tools: [countRows],
    })) {
      if (chunk.type === 'tool-progress') seen.push(chunk.progress)
    }
    expect(seen.at(-1)).toEqual({ rows: 100 })
    expect(callsIn(lastOf(messages))).toMatchObject([{ result: { table: 'orders', rows: 100 } }])
  })

  it('answers.ts answers what waits', async () => {
    const { answerAll } = await import('../samples/answers.ts')
    const chat = useChat({
      provider: createScriptedProvider([
        [toolCall('ask', {}), toolCall('erase', {}), finish('tool-calls')],
        'Done.',
      ]),
      tools: [{ name: 'ask' }, { name: 'erase', needsApproval: true, execute: () => 'erased' }],
    })
    await chat.sendMessage('Go')
    expect(chat.pendingToolCalls.value).toHaveLength(2)
    await answerAll(asChat(chat))
    await vi.waitFor(() => expect(textOf(lastOf(chat.messages.value as Message[]))).toBe('Done.'))
    expect(callsIn(lastOf(chat.messages.value as Message[]))).toMatchObject([
      { result: { approved: true } },
      { result: 'erased' },
    ])
  })
})

describe('other calls of a page', () => {
  it('recipeZod.ts gives a typed object', async () => {
    const { cook } = await import('../samples/recipeZod.ts')
    expect((await cook()).length).toBeGreaterThan(0)
  })

  it('httpToolsPage.ts sends one request for a call', async () => {
    routes['https://wttr.in/Oslo?format=3'] = () => new Response('Oslo: +7°C')
    const { chat } = await import('../samples/httpToolsPage.ts')
    const message = await ask(asChat(chat), "What's the weather in Oslo?")
    expect(callsIn(message)).toMatchObject([{ result: 'Oslo: +7°C' }])
  })

  it('httpToolsLoad.ts fetches the definitions', async () => {
    routes['/tools.json'] = () =>
      Response.json([{ name: 'get_time', url: 'https://time.example.com', method: 'GET' }])
    const { openChat } = await import('../samples/httpToolsLoad.ts')
    const chat = openChat(createScriptedProvider(['Hello']))
    await vi.waitFor(() => expect(chat.tools.value).toMatchObject([{ name: 'get_time' }]))
  })

  it('errors.ts tells errors apart', async () => {
    const { openChat } = await import('../samples/errors.ts')
    const said: string[] = []
    const { createOpenAIProvider } = await import('vue-llm')
    const failing = (status: number) =>
      createOpenAIProvider({ fetch: async () => new Response('', { status }), maxRetries: 0 })
    await openChat(failing(401), (text) => said.push(text)).sendMessage('Hi')
    await openChat(failing(403), (text) => said.push(text)).sendMessage('Hi')
    expect(said).toEqual(['Please log in again.', expect.stringContaining('403')])
  })

  it('storage.ts keeps a chat over a reload, and survives what it does not know', async () => {
    const store = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
    })
    routes['/api/chat'] = () => sseResponse([{ type: 'text-delta', text: 'Hello Ada' }])
    const { openChat } = await import('../samples/storage.ts')
    await openChat('one').sendMessage('Hi')
    expect(textOf(lastOf(openChat('one').messages.value))).toBe('Hello Ada')
    store.set('chat:two', '{"version":0}')
    expect(openChat('two').messages.value).toEqual([])
  })

  it.each(['proxyChat', 'serve', 'migrated'])('%s.ts talks to a server', async (name) => {
    const answer = () => sseResponse([{ type: 'text-delta', text: 'Hello' }])
    routes['/api/chat'] = answer
    routes['http://localhost:8787/api/chat'] = answer
    const sample = (await import(`../samples/${name}.ts`)) as { chat?: UseChatReturn }
    const chat = sample.chat ?? (sample as unknown as UseChatReturn)
    expect(textOf(await ask(chat, 'Hi'))).toBe('Hello')
  })
})

describe('without a page', () => {
  it('chunks.ts makes a message', async () => {
    const { message, next } = await import('../samples/chunks.ts')
    expect(message.parts).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', args: { city: 'Oslo' }, state: 'result', result: { temp: 7 } },
    ])
    expect(next).toBe('request')
  })

  it('runChat.ts asks, runs and answers', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { ask: askOnce } = await import('../samples/runChat.ts')
    const provider = createScriptedProvider([[toolCall('get_time'), finish('tool-calls')], 'Noon.'])
    expect(await askOnce(provider, 'What time is it?')).toBe('Noon.')
    expect(warn).toHaveBeenCalledWith('runs call_1')
    warn.mockRestore()
  })

  it.each(['demo', 'serverDemo'])('%s.ts answers', async (name) => {
    const { provider } = (await import(`../samples/${name}.ts`)) as { provider: Provider }
    expect(textOf(await ask(asChat(useChat({ provider })), 'Hello'))).not.toBe('')
  })
})

describe('providers', () => {
  it('each asks its own endpoint', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'k-openai')
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return new Response('{}', { status: 400 })
    })
    vi.resetModules()
    const all = (await import('../samples/providers.ts')) as Record<string, Provider>
    const { socket: _, ...overHttp } = all
    for (const provider of Object.values(overHttp)) {
      await useChat({ provider, model: 'm' }).sendMessage('Hi')
    }
    expect(asked).toEqual([
      'https://api.openai.com/v1/chat/completions',
      'http://localhost:8000/v1/chat/completions',
      'https://openrouter.ai/api/v1/chat/completions',
      'https://NAME.openai.azure.com/openai/v1/chat/completions',
      'https://api.openai.com/v1/responses',
      'https://api.anthropic.com/v1/messages',
      'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
      'http://localhost:11434/api/chat',
      '/api/chat',
      '/api/chat',
      'http://localhost:8000/v1/chat/completions',
    ])
  })

  it('realModel.ts names a local server and one of your own', async () => {
    const { local, remote } = await import('../samples/getting-started/realModel.ts')
    expect([local.name, remote.name, remote.remote]).toEqual(['openai', 'proxy', true])
  })

  it('ownProvider.ts says back what it is told', async () => {
    const { echo } = await import('../samples/ownProvider.ts')
    expect(textOf(await ask(asChat(useChat({ provider: echo })), 'one two'))).toBe('one two')
  })

  it('echoProvider.ts posts and reads its wire', async () => {
    const { createEchoProvider } = await import('../samples/echoProvider.ts')
    let posted: unknown
    const fetch = async (_: string, init: RequestInit) => {
      posted = JSON.parse(String(init.body))
      return sseResponse([{ text: 'Hi' }, { text: ' there', last: true }])
    }
    const provider = createEchoProvider({ farewell: 'Bye', fetch })
    expect(textOf(await ask(asChat(useChat({ provider, model: 'm' })), 'Hi'))).toBe('Hi there')
    expect(posted).toMatchObject({ model: 'm', farewell: 'Bye', stream: true })
  })

  it('dialects.ts reads other forms, or none', async () => {
    const { provider, plain } = await import('../samples/dialects.ts')
    const text = '[TOOL_CALLS][{"name": "now", "arguments": {}}]'
    const answer = () => sseResponse([{ choices: [{ delta: { content: text } }] }])
    vi.stubGlobal('fetch', async () => answer())
    const tools = [{ name: 'now' }]
    const read = asChat(useChat({ provider, model: 'm', tools }))
    expect(callsIn(await ask(read, 'Hi'))).toMatchObject([{ toolName: 'now', state: 'pending' }])
    const shown = asChat(useChat({ provider: plain, model: 'm', tools }))
    expect(textOf(await ask(shown, 'Hi'))).toBe(text)
  })

  it.each([1, 3, 100])('ownDialect.ts reads its form in pieces of %i', async (size) => {
    const { withTextToolCalls } = await import('vue-llm/dialects')
    const { brackets } = await import('../samples/ownDialect.ts')
    const text = 'Let me see. [[get_weather {"city":"Oslo","at":[[1]]}]] and [[no call'
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const provider = withTextToolCalls(createScriptedProvider([[...pieces, finish()]]), {
      dialects: [brackets],
    })
    const chat = asChat(useChat({ provider, tools: [{ name: 'get_weather' }] }))
    const message = await ask(chat, 'Hi')
    expect(callsIn(message)).toMatchObject([
      { toolName: 'get_weather', args: { city: 'Oslo', at: [[1]] } },
    ])
    expect(textOf(message)).toContain('Let me see. ')
    expect(textOf(message)).not.toContain('Oslo')
  })
})

describe('servers', () => {
  async function urlOf(server: Server): Promise<string> {
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    if (!server.listening) await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const chatWith = async (url: string, headers: Record<string, string> = {}) => {
    const { createProxyProvider } = await import('vue-llm')
    const provider = createProxyProvider({ url, headers, fetch: originalFetch, maxRetries: 0 })
    return asChat(useChat({ provider }))
  }

  it('server.ts answers whoever is logged in, with its tool', async () => {
    vi.stubEnv('PORT', '0')
    const { server } = await import('../samples/server.ts')
    const url = await urlOf(server)
    const message = await ask(
      await chatWith(url, { cookie: 'user=ada' }),
      'Find the order number A-1001',
    )
    expect(callsIn(message)).toMatchObject([
      { toolName: 'find_order', state: 'result', result: { of: 'ada', status: 'shipped' } },
    ])
    const stranger = await chatWith(url)
    await stranger.sendMessage('Find the order A-1001')
    expect(isLLMError(stranger.error.value, 'http')).toBe(true)
    expect(stranger.error.value?.status).toBe(401)
  })

  it('serveInCode.ts serves the demo', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { server, url } = await import('../samples/serveInCode.ts')
    onTestFinished(() => server.close().then(() => said.mockRestore()))
    expect(await (await originalFetch(`${url}/health`)).json()).toEqual({ ok: true })
    const message = await ask(await chatWith(`${url}/api/chat`), 'Get item 1')
    expect(callsIn(message)).toMatchObject([{ toolName: 'get_item', state: 'result' }])
  })

  it('storedChats.ts keeps the chat', async () => {
    const { handler } = await import('../samples/storedChats.ts')
    const post = (id: string, messages: unknown) =>
      handler(
        new Request('http://a/api/chat', {
          method: 'POST',
          body: JSON.stringify({ id, messages }),
        }),
      )
    await (await post('c', [createMessage('user', { content: 'My name is Ada' })])).text()
    // The second request brings the new message only: the rest is the server's own.
    const asked: string[] = []
    const stubbed = fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push(String(init.body))
      return stubbed(url, init)
    })
    await (await post('c', [createMessage('user', { content: 'Count to 3' })])).text()
    expect(asked[0]).toContain('My name is Ada')
  })

  it('prepare.ts gives tools by user', async () => {
    const bodies: { model: string; tools?: unknown[] }[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)))
      return sseResponse([{ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }])
    })
    const { handler } = await import('../samples/prepare.ts')
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
    for (const role of ['admin', 'guest']) {
      const headers = { 'x-role': role }
      await (await handler(new Request('http://a/', { method: 'POST', headers, body }))).text()
    }
    expect(bodies.map(({ model, tools = [] }) => [model, tools.length])).toEqual([
      ['gpt-4o', 1],
      ['gpt-4o-mini', 0],
    ])
  })

  it('httpToolsServer.ts offers the tools of its file and shows them', async () => {
    vi.stubEnv('PORT', '0')
    vi.stubEnv('LLM_TOOLS_FILE', join(docsFolder, 'samples', 'tools.json'))
    vi.stubEnv('LLM_TOOLS_API_TOKEN', 't')
    const { server } = await import('../samples/httpToolsServer.ts')
    const url = await urlOf(server)
    const headers = { authorization: 'Bearer t' }
    const shown = await originalFetch(`${url}/api/tools`, { headers })
    expect(await shown.json()).toMatchObject({ source: 'file', tools: [{ name: 'get_weather' }] })
    expect((await originalFetch(`${url}/api/tools`)).status).toBe(403)
    expect(textOf(await ask(await chatWith(`${url}/api/chat`), 'Hello'))).not.toBe('')
  })

  it('httpToolsNetwork.ts lets calls choose among named hosts', async () => {
    const { registry } = await import('../samples/httpToolsNetwork.ts')
    const [order] = registry.tools
    const urlFor = (shop: string, allowedHosts: string[]) =>
      buildHttpRequest(order!, { shop, id: '7' }, { allowedHosts }).url
    expect(urlFor('lamps', ['*.example.com'])).toBe('https://lamps.example.com/orders/7')
    expect(() => urlFor('lamps', [])).toThrow('not allowed')
  })
})
