import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, describe, it } from 'vitest'
import { openSocket, startServe } from './startServe'

const run = promisify(execFile)

/** The line of the guide (§2), with the server's own port. */
const post = (url: string) => [
  '-s',
  '-X',
  'POST',
  `${url.replace('http://127.0.0.1', 'localhost')}/api/tools`,
  '-H',
  'Content-Type: application/json',
  '-d',
  '[{"name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"url":"https://wttr.in/{city}?format=3","method":"GET"}]',
]

describe('guide §2: the lines of curl', () => {
  it('POST /api/tools replaces the definitions, GET tells of them and where they come from', async () => {
    const { url } = await startServe()
    const before: unknown = JSON.parse((await run('curl', ['-s', `${url}/api/tools`])).stdout)
    expect(before).toMatchObject({ ok: true, source: 'file' })
    const { stdout } = await run('curl', post(url))
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      count: 1,
      source: 'request',
      tools: [{ name: 'get_weather', url: 'https://wttr.in/{city}?format=3', method: 'GET' }],
    })
    const after = await run('curl', ['-s', `${url.replace('127.0.0.1', 'localhost')}/api/tools`])
    expect(JSON.parse(after.stdout)).toEqual(JSON.parse(stdout))
  })
})

describe('guide §8: end-to-end verification', () => {
  it.each(['vue-llm-demo', 'vue-llm-demo-text', 'vue-llm-demo-swallow'])(
    'model %s: tool_call, then assistant_end, and no <tool_call> in any delta',
    async (model) => {
      const { url } = await startServe(['--demo', '--model', model])
      const { events, say, turns } = await openSocket(url)
      say("What's the weather in Paris?")
      await turns(1)
      const types = events.map(({ type }) => type)
      expect(events.find(({ type }) => type === 'tool_call')).toMatchObject({
        name: 'get_weather',
        arguments: { city: 'Paris' },
      })
      expect(types.indexOf('tool_call')).toBeLessThan(types.indexOf('assistant_end'))
      expect(types.at(-1)).toBe('assistant_end')
      const deltas = events.filter(({ type }) => type === 'assistant_delta')
      const said = deltas.map(({ text }) => text).join('')
      expect(said).not.toMatch(/<\/?tool_call|<function|<parameter/)
      expect(said).toContain('Paris')
    },
  )

  it('what was posted is used from the next turn on', async () => {
    const { url } = await startServe(['--demo'])
    await run('curl', post(url))
    const { events, say, turns } = await openSocket(url)
    say("What's the weather in Paris?")
    await turns(1)
    expect(events[0]).toMatchObject({ type: 'tool_call', arguments: { city: 'Paris' } })
    expect(events[1]).toMatchObject({ type: 'tool_result', result: expect.stringContaining('°C') })
  })
})
