import { describe, expect, it } from 'vitest'
import { hasKit, readKit } from '../../test/conformanceKit'
import { errorText } from '../core'
import { createHttpTools, type HttpToolDefinition, type HttpTransport } from '../http-tools'
import { answer, startRawServer } from './__tests__/rawServer'
import { createNodeTransport } from './index'

interface Kit {
  requests: {
    id: string
    definition: HttpToolDefinition
    args: object
    options?: object
    expectRequest: {
      method: string
      url: string
      headers: Record<string, string>
      absentHeaders?: string[]
      body: string | null
    }
  }[]
  errors: {
    id: string
    call?: string
    definition: HttpToolDefinition
    args?: object
    expectText: string
  }[]
  responses: {
    id: string
    method?: string
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
}

const kit: Kit = hasKit
  ? (JSON.parse(readKit('http-tools.json').toString()) as Kit)
  : { requests: [], errors: [], responses: [] }

const send = createNodeTransport()

/** Sends to the local server what is meant for the host of the definition. */
const transportTo =
  (origin: string): HttpTransport =>
  (request, options) =>
    send(
      { ...request, url: request.url.replace(/^https?:\/\/[^/?#]+/, origin) },
      { ...options, allowedOrigin: origin },
    )

/** What the model reads of a call. */
async function callTool(definition: HttpToolDefinition, args: object, options: object) {
  const [tool] = createHttpTools([definition], options)
  const context = {
    signal: new AbortController().signal,
    toolCallId: 'c1',
    messages: [],
    context: undefined,
    progress: () => {},
  }
  try {
    return await tool?.execute?.(args as Record<string, unknown>, context)
  } catch (error) {
    return `Error: ${errorText(error)}`
  }
}

describe.runIf(hasKit)('the vectors of HTTP tools over the transport of the server', () => {
  it.each(kit.requests)('$id: the request on the wire', async (vector) => {
    const { definition, args, options, expectRequest } = vector
    const server = await startRawServer()
    const transport = transportTo(server.origin)
    expect(await callTool(definition, args, { ...options, transport })).toMatch(/^(ok|HTTP 200)$/)
    const { pathname, search } = new URL(expectRequest.url)
    expect(server.requests).toMatchObject([
      {
        line: `${expectRequest.method} ${pathname}${search} HTTP/1.1`,
        headers: expectRequest.headers,
        body: expectRequest.body ?? '',
      },
    ])
    const names = Object.keys(server.requests[0]?.headers ?? {})
    for (const name of expectRequest.absentHeaders ?? []) expect(names).not.toContain(name)
  })

  const refused = kit.errors.filter(({ call, args }) => !call && args)
  it.each(refused)('$id: nothing is sent', async ({ definition, args = {}, expectText }) => {
    const server = await startRawServer()
    const transport = transportTo(server.origin)
    expect(await callTool(definition, args, { transport })).toBe(expectText)
    expect(server.connections()).toBe(0)
  })

  it.each(kit.responses)('$id: what the model reads', async (vector) => {
    const { response, limit, expectText, method = 'GET' } = vector
    const { status, headers, b64, bodyRepeat, body = '' } = response
    const repeated = bodyRepeat ? bodyRepeat.char.repeat(bodyRepeat.count) : body
    const bytes = b64 === undefined ? repeated : Buffer.from(b64, 'base64')
    const server = await startRawServer(answer(status, headers, bytes))
    const definition = { name: 't', url: 'https://h.example/', method }
    const transport = transportTo(server.origin)
    expect(await callTool(definition, {}, { transport, resultMaxChars: limit })).toBe(expectText)
  })
})
