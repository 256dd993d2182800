import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openSocket, startServe } from './startServe'

/** A model's server that says back whatever it was sent, in a way of its own. */
async function startEcho(answer: (body: string) => [number, string, string]): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += data))
    request.on('end', () => {
      const [status, type, text] = answer(`${body} ${request.headers.authorization}`)
      response.writeHead(status, { 'content-type': type }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const inJSON = (error: object) => JSON.stringify({ error })

it.each<[string, (body: string) => [number, string, string], object]>([
  [
    'an error in JSON',
    (message) => [400, 'application/json', inJSON({ message, code: 'context_length_exceeded' })],
    { code: 'http', status: 400, upstream: 'context_length_exceeded' },
  ],
  [
    'an error whose code is no word',
    (code) => [404, 'application/json', inJSON({ code, type: code })],
    { code: 'http', status: 404 },
  ],
  ['an error in plain text', (body) => [500, 'text/plain', body], { code: 'http', status: 500 }],
  ['a page', (body) => [200, 'text/html', `<p>${body}`], { code: 'invalid-response' }],
  [
    'an error in the stream',
    (message) => [200, 'text/event-stream', `data: ${inJSON({ message })}\n\n`],
    { code: 'provider' },
  ],
  [
    'an event that is no JSON',
    (body) => [200, 'text/event-stream', `data: {${body}\n\n`],
    { code: 'invalid-response' },
  ],
])(
  '%s that quotes the conversation is logged without a word of it',
  async (_what, answer, line) => {
    const { url, lines } = await startServe(
      ['--base-url', await startEcho(answer), '--model', 'm', '--system-prompt', 'canary-system'],
      { LLM_API_KEY: 'canary-key', LLM_TOOLS_API_TOKEN: 'canary-token' },
    )
    const { say, events, turns } = await openSocket(url)
    say('canary-user')
    await turns(1)
    await (
      await fetch(`${url}/api/chat?canary-query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'canary-user' }] }),
      })
    ).text()
    expect(events[0]).toEqual({ type: 'error', message: 'the server could not answer' })
    expect(lines.join('')).not.toContain('canary')
    const turn = lines.map((text) => JSON.parse(text) as object).find((one) => 'source' in one)
    expect(turn).toMatchObject({ event: 'turn', source: 'provider', ...line })
  },
)

it('what tools and their definitions hold is not logged', async () => {
  const { url, lines } = await startServe(['--demo'])
  const definition = {
    name: 'get_weather',
    description: 'Current weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    url: 'http://canary:canary@127.0.0.1:9/{city}/{nope}?api_key=canary',
    method: 'GET',
    headers: { Authorization: 'Bearer canary', 'X-Key': 'canary' },
  }
  const posted = await fetch(`${url}/api/tools`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([definition]),
  })
  expect(posted.status).toBe(200)
  const { say, events, turns } = await openSocket(url)
  say("What's the weather in Canary?")
  await turns(1)
  expect(events[1]).toMatchObject({ type: 'tool_result', error: expect.any(String) })
  expect(lines.join('')).toContain('"tool":"get_weather"')
  expect(lines.join('')).not.toMatch(/canary/i)
})
