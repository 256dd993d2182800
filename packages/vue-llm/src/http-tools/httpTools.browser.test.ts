import type { EchoedRequest } from '#test/echoServer'
import { expectWarning } from '#test/expectWarning'
import { describe, expect, it } from 'vitest'
import { callTool } from './__tests__/callTool'
import { createHttpTools, loadHttpTools } from './index'
import type { HttpToolInput, HttpToolOptions } from './types'

/** The request as the server saw it. */
async function sent(definition: Partial<HttpToolInput>, args: object, options?: HttpToolOptions) {
  const whole = { name: 't', url: '/__echo', ...definition }
  return JSON.parse(await callTool(whole, args, options)) as EchoedRequest
}

describe('HTTP tools in Chromium', () => {
  it.each<[Partial<HttpToolInput>, object, string, string]>([
    [
      { url: '/__echo/{city}?format=3', method: 'GET' },
      { city: 'São Paulo' },
      'GET /__echo/S%C3%A3o%20Paulo?format=3',
      '',
    ],
    [
      { url: '/__echo/{id}', method: 'GET' },
      { id: 'a/b?x=1#f %2F é' },
      'GET /__echo/a%2Fb%3Fx%3D1%23f%20%252F%20%C3%A9',
      '',
    ],
    [
      { url: '/__echo?a=b%20c&flag', method: 'get' },
      { q: "it's", tags: [1, 2] },
      'GET /__echo?a=b%20c&flag&q=it%27s&tags=1&tags=2',
      '',
    ],
    [
      { url: '/__echo/{id}', method: 'delete' },
      { id: '5', force: true },
      'DELETE /__echo/5?force=true',
      '',
    ],
    [{}, { a: null, b: [1, 'é'] }, 'POST /__echo', '{"a":null,"b":[1,"é"]}'],
    [{ method: 'patch' }, {}, 'PATCH /__echo', '{}'],
    [{ method: 'purge', url: '/__echo/{key}' }, { key: 'a' }, 'PURGE /__echo/a', '{}'],
  ])('%j with %j is sent as it is anywhere', async (definition, args, line, body) => {
    const request = await sent(definition, args)
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(request.body).toBe(body)
    expect(request.headers['content-type']).toBe(body ? 'application/json' : undefined)
  })

  it('sends the headers of the definition', async () => {
    const headers = { Authorization: 'Bearer {token}', 'X-A': '{"a":1} {nope}' }
    const parameters = { type: 'object', properties: { token: {} } }
    const request = await sent({ headers, parameters, method: 'GET' }, { token: 'abc' })
    expect(request.headers).toMatchObject({ authorization: 'Bearer abc', 'x-a': '{"a":1} {nope}' })
  })

  it('D09: turns credentials of a URL into a header', async () => {
    const url = `${location.protocol}//user:pass@${location.host}/__echo`
    expect((await sent({ url }, {})).headers['authorization']).toBe(`Basic ${btoa('user:pass')}`)
  })

  it('D14: sends no TRACE', async () => {
    expect(await callTool({ name: 't', url: '/__echo', method: 'TRACE' })).toBe(
      "Error: tool request failed: HTTP method 'TRACE' cannot be sent from this runtime",
    )
  })

  it('D22: follows a redirect only without headers of the definition', async () => {
    const url = '/__moved?to=/__echo/there'
    expect((await sent({ url, method: 'GET' }, {})).url).toBe('/__echo/there')
    const headers = { 'X-Tool': 'x' }
    expect(await callTool({ name: 't', url, method: 'GET', headers })).toBe(
      'Error: tool request failed: network error',
    )
  })

  it('24: a network error has no code here, and tells no URL', async () => {
    expect(await callTool({ name: 't', url: 'http://127.0.0.1:9/s3cret' })).toBe(
      'Error: tool request failed: network error',
    )
  })

  it('D18: leaves a body that never ends at the limit', async () => {
    const text = await callTool({ name: 't', url: '/__endless', method: 'GET' })
    expect(text).toBe(`${'x'.repeat(2000)}… [truncated]`)
  })

  it('26: stops at the time', async () => {
    const url = '/__endless'
    const options = { timeoutMs: 300, resultMaxChars: 1e9 }
    expect(await callTool({ name: 't', url, method: 'GET' }, {}, options)).toBe(
      'Error: tool request failed: timed out after 0.3 s',
    )
  })

  it('warns of credentials that stand in the page, and of headers that never leave', () => {
    expectWarning(/tool 't': the value of 'X-Api-Key' stands in the page/)
    expectWarning(/tool 't': browsers don't send the header 'Cookie'/)
    const headers = { 'X-Api-Key': 's3cret', Authorization: 'Bearer {token}', Cookie: 'a=b' }
    const definition = { name: 't', url: '/__echo', headers }
    expect(createHttpTools([definition])).toHaveLength(1)
    const silent = { ...definition, name: 'silent' }
    expect(createHttpTools([silent], { silenceSecretWarning: true })).toHaveLength(1)
  })

  it('loads definitions whose URLs are relative to the page', async () => {
    const definitions = [{ name: 't', url: '/__echo' }]
    const url = `data:application/json,${encodeURIComponent(JSON.stringify(definitions))}`
    expect(await loadHttpTools(url)).toHaveLength(1)
  })
})
