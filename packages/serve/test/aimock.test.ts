import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { expect, it, onTestFinished } from 'vitest'
import { openSocket, startServe } from './startServe'

/** A service that says back which path was asked for. */
async function startService(): Promise<string> {
  const server = createServer(({ url }, response) => response.end(`asked for ${url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A definitions file with one tool. */
function writeTools(service: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vue-llm-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tools.json')
  const parameters = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
  }
  const tool = {
    name: 'get_item',
    description: 'An item',
    parameters,
    url: `${service}/items/{id}`,
    method: 'GET',
  }
  writeFileSync(file, JSON.stringify([tool]))
  return file
}

it('aimock as the model, over a socket: two rounds with tools, then the answer', async () => {
  const mock = new LLMock({ port: 0 })
  const call = (id: string) => ({
    toolCalls: [{ name: 'get_item', arguments: JSON.stringify({ id }) }],
  })
  mock.onTurn(0, /compare/, call('5'))
  mock.onTurn(1, /compare/, call('7'))
  mock.onTurn(2, /compare/, { content: 'Five and seven.' })
  await mock.start()
  onTestFinished(() => mock.stop())
  const { url } = await startServe([
    '--base-url',
    `${mock.url}/v1`,
    '--model',
    'gpt-4o',
    '--tools-file',
    writeTools(await startService()),
  ])
  const { events, say, turns } = await openSocket(url)
  say('compare them')
  await turns(1)
  const told = events.filter(({ type }) => type !== 'assistant_delta')
  expect(told).toMatchObject([
    { type: 'tool_call', name: 'get_item', arguments: { id: '5' } },
    { type: 'tool_result', result: 'asked for /items/5' },
    { type: 'tool_call', name: 'get_item', arguments: { id: '7' } },
    { type: 'tool_result', result: 'asked for /items/7' },
    { type: 'assistant_end' },
  ])
  const said = events.map(({ type, text }) => (type === 'assistant_delta' ? text : '')).join('')
  expect(said).toBe('Five and seven.')
})
