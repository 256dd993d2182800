import { describe, expect, it } from 'vitest'
import { hasKit, readKit } from '../../test/conformanceKit'
import { createToolRegistry, createToolsHandler, toolRegistryFromEnv } from './index'

interface Exchange {
  status?: number
  json?: object
  jsonSubset?: object
}

interface RegistryVector {
  id: string
  scenario?: string
  setup: { file?: unknown; authorize: 'allow' | null; llm?: 'disabled' }
  request: { method: string; path: string; body?: string; b64?: string }
  expect: Exchange & { thenGet?: Exchange; thenGetWithAuthorize?: Exchange }
}

interface EnvVector {
  id: string
  env: Record<string, string>
  file?: unknown
  expect: Record<string, unknown> & { throws?: unknown }
}

const kit = hasKit
  ? (JSON.parse(readKit('http-tools.json').toString()) as {
      registry: RegistryVector[]
      env: EnvVector[]
    })
  : { registry: [], env: [] }

// A scenario in words is a test of its own: registry.test.ts.
const vectors = kit.registry.filter(({ scenario }) => scenario === undefined)

const ask = ({ method, path, body, b64 }: RegistryVector['request']): Request =>
  new Request(`http://localhost:8787${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: b64 === undefined ? body : Buffer.from(b64, 'base64') }),
  } as RequestInit)

const read = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as unknown,
})

describe.runIf(hasKit)('GET and POST /api/tools', () => {
  it.each(vectors)('$id', async ({ setup, request, expect: expected }) => {
    const registry = createToolRegistry({
      definitions: setup.file ?? [],
      llmEnabled: setup.llm !== 'disabled',
    })
    const open = createToolsHandler({ registry, authorize: () => true })
    const handler = setup.authorize === 'allow' ? open : createToolsHandler({ registry })
    const first = await read(await handler(ask(request)))
    expect(first.status).toBe(expected.status)
    expect(first.body).toEqual(expected.json ?? first.body)
    expect(first.body).toMatchObject(expected.jsonSubset ?? {})
    const then = await read(await open(ask({ method: 'GET', path: request.path })))
    const { jsonSubset = {} } = expected.thenGet ?? expected.thenGetWithAuthorize ?? {}
    expect(then).toMatchObject({ status: 200, body: jsonSubset })
  })
})

describe.runIf(hasKit)('the environment', () => {
  it.each(kit.env)('$id', ({ env, file, expect: expected }) => {
    const registry = toolRegistryFromEnv(env, {
      readFile: () => JSON.stringify(file),
      onWarning: () => {},
    })
    expect(registry).toMatchObject(expected)
  })
})
