import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasKit, readEntries, readKit } from '../../test/conformanceKit'
import { isLLMError, runChat, toolOutput, type Message, type Provider } from '../core'
import { callTool } from './__tests__/callTool'
import { startRawServer, type RawServer } from '../../test/rawServer'
import { buildHttpRequest, createHttpTools, parseToolDefinitions, renderHttpResult } from './index'
import type { HttpRequestOptions, HttpToolDefinition } from './types'

interface Expected {
  method: string
  url: string
  headers: Record<string, string>
  absentHeaders?: string[]
  body: string | null
}

interface Kit {
  requests: {
    id: string
    definition: HttpToolDefinition
    args: object
    options?: HttpRequestOptions
    expectRequest: Expected
  }[]
  errors: {
    id: string
    call?: string
    definition: HttpToolDefinition
    args?: object
    argsText?: string
    expectText: string
  }[]
  responses: {
    id: string
    response: {
      status: number
      headers?: Record<string, string>
      body?: string
      b64?: string
      bodyRepeat?: { char: string; count: number }
    }
    limit: number
    expectText: string
  }[]
  registry: { id: string; request: { body?: string }; expect: { status: number } }[]
}

interface Reported {
  id: string
  format: string
  tool: HttpToolDefinition
  args: object
  limit?: number
  response?: { status: number; headers?: Record<string, string> }
  chunks: string[]
  expect: {
    request?: { method?: string; url?: string; headers?: Record<string, string>; body?: null }
    noRequestHeader?: string
    isError?: boolean
    resultStartsWith?: string
    resultIncludesNot?: string[]
    resultEndsWith?: string
    resultOneOf?: string[]
    urlStartsWith?: string
    urlNever?: string[]
    queryHas?: Record<string, string>
    originBNeverSees?: string[]
  }
}

interface Sent {
  url: URL
  init: RequestInit
}

const kit: Kit = hasKit
  ? (JSON.parse(readKit('http-tools.json').toString()) as Kit)
  : { requests: [], errors: [], responses: [], registry: [] }

let server: RawServer
beforeAll(async () => {
  server = await startRawServer()
})
afterAll(() => server.close())

/** Sends to the local server what is meant for a host of the definition. */
const toServer: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(`${input as string}`)
  return fetch(server.origin + pathname + search, init)
}

/** What the model reads of a call that it made in a chat. */
async function callInChat(definition: HttpToolDefinition, toolName: string, argsText: string) {
  const read: unknown[] = []
  const provider: Provider = {
    name: 'p',
    async *stream({ messages }) {
      for (const part of messages.at(-1)?.parts ?? []) {
        if (part.type === 'tool-call') read.push(toolOutput(part))
      }
      if (read.length) return yield { type: 'text-delta', text: 'sorry' }
      yield { type: 'tool-call-start', toolCallId: 'c1', toolName }
      yield { type: 'tool-call-delta', toolCallId: 'c1', argsText }
      yield { type: 'tool-call-end', toolCallId: 'c1' }
    },
  }
  const user: Message = { id: 'u', role: 'user', parts: [], steps: [], createdAt: 0 }
  const run = runChat({
    provider,
    messages: [user],
    request: { model: 'm' },
    tools: createHttpTools([definition], { fetch: () => Promise.reject(new Error('sent')) }),
    signal: new AbortController().signal,
  })
  for await (const _ of run) {
    // Only to the end.
  }
  return read
}

describe.skipIf(!hasKit)('the vectors of HTTP tools', () => {
  it.each(kit.requests)('$id: the request', ({ definition, args, options, expectRequest }) => {
    const request = buildHttpRequest(definition, args, options)
    expect(request).toMatchObject({
      method: expectRequest.method,
      url: expectRequest.url,
      headers: expectRequest.headers,
      body: expectRequest.body,
    })
    for (const name of expectRequest.absentHeaders ?? [])
      expect(request.headers).not.toHaveProperty(name)
    expect(parseToolDefinitions([definition]).definitions).toEqual([definition])
  })

  it.each(kit.requests.filter(({ id }) => id !== 'R17'))(
    '$id: on the wire',
    async ({ definition, args, options, expectRequest }) => {
      server.requests.length = 0
      await callTool(definition, args, { ...options, fetch: toServer })
      const { pathname, search } = new URL(expectRequest.url)
      const [request] = server.requests
      expect(request?.line).toBe(`${expectRequest.method} ${pathname}${search} HTTP/1.1`)
      expect(request?.body).toBe(expectRequest.body ?? '')
      const sent = new Map(request?.headers.map(([name, value]) => [name.toLowerCase(), value]))
      for (const [name, value] of Object.entries(expectRequest.headers)) {
        expect(sent.get(name)).toBe(value)
      }
      for (const name of expectRequest.absentHeaders ?? []) expect(sent.has(name)).toBe(false)
    },
  )

  it.each(kit.errors.filter(({ call }) => !call))(
    '$id: no request',
    async ({ definition, args, argsText, expectText }) => {
      const refuse = () => Promise.reject(new Error('sent'))
      expect(await callTool(definition, argsText ?? args, { fetch: refuse })).toBe(expectText)
      expect(() => buildHttpRequest(definition, argsText ?? args)).toThrow(
        expectText.replace('Error: ', ''),
      )
    },
  )

  it.each(kit.errors)(
    '$id: what the model reads of it in a chat',
    async ({ definition, call = definition.name, args, argsText, expectText }) => {
      const text = argsText ?? JSON.stringify(args)
      expect(await callInChat(definition, call, text)).toEqual([expectText])
    },
  )

  it.each(kit.responses)('$id: the answer', async ({ response, limit, expectText }) => {
    const { status, headers = {}, body = null, b64, bodyRepeat } = response
    const content = b64
      ? Buffer.from(b64, 'base64')
      : bodyRepeat
        ? bodyRepeat.char.repeat(bodyRepeat.count)
        : body === null
          ? null
          : Buffer.from(body)
    const result = await renderHttpResult(new Response(content, { status, headers }), {
      resultMaxChars: limit,
    }).catch((error: Error) => `Error: ${error.message}`)
    expect(result).toBe(expectText)
  })

  it.each(kit.registry.filter(({ request }) => request?.body))(
    '$id: the definitions',
    ({ request, expect: { status } }) => {
      const count = () => {
        try {
          return parseToolDefinitions(request.body).definitions.length
        } catch (error) {
          return isLLMError(error, 'invalid-definition') ? 0 : -1
        }
      }
      const isRead = count() > 0
      expect(isRead).toBe(status !== 400)
    },
  )
})

const reported = hasKit
  ? readEntries<Reported>('reported-cases.json').filter(({ format }) => format === 'http-tool')
  : []

/** What a reported case says must be, of what was sent and what the model read. */
function problemsOf({ expect: expected }: Reported, request: Sent | undefined, text: string) {
  const sent = new Headers(request?.init.headers)
  const { href = '', searchParams } = request?.url ?? {}
  const { request: wanted = {} } = expected
  const checks: Record<string, boolean> = {
    method: !wanted.method || request?.init.method === wanted.method,
    url: !wanted.url || href === wanted.url,
    headers: Object.entries(wanted.headers ?? {}).every(
      ([name, value]) => sent.get(name) === value,
    ),
    body: wanted.body !== null || request?.init.body === null,
    noRequestHeader: !expected.noRequestHeader || !sent.has(expected.noRequestHeader),
    isError: expected.isError === undefined || expected.isError === text.startsWith('Error: '),
    resultIncludesNot: !expected.resultIncludesNot?.some((part) => text.includes(part)),
    resultEndsWith: text.endsWith(expected.resultEndsWith ?? ''),
    resultOneOf: expected.resultOneOf?.includes(text) ?? true,
    urlStartsWith: href.startsWith(expected.urlStartsWith ?? ''),
    urlNever: !expected.urlNever?.some((part) => href.includes(part)),
    queryHas: Object.entries(expected.queryHas ?? {}).every(
      ([name, value]) => searchParams?.get(name) === value,
    ),
  }
  return Object.keys(checks).filter((name) => !checks[name])
}

describe.skipIf(!hasKit)('the reported cases', () => {
  it.each(reported)('$id', async (entry) => {
    const { tool, args, limit, response, chunks } = entry
    const seen: Sent[] = []
    const answer: typeof fetch = async (input, init = {}) => {
      seen.push({ url: new URL(`${input as string}`), init })
      if (response?.status === 302 && init.redirect === 'error') throw new TypeError('fetch failed')
      const body = chunks.length ? chunks.join('') : null
      return new Response(body, { status: 200, ...response })
    }
    const text = await callTool(tool, args, {
      fetch: answer,
      ...(limit !== undefined && { resultMaxChars: limit }),
    })
    expect(problemsOf(entry, seen[0], text)).toEqual([])
    // A redirect to another origin is not followed with the headers of the definition.
    expect(seen.length).toBeLessThan(2)
  })
})
