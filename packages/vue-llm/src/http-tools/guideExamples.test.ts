import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import example from '../../tools.example.json'
import { startRawServer, type RawServer } from '../../test/rawServer'
import { callTool } from './__tests__/callTool'
import { buildHttpRequest } from './buildHttpRequest'
import { createHttpTools } from './createHttpTools'

interface Item {
  id: string
  name?: string
  qty?: number
}

const items = new Map<string, Item>()
const lines: string[] = []
let server: Server
let origin: string
let raw: RawServer

/** The items API of the guide, over a map. */
function answer(method: string, url: URL, body: string): [status: number, body?: unknown] {
  const [, , , id] = url.pathname.split('/')
  if (!url.pathname.startsWith('/api/items')) return [404]
  const sent = (body ? JSON.parse(body) : {}) as Partial<Item>
  if (id === undefined) {
    if (method === 'POST') {
      const item = { ...sent, id: `${items.size + 1}` }
      items.set(item.id, item)
      return [201, item]
    }
    const limit = Number(url.searchParams.get('limit') ?? Infinity)
    const search = url.searchParams.get('search') ?? ''
    return [200, [...items.values()].filter(({ name }) => name?.includes(search)).slice(0, limit)]
  }
  const item = items.get(id)
  if (!item) return [404, { error: `no item ${id}` }]
  if (method === 'DELETE') items.delete(id)
  if (method === 'PATCH') items.set(id, { ...item, ...sent })
  if (method === 'PUT') items.set(id, { ...sent, id })
  return method === 'DELETE' ? [204] : [200, items.get(id)]
}

beforeAll(async () => {
  raw = await startRawServer()
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      lines.push(`${request.method} ${request.url} ${body}`.trim())
      const url = new URL(request.url ?? '', 'http://localhost')
      const [status, value] = answer(request.method ?? '', url, body)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  lines.length = 0
  items.clear()
  for (let id = 1; id <= 20; id++) items.set(`${id}`, { id: `${id}`, name: `Item ${id}`, qty: 1 })
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await raw.close()
})

/** The example that has this name, with the local server in place of the host. */
function definitionOf(name: string, host = origin) {
  const definition = example.find((one) => one.name === name)
  if (!definition) throw new Error(`no example ${name}`)
  return { ...definition, url: definition.url.replace(/^https:\/\/[^/]+/, host) }
}

describe('guide §4: the resulting requests', () => {
  it.each([
    ['list_items', { limit: 10 }, 'GET /api/items?limit=10'],
    ['get_item', { id: '5' }, 'GET /api/items/5'],
    ['add_item', { name: 'Lamp' }, 'POST /api/items {"name":"Lamp"}'],
    ['update_item', { id: '5', qty: 2 }, 'PATCH /api/items/5 {"qty":2}'],
    ['replace_item', { id: '5', name: 'Lamp' }, 'PUT /api/items/5 {"name":"Lamp"}'],
    ['delete_item', { id: '5' }, 'DELETE /api/items/5'],
    ['item_exists', { id: '5' }, 'HEAD /api/items/5'],
  ])('18: %s with %j is %s', async (name, args, line) => {
    const text = await callTool(definitionOf(name), args)
    expect(lines).toEqual([line])
    expect(text).not.toContain('Error')
  })

  it('and the service did what they ask for', async () => {
    const call = (name: string, args: object) => callTool(definitionOf(name), args)
    expect(JSON.parse(await call('list_items', { limit: 2, search: '1' }))).toEqual([
      { id: '1', name: 'Item 1', qty: 1 },
      { id: '10', name: 'Item 10', qty: 1 },
    ])
    expect(await call('add_item', { name: 'Lamp', qty: 3 })).toBe(
      '{"name":"Lamp","qty":3,"id":"21"}',
    )
    expect(await call('update_item', { id: '21', qty: 2 })).toBe(
      '{"name":"Lamp","qty":2,"id":"21"}',
    )
    expect(await call('replace_item', { id: '21', name: 'Sofa' })).toBe('{"name":"Sofa","id":"21"}')
    expect(await call('item_exists', { id: '21' })).toBe('HTTP 200')
    expect(await call('delete_item', { id: '21' })).toBe('HTTP 204')
    expect(await call('item_exists', { id: '21' })).toBe('Error: HTTP 404 — ')
    expect(await call('get_item', { id: '21' })).toBe('Error: HTTP 404 — {"error":"no item 21"}')
  })

  it('the weather goes into the path, not the query', () => {
    const request = buildHttpRequest(definitionOf('get_weather', 'https://wttr.in'), {
      city: 'Roma',
    })
    expect(request).toEqual({
      method: 'GET',
      url: 'https://wttr.in/Roma?format=3',
      headers: {},
      body: null,
    })
  })

  it.each([
    ['create_note', { token: 'abc', text: 'hi' }, 'authorization', 'Bearer abc'],
    ['send_webhook', { message: 'hi' }, 'x-tool', 'audio-agent-engine'],
  ])('%s stands on the wire as the guide has it', async (name, args, header, value) => {
    raw.requests.length = 0
    const definition = definitionOf(name, raw.origin)
    expect(await callTool(definition, args)).toBe('ok')
    const [request] = raw.requests
    expect(request?.line).toBe(`POST ${new URL(definition.url).pathname} HTTP/1.1`)
    expect(request?.body).toBe(JSON.stringify(args))
    const sent = new Map(request?.headers)
    expect(sent.get(header)).toBe(value)
    expect(sent.get('content-type')).toBe('application/json')
  })
})

describe('guide §3: the fields', () => {
  it('name and description are what the model gets', () => {
    const [tool] = createHttpTools([definitionOf('get_weather')])
    expect(tool?.name).toBe('get_weather')
    expect(tool?.description).toMatch(/^Current weather and temperature for a city\. Call this/)
  })

  it('parameters: without them an object without properties', () => {
    const [tool] = createHttpTools([{ name: 'now', url: 'https://h.example/' }])
    expect(tool?.parameters).toEqual({ type: 'object', properties: {} })
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PURGE', 'BREW', 'x-own'])(
    'method: %s goes out in upper case whatever its case was',
    async (method) => {
      raw.requests.length = 0
      await callTool({ name: 't', url: raw.origin, method: method.toLowerCase() })
      expect(raw.requests[0]?.line).toBe(`${method.toUpperCase()} / HTTP/1.1`)
    },
  )

  it('method: POST by default', async () => {
    raw.requests.length = 0
    await callTool({ name: 't', url: raw.origin })
    expect(raw.requests[0]).toMatchObject({ line: 'POST / HTTP/1.1', body: '{}' })
  })

  it('headers: verbatim, with the values of arguments', async () => {
    raw.requests.length = 0
    const headers = { 'X-A': 'a  b;c="d" {x}', 'X-B': '{b}' }
    const parameters = { type: 'object', properties: { b: {} } }
    await callTool({ name: 't', url: raw.origin, headers, parameters, method: 'GET' }, { b: 7 })
    const sent = new Map(raw.requests[0]?.headers)
    expect(sent.get('x-a')).toBe('a  b;c="d" {x}')
    expect(sent.get('x-b')).toBe('7')
  })
})

describe('guide §6: what the model reads', () => {
  it('Invalid HTTP verb in the definition', async () => {
    expect(await callTool({ name: 't', url: origin, method: 'BAD VERB' })).toBe(
      "Error: invalid HTTP method 'BAD VERB' for tool 't'",
    )
  })

  it('Non-2xx HTTP status', async () => {
    const definition = definitionOf('get_item')
    expect(await callTool(definition, { id: 'x' }, { resultMaxChars: 10 })).toBe(
      'Error: HTTP 404 — {"error":"… [truncated]',
    )
  })

  it('Network error / timeout', async () => {
    raw.answer = () => {}
    expect(await callTool({ name: 't', url: raw.origin }, {}, { timeoutMs: 20 })).toBe(
      'Error: tool request failed: timed out after 0.02 s',
    )
    const closed = await startRawServer()
    await closed.close()
    expect(await callTool({ name: 't', url: closed.origin })).toBe(
      'Error: tool request failed: network error (ECONNREFUSED)',
    )
  })

  it('Result longer than the limit', async () => {
    const text = await callTool(definitionOf('list_items'), {}, { resultMaxChars: 12 })
    expect(text).toBe('[{"id":"1","… [truncated]')
  })
})
