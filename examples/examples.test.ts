import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProxyProvider, useChat, type UseChatOptions } from 'vue-llm'
import { callsOf } from 'vue-llm/core'
import { chromiumPath, launchChromium } from '../playground/launchChromium.ts'

if (chromiumPath === undefined)
  console.info('No Chromium at $CHROMIUM or /usr/bin/chromium: the pages are not driven.')

/** A busy machine is no failure. */
const patient = { timeout: 15_000, interval: 20 }

/** An example, started as its README says. */
interface Example {
  url: string
  process: ChildProcess
}

/** `npm start` builds the package first, where it has to. */
async function startExample(name: string): Promise<Example> {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: fileURLToPath(new URL(name, import.meta.url)),
    env: { ...process.env, PORT: '0', OPENAI_BASE_URL: '', OPENAI_API_KEY: '', NODE_ENV: '' },
    // A group of its own: npm does not hand on every signal to what it started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  const lines = createInterface(child.stdout)
  for await (const line of lines) {
    said += `${line}\n`
    const [url] = /^http:\/\/\S+/.exec(line) ?? []
    if (url) return { url, process: child }
  }
  throw new Error(`npm start in examples/${name} ended:\n${said}`)
}

async function stopExample(example: Example | undefined): Promise<void> {
  if (!example?.process.pid || example.process.exitCode !== null) return
  const ended = once(example.process, 'exit')
  process.kill(-example.process.pid, 'SIGKILL')
  await ended
}

/** A chat as the page has it, with the session of somebody who is logged in. */
function chatWith(url: string, cookie: string, options: Partial<UseChatOptions> = {}) {
  const provider = createProxyProvider({ url: `${url}/api/chat`, headers: { cookie } })
  const chat = useChat({ provider, ...options })
  onTestFinished(chat.stop)
  const calls = () => chat.messages.value.flatMap((message) => callsOf(message))
  const text = () =>
    (chat.messages.value.at(-1)?.parts ?? [])
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
  return { ...chat, calls, text }
}

const setTheme = {
  name: 'set_theme',
  description: 'Switches the page to the light or the dark theme.',
  parameters: {
    type: 'object',
    properties: { theme: { type: 'string', enum: ['light', 'dark'] } },
    required: ['theme'],
  },
  execute: ({ theme }: { theme?: string }) => ({ theme }),
} as const

/** Opens a page that must not complain, ended with the test. */
async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.setDefaultTimeout(15_000)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  onTestFinished(async () => {
    await page.close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  return page
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

const toolOf = (page: Page, name: string) => page.getByRole('group', { name }).last()

describe('examples/express', { timeout: 30_000 }, () => {
  let example: Example
  beforeAll(async () => {
    example = await startExample('express')
  }, 120_000)
  afterAll(() => stopExample(example))

  const login = (user: string, password: string): Promise<Response> =>
    fetch(`${example.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, password }),
    })
  const sessionOf = async (user: string, password: string): Promise<string> =>
    (await login(user, password)).headers.getSetCookie()[0]?.replace(/;.*/, '') ?? ''

  it('answers nobody without a session', async () => {
    expect((await login('ada', 'wrong')).status).toBe(401)
    for (const cookie of ['', 'session=forged']) {
      const chat = chatWith(example.url, cookie)
      await chat.sendMessage('Which orders do I have?')
      expect(chat.error.value).toMatchObject({ code: 'http', status: 401 })
      expect(chat.error.value?.message).toContain('log in first')
      expect(chat.calls()).toEqual([])
    }
  })

  it('runs the server tool for the user of the session, and the page its own in the same round', async () => {
    const chat = chatWith(example.url, await sessionOf('ada', 'engine'), { tools: [setTheme] })
    await chat.sendMessage('Switch to the dark theme and find my orders')
    expect(chat.error.value).toBeUndefined()
    const [, message] = chat.messages.value
    const calls = [...chat.calls()].sort((a, b) => (a.toolName < b.toolName ? -1 : 1))
    expect(calls).toMatchObject([
      {
        toolName: 'find_orders',
        step: 0,
        providerExecuted: true,
        result: [{ id: 'A-1001' }, { id: 'A-1002' }],
      },
      { toolName: 'set_theme', step: 0, state: 'result', result: { theme: 'dark' } },
    ])
    expect(calls[1]).not.toHaveProperty('providerExecuted')
    expect(message?.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(chat.text()).toContain('A-1002')
  })

  it('cancels an order on the server once the user has allowed it, and no order of others', async () => {
    const chat = chatWith(example.url, await sessionOf('grace', 'compiler'))
    const allow = async (state: 'result' | 'error') => {
      const [call] = chat.pendingToolCalls.value
      expect(call).toMatchObject({ toolName: 'cancel_order', approval: { state: 'requested' } })
      await chat.answerApproval({ toolCallId: call?.toolCallId ?? '', approved: true })
      await vi.waitFor(() => expect(chat.status.value).toBe('ready'), patient)
      await vi.waitFor(() => expect(chat.calls().at(-1)?.state).toBe(state), patient)
      await vi.waitFor(() => {
        expect(chat.messages.value.at(-1)?.steps.at(-1)?.finishReason).toBe('stop')
      }, patient)
    }
    await chat.sendMessage('Cancel order G-2001')
    await allow('result')
    expect(chat.calls()[0]?.result).toEqual({ orderId: 'G-2001', status: 'cancelled' })
    await chat.sendMessage('Cancel order A-1002')
    await allow('error')
    expect(chat.calls()[1]?.error).toBe('there is no order A-1002')
  })

  it.skipIf(chromiumPath === undefined)('is used by a person in Chromium', async () => {
    const browser = await launchChromium(chromiumPath ?? '')
    onTestFinished(() => browser.close())
    const page = await openPage(browser, example.url)
    await page.getByRole('button', { name: 'Log in' }).click()
    await send(page, 'Switch to the dark theme and find my orders')
    await page.getByText('desk lamp').waitFor()
    await page.getByText('bookshelf').waitFor()
    expect(await toolOf(page, 'find_orders').textContent()).toContain('result, on the server')
    const scheme = page.locator('html').evaluate((element) => element.style.colorScheme)
    expect(await scheme).toBe('dark')
    await send(page, 'Cancel order A-1002')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('is cancelled').waitFor()
    await send(page, 'Cancel order A-1001')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('won’t go ahead').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
  })
})

describe('examples/node-http', { timeout: 30_000 }, () => {
  let example: Example
  beforeAll(async () => {
    example = await startExample('node-http')
  }, 120_000)
  afterAll(() => stopExample(example))

  it('runs the server tool, and lets a person answer', async () => {
    const askColor = {
      name: 'ask_color',
      description: 'Asks the user to pick a color.',
      parameters: { type: 'object', properties: { question: { type: 'string' } } },
    } as const
    const chat = chatWith(example.url, '', { tools: [askColor] })
    await chat.sendMessage('What is the load of the server?')
    expect(chat.calls()).toMatchObject([{ toolName: 'server_load', state: 'result' }])
    await chat.sendMessage('Ask me for a color')
    const [call] = chat.pendingToolCalls.value
    await chat.addToolResult({ toolCallId: call?.toolCallId ?? '', result: { color: 'teal' } })
    await vi.waitFor(() => expect(chat.text()).toContain('teal'), patient)
  })

  it('serves the page and three packages, and nothing else', async () => {
    const statusOf = async (path: string) => (await fetch(`${example.url}${path}`)).status
    const refused = ['/server.js', '/vue-llm/..%2fpackage.json', '/vue-llm/', '/vue/none.js']
    expect(await Promise.all(['/', '/vue-llm/index.js'].map(statusOf))).toEqual([200, 200])
    expect(await Promise.all(refused.map(statusOf))).toEqual([404, 404, 404, 404])
  })

  it.skipIf(chromiumPath === undefined)('is used by a person in Chromium', async () => {
    const browser = await launchChromium(chromiumPath ?? '')
    onTestFinished(() => browser.close())
    const page = await openPage(browser, example.url)
    await send(page, 'What is the load of the server and the size of my window?')
    await page.getByText('Free memory:').waitFor()
    expect(await toolOf(page, 'server_load').textContent()).toContain('result, on the server')
    expect(await toolOf(page, 'window_size').textContent()).toMatch(/result\s*$/)
    await send(page, 'Ask me for a color')
    await page.getByRole('button', { name: 'gold' }).click()
    await page.getByText('Your answer is').waitFor()
  })
})
