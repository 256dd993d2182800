import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { finish, streamedToolCall, text, type Script } from 'vue-llm/testing'
import type { AnyTool, Message } from '../core'
import {
  assistant,
  call,
  exchange,
  bodyOf,
  gate,
  post,
  received,
  scripted,
  typesOf,
  until,
  user,
} from './__tests__/handlerKit'
import { answer, startRawServer } from './__tests__/rawServer'
import {
  createLLMSocket,
  createToolRegistry,
  createToolsHandler,
  type ToolRegistryOptions,
} from './index'

/** A model that makes one call, then speaks. */
const calling = (name: string, args: object = {}): Script => [
  [...streamedToolCall(name, args, 'c1'), finish('tool-calls')],
  [text('done'), finish('stop')],
]

const definition = (url: string, more: object = {}) => ({
  name: 'get_thing',
  description: 'd',
  parameters: { type: 'object', properties: { id: { type: 'string' } } },
  url,
  method: 'GET',
  ...more,
})

/** What came of one call of a definition over the wire. */
async function callOf(definitions: object[], args = {}, options: ToolRegistryOptions = {}) {
  const registry = createToolRegistry({ definitions, ...options })
  const { ask, requests } = scripted(calling('get_thing', args), { registry })
  const { chunks } = await ask([user()])
  return { part: received(chunks).parts[0], requests }
}

const failed = (why: string) => ({ state: 'error', error: why })

describe('createLLMHandler({ registry })', () => {
  it('offers the tools, sends the request, and the model reads the text', async () => {
    const server = await startRawServer(answer(200, {}, 'it is 5'))
    const definitions = [definition(`${server.origin}/things/{id}`)]
    const { part, requests } = await callOf(definitions, { id: 'a b', size: 2 })
    expect(server.requests.map(({ line }) => line)).toEqual(['GET /things/a%20b?size=2 HTTP/1.1'])
    expect(part).toMatchObject({ state: 'result', result: 'it is 5', providerExecuted: true })
    expect(requests[0]?.tools).toMatchObject([{ name: 'get_thing', description: 'd' }])
    expect(requests[1]?.messages.at(-1)?.parts[0]).toMatchObject({ result: 'it is 5' })
  })

  it('a failure is a text that the model and the client read', async () => {
    const server = await startRawServer(answer(404, {}, 'no such thing'))
    const { part } = await callOf([definition(server.origin)])
    expect(part).toMatchObject(failed('HTTP 404 — no such thing'))
  })

  it('of two tools with one name it is that of `tools`, whatever is posted', async () => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const own: AnyTool = { name: 'get_thing', description: 'mine', execute: async () => 'mine' }
    const { ask, requests } = scripted(calling('get_thing'), { registry, tools: [own] })
    const { parts } = received((await ask([user()])).chunks)
    expect(parts[0]).toMatchObject({ result: 'mine' })
    expect(requests[0]?.tools).toHaveLength(1)
    expect(server.connections()).toBe(0)
  })

  it('a client can not put a tool of its own in the place of one', async () => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const { ask, requests } = scripted(['x'], { registry })
    await ask([user()], { tools: [{ name: 'get_thing', description: 'theirs' }] })
    expect(requests[0]?.tools).toMatchObject([{ name: 'get_thing', description: 'd' }])
  })

  it('what prepare chooses is all there is', async () => {
    const registry = createToolRegistry({ definitions: [definition('https://h.example')] })
    const { ask, requests } = scripted(['x'], { registry, prepare: () => ({ tools: [] }) })
    await ask([user()])
    expect(requests[0]?.tools).toEqual([])
  })

  it('an open call of one in a client’s transcript is closed, and does not run', async () => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const { ask } = scripted(['x'], { registry })
    const open = assistant([call({ toolName: 'get_thing', state: 'pending' })], 'a1')
    expect((await ask([user(), open, user('more', 'u2')])).status).toBe(200)
    expect(server.connections()).toBe(0)
  })

  it('is taken for stored chats too', async () => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const loadMessages = (): Message[] => []
    const { ask } = scripted(calling('get_thing'), { registry, loadMessages })
    const { parts } = received((await ask([user()])).chunks)
    expect(parts[0]).toMatchObject({ state: 'result', result: 'ok' })
  })

  it.each([
    [{ maxIterations: 2 }, {}, 3],
    [{}, {}, 5],
    [{ maxIterations: 2 }, { maxToolRoundtrips: 1 }, 2],
  ])('D30 rounds: the registry says %j, the handler %j', async (options, more, asked) => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)], ...options })
    const script: Script = (_, index) => streamedToolCall('get_thing', {}, `c${index}`)
    const { ask, requests } = scripted(script, { registry, ...more })
    const { parts } = received((await ask([user()])).chunks)
    expect(requests).toHaveLength(asked)
    expect(server.requests).toHaveLength(asked - 1)
    expect(parts.at(-1)).toMatchObject({ state: 'error', errorCode: 'limit' })
  })

  it('D29 no rounds at all: the model is offered nothing', async () => {
    const definitions = [definition('https://h.example')]
    const registry = createToolRegistry({ definitions, maxIterations: 0 })
    const { ask, requests } = scripted(['x'], { registry })
    await ask([user()])
    expect(requests[0]?.tools).toEqual([])
  })

  it('D36 arguments that do not fit the schema are told to the model, and nothing is sent', async () => {
    const server = await startRawServer()
    const { part } = await callOf([definition(server.origin)], { id: 5 })
    expect(part).toMatchObject({ state: 'error', errorCode: 'invalid-args' })
    expect(server.connections()).toBe(0)
  })

  it('is taken by createLLMSocket', async () => {
    const server = await startRawServer()
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const { provider } = scripted(calling('get_thing'))
    const sent: string[] = []
    const send = (frame: string) => void sent.push(frame)
    const chat = createLLMSocket({ provider, model: 'm', registry, send })
    chat.receive('{"type":"user_text","text":"hi"}')
    await until(() => sent.at(-1)?.includes('assistant_end'))
    expect(sent[0]).toContain('get_thing')
    expect(server.requests).toHaveLength(1)
  })
})

it('guide §2, D39 a turn that runs ends with the old set; the next one has the new', async () => {
  const waits = gate()
  const server = await startRawServer(async (socket, { line }) => {
    if (line.includes('/old')) await waits.promise
    socket.end(answer(200, {}, line))
  })
  const registry = createToolRegistry({ definitions: [definition(`${server.origin}/old`)] })
  const script: Script = (_, index) =>
    index % 3 < 2
      ? [...streamedToolCall('get_thing', {}, `c${index}`), finish('tool-calls')]
      : [text('done'), finish('stop')]
  const { handler, requests } = scripted(script, { registry })
  const first = exchange(handler, post(bodyOf([user()])))
  await until(() => server.requests.length)
  const posted = await createToolsHandler({ registry, authorize: () => true })(
    new Request('http://localhost/api/tools', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([definition(`${server.origin}/new`, { description: 'new' })]),
    }),
  )
  expect(posted.status).toBe(200)
  waits.open()
  expect(typesOf(await first).filter((type) => type === 'tool-result')).toHaveLength(2)
  await exchange(handler, post(bodyOf([user('again', 'u2')])))
  const lines = server.requests.map(({ line }) => line.split(' ')[1])
  expect(lines).toEqual(['/old', '/old', '/new', '/new'])
  const descriptions = requests.map(({ tools }) => tools[0]?.description)
  expect(descriptions).toEqual(['d', 'd', 'd', 'new', 'new', 'new'])
})

it('a pattern of exponential time in a posted schema is not run', async () => {
  const server = await startRawServer()
  const registry = createToolRegistry()
  const evil = { type: 'object', properties: { id: { type: 'string', pattern: '^(a+)+$' } } }
  registry.replace(JSON.stringify([definition(server.origin, { parameters: evil })]))
  const { ask, requests } = scripted(calling('get_thing', { id: `${'a'.repeat(34)}!` }), {
    registry,
  })
  const started = performance.now()
  const { parts } = received((await ask([user()])).chunks)
  expect(parts[0]).toMatchObject({ state: 'result' })
  expect(performance.now() - started).toBeLessThan(2000)
  // The model is told of it all the same.
  expect(requests[0]?.tools[0]?.parameters).toEqual(evil)
})

describe('attacks', () => {
  it('a gzip bomb is cut at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 27, 'a'))
    const server = await startRawServer(answer(200, { 'content-encoding': 'gzip' }, bomb))
    const { part } = await callOf([definition(server.origin)], {}, { resultMaxChars: 10 })
    expect(part).toMatchObject({ result: 'aaaaaaaaaa… [truncated]' })
    await until(() => server.open() === 0)
  })

  it('a body that never ends is cut at the limit', async () => {
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n')
      const timer = setInterval(() => socket.write('y'.repeat(100)), 1)
      socket.on('close', () => clearInterval(timer))
    })
    const { part } = await callOf([definition(server.origin)], {}, { resultMaxChars: 5 })
    expect(part).toMatchObject({ result: 'yyyyy… [truncated]' })
    await until(() => server.open() === 0)
  })

  it.each([
    ['the answer', ''],
    ['the rest of a body', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nstart'],
    ['the rest of a body of type text', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'],
  ])('the time is over while it waits for %s', async (_, start) => {
    const server = await startRawServer((socket) => void socket.write(start))
    const { part } = await callOf([definition(server.origin)], {}, { timeoutSecs: 0.2 })
    expect(part).toMatchObject(failed('tool request failed: timed out after 0.2 s'))
    await until(() => server.open() === 0)
  })

  it('the time covers the redirects', async () => {
    const server = await startRawServer((socket) => {
      setTimeout(() => socket.end(answer(302, { location: '/again' })), 60)
    })
    const { part } = await callOf([definition(server.origin)], {}, { timeoutSecs: 0.2 })
    expect(part).toMatchObject(failed('tool request failed: timed out after 0.2 s'))
  })

  it('X-Api-Key does not follow a redirect to another origin', async () => {
    const other = await startRawServer()
    const server = await startRawServer(answer(302, { location: `${other.origin}/steal` }))
    const headers = { 'X-Api-Key': 'k-123', Authorization: 'Bearer t-456' }
    const { part } = await callOf([definition(server.origin, { headers })])
    expect(part).toMatchObject(failed("tool request failed: host '127.0.0.1' is not allowed"))
    expect(other.connections()).toBe(0)
    const options = { allowPrivateNetwork: true }
    const opened = await callOf([definition(server.origin, { headers })], {}, options)
    expect(opened.part).toMatchObject({ result: 'ok' })
    expect(JSON.stringify(other.requests)).not.toMatch(/k-123|t-456/)
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'k-123' })
  })

  it('a redirect to the metadata of a cloud is refused', async () => {
    const server = await startRawServer(answer(302, { location: 'http://169.254.169.254/latest' }))
    const { part } = await callOf([definition(server.origin)])
    expect(part).toMatchObject(failed("tool request failed: host '169.254.169.254' is not allowed"))
  })

  it.each(['0x7f.1', '2130706433', '①②⑦.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])(
    'a host %s that a call chose is refused, though the list allows it',
    async (host) => {
      const server = await startRawServer()
      const parameters = { type: 'object', properties: { base: { type: 'string' } } }
      const allowedHosts = [new URL(`http://${host}`).hostname]
      const { part } = await callOf(
        [definition('{base}/x', { parameters })],
        { base: `http://${host}:${server.port}` },
        { allowedHosts },
      )
      expect(part).toMatchObject(
        failed(`tool request failed: host '${allowedHosts[0]}' is not allowed`),
      )
      expect(server.connections()).toBe(0)
    },
  )

  it('stop closes the connection of a running request', async () => {
    const server = await startRawServer(() => {})
    const registry = createToolRegistry({ definitions: [definition(server.origin)] })
    const { handler } = scripted(calling('get_thing'), { registry })
    const gone = new AbortController()
    const response = await handler(post(bodyOf([user()]), { signal: gone.signal }))
    const read = response.text().catch(() => 'left')
    await until(() => server.requests.length)
    gone.abort()
    await until(() => server.open() === 0)
    await read
    expect(server.requests).toHaveLength(1)
  })
})
