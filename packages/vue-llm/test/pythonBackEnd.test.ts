import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProxyProvider, createSSEProvider, useChat, type UseChatOptions } from 'vue-llm'
import type { Message } from 'vue-llm/core'
import { allCalls, quiet, textsOf, until } from './chatOn'

const script = fileURLToPath(new URL('../../../examples/python/server.py', import.meta.url))
const isMissing = spawnSync('python3', ['--version']).status !== 0
if (isMissing) console.log('No python3: the tests of the back end in Python are left out.')

interface BackEnd {
  url: string
  process: ChildProcess
}

/** Starts the example on a free port. */
async function startBackEnd(delay = 0): Promise<BackEnd> {
  const child = spawn('python3', [script, '--port', '0', '--delay', `${delay}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [url] = await once(createInterface(child.stdout), 'line')
  return { url: String(url), process: child }
}

async function stopBackEnd({ process }: BackEnd): Promise<void> {
  const ended = once(process, 'exit')
  process.kill('SIGKILL')
  await ended
}

const tools = [
  { name: 'local_time', execute: () => 'a quarter past nine' },
  { name: 'confirm_order', description: 'A person must say yes' },
]

/** A chat with a back end, and what it posted. */
function chatWith(
  { url }: Pick<BackEnd, 'url'>,
  options: Partial<UseChatOptions> = {},
  create: typeof createProxyProvider = createSSEProvider as typeof createProxyProvider,
) {
  const posted: { messages: Message[]; tools?: unknown[] }[] = []
  const provider = create({
    url,
    fetch(input, init) {
      posted.push(JSON.parse(`${init.body}`))
      return fetch(input, init)
    },
  })
  const chat = useChat({ provider, model: 'stand-in', tools, ...options })
  onTestFinished(chat.stop)
  return { ...chat, posted }
}

/** How the rounds of the last message ended. */
const reasonsOf = (chat: { messages: { value: unknown } }) =>
  (chat.messages.value as Message[]).at(-1)?.steps.map(({ finishReason }) => finishReason)

describe.skipIf(isMissing)('a back end in Python, over a real socket', () => {
  let backEnd: BackEnd
  beforeAll(async () => {
    backEnd = await startBackEnd()
  })
  afterAll(() => stopBackEnd(backEnd))

  it('runs its own tool: the call ends in result, and the client asks once', async () => {
    const onToolCall = vi.fn<() => void>()
    const chat = chatWith(backEnd, { onToolCall })
    await chat.sendMessage('How many lamps are in stock?')
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      {
        toolName: 'stock_level',
        state: 'result',
        args: { item: 'lamp' },
        result: { item: 'lamp', inStock: 7 },
      },
    ])
    expect(textsOf(chat)[1]).toContain('"inStock": 7')
    expect(reasonsOf(chat)).toEqual(['tool-calls', 'stop'])
    expect(chat.messages.value[1]?.metadata?.runId).toMatch(/^run_/)
    expect([chat.status.value, chat.error.value]).toEqual(['ready', undefined])
    expect(chat.posted).toHaveLength(1)
    expect(onToolCall).not.toHaveBeenCalled()
  })

  it('gives the text of a ToolError to model and page', async () => {
    const chat = chatWith(backEnd)
    await chat.sendMessage('Is a unicorn in stock?')
    expect(allCalls(chat)).toMatchObject([{ state: 'error', error: 'no such item: unicorn' }])
    expect(textsOf(chat)[1]).toContain('Error: no such item: unicorn')
    expect(chat.posted).toHaveLength(1)
  })

  it('leaves a call to a person, and goes on in the same message once it is answered', async () => {
    const chat = chatWith(backEnd)
    await chat.sendMessage('Please order a lamp')
    const [stock, confirm] = allCalls(chat)
    expect([stock?.state, confirm?.state]).toEqual(['result', 'pending'])
    expect(chat.pendingToolCalls.value.map(({ toolName }) => toolName)).toEqual(['confirm_order'])
    expect([chat.status.value, chat.posted.length]).toEqual(['ready', 1])

    await chat.addToolResult({ toolCallId: `${confirm?.toolCallId}`, result: { approved: true } })
    await until(() => reasonsOf(chat)?.at(-1) === 'stop' && chat.status.value === 'ready')
    await quiet()
    expect(textsOf(chat)[1]).toContain('confirm_order: {"approved": true}')
    expect(reasonsOf(chat)).toEqual(['tool-calls', 'tool-calls', 'stop'])
    expect([chat.messages.value.length, chat.posted.length]).toEqual([2, 2])
    expect(chat.posted[1]?.messages.at(-1)?.id).toBe(chat.messages.value[1]?.id)
  })

  it('reads what the person declined', async () => {
    const chat = chatWith(backEnd)
    await chat.sendMessage('Please order a chair')
    const [, confirm] = allCalls(chat)
    await chat.addToolResult({ toolCallId: `${confirm?.toolCallId}`, error: 'The user declined' })
    await until(() => reasonsOf(chat)?.at(-1) === 'stop' && chat.status.value === 'ready')
    expect(textsOf(chat)[1]).toContain('confirm_order: Error: The user declined')
  })

  it('and page run their tools of one round, each its own', async () => {
    const chat = chatWith(backEnd)
    await chat.sendMessage('What is the time, and are lamps in stock?')
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      { toolName: 'stock_level', state: 'result', step: 0, providerExecuted: true },
      { toolName: 'local_time', state: 'result', step: 0, result: 'a quarter past nine' },
    ])
    expect(textsOf(chat)[1]).toMatch(/local_time: a quarter past nine; stock_level: .*7/)
    expect([reasonsOf(chat), chat.posted.length]).toEqual([['tool-calls', 'stop'], 2])
  })

  it('serves the proxy provider too, which posts the tools of the page', async () => {
    const chat = chatWith(backEnd, {}, createProxyProvider)
    await chat.sendMessage('Hello')
    expect(textsOf(chat)).toEqual(['Hello', 'You asked: hello I know: nothing.'])
    expect(chat.posted[0]?.tools).toMatchObject([{ name: 'local_time' }, { name: 'confirm_order' }])
  })

  it('shows an error of its own, without what must stay on the server', async () => {
    const chat = chatWith(backEnd)
    await chat.sendMessage('Please fail')
    expect([chat.status.value, chat.error.value?.message, chat.error.value?.code]).toEqual([
      'error',
      'the server could not answer',
      'provider',
    ])
    expect(textsOf(chat)).toEqual(['Please fail', 'Let me see… '])
    expect(reasonsOf(chat)).toEqual(['error'])
    expect(JSON.stringify(chat.messages.value)).not.toContain('hunter2')
  })

  it('refuses with an HTTP error that says why', async () => {
    const chat = chatWith({ url: `${backEnd.url}/elsewhere` })
    await chat.sendMessage('Hello')
    expect(chat.error.value).toMatchObject({ code: 'http', status: 404 })
    expect(chat.error.value?.message).toContain('no /api/chat/elsewhere here')
    const wrong = await fetch(backEnd.url, {
      method: 'POST',
      body: '{"messages":[{"role":"system"}]}',
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { error: { code: 'invalid-request' } },
    ])
    expect((await fetch(backEnd.url)).status).toBe(405)
    const huge = await fetch(backEnd.url, {
      method: 'POST',
      body: 'x'.repeat(5 * 1024 * 1024),
    }).catch(
      // It may close the connection before it has read the whole.
      () => ({ status: 413 }),
    )
    expect(huge.status).toBe(413)
  })

  it('goes on with others after a client has left', async () => {
    const slow = await startBackEnd(0.02)
    onTestFinished(() => stopBackEnd(slow))
    const left = chatWith(slow)
    const sending = left.sendMessage('Hello')
    await until(() => textsOf(left)[1])
    left.stop()
    await sending
    expect([left.status.value, left.error.value, reasonsOf(left)]).toEqual([
      'ready',
      undefined,
      ['stopped'],
    ])
    const chat = chatWith(slow)
    await chat.sendMessage('Hi')
    expect(reasonsOf(chat)).toEqual(['stop'])
  })

  it('that dies in the middle of an answer leaves it truncated', async () => {
    const dying = await startBackEnd(0.05)
    onTestFinished(() => void dying.process.kill('SIGKILL'))
    const chat = chatWith(dying)
    const sending = chat.sendMessage('Hello')
    await until(() => textsOf(chat)[1])
    await stopBackEnd(dying)
    await sending
    expect([chat.status.value, chat.error.value?.code, reasonsOf(chat)]).toEqual([
      'error',
      'truncated',
      ['truncated'],
    ])
    expect(textsOf(chat)[1]).toMatch(/^You /)
  })
})
