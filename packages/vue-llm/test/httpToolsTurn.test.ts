import { describe, expect, it } from 'vitest'
import { createOpenAIProvider } from 'vue-llm'
import { runChat, type Message } from 'vue-llm/core'
import { createHttpTools, type HttpToolDefinition } from 'vue-llm/http-tools'
import { sseResponse } from 'vue-llm/testing'

const weather: HttpToolDefinition = {
  name: 'get_weather',
  description: 'Weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
  },
  url: 'https://h.example/{city}?key=k',
  method: 'GET',
  headers: { 'X-Tool': 'x' },
}

/** A round: what the model writes, or the calls it makes by their ids and arguments. */
type Round = string | readonly [id: string, args: object][]

interface Body {
  messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: object[] }[]
  tools?: object[]
  tool_choice?: unknown
  stream: boolean
}

const toDelta = (round: Round) =>
  typeof round === 'string'
    ? { content: round }
    : {
        tool_calls: round.map(([id, args], index) => ({
          index,
          id,
          type: 'function',
          function: { name: 'get_weather', arguments: JSON.stringify(args) },
        })),
      }

/** One turn: what the model was asked, what the service was, and the answer. */
async function turnOf(
  rounds: readonly Round[],
  { definitions = [weather], delayOf = (_path: string): number => 0 } = {},
) {
  const bodies: Body[] = []
  const paths: string[] = []
  const model: typeof fetch = async (_url, init) => {
    const body = JSON.parse(`${init?.body as string}`) as Body
    const delta = toDelta(rounds[bodies.push(body) - 1] ?? 'end')
    if (!body.stream) {
      const message = { role: 'assistant', ...delta }
      return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    }
    return sseResponse([
      { choices: [{ index: 0, delta, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ])
  }
  const service: typeof fetch = async (input) => {
    const { pathname } = new URL(`${input as string}`)
    await new Promise((resolve) => setTimeout(resolve, delayOf(pathname)))
    paths.push(pathname)
    return new Response(`sunny in ${pathname.slice(1)}`)
  }
  const deltas: string[] = []
  const user: Message = { id: 'u', role: 'user', parts: [], steps: [], createdAt: 0 }
  user.parts.push({ type: 'text', text: 'How is the weather?', state: 'done', step: 0 })
  const run = runChat({
    provider: createOpenAIProvider({ baseURL: 'https://model.example/v1', fetch: model }),
    messages: [user],
    request: { model: 'm' },
    tools: createHttpTools(definitions, { fetch: service }),
    signal: new AbortController().signal,
  })
  for await (const chunk of run) if (chunk.type === 'text-delta') deltas.push(chunk.text)
  return { bodies, paths, deltas, text: deltas.join('') }
}

describe('a turn with HTTP tools over Chat Completions', () => {
  it('11, 44: every request has the tools, tool_choice auto, and no word of the library', async () => {
    const { bodies } = await turnOf([[['c1', { city: 'Oslo' }]], 'It is sunny.'])
    const { name, description, parameters } = weather
    expect(bodies).toHaveLength(2)
    for (const { tools, tool_choice: choice } of bodies) {
      expect(tools).toEqual([{ type: 'function', function: { name, description, parameters } }])
      expect(choice).toBe('auto')
    }
    expect(bodies[0]?.messages).toEqual([{ role: 'user', content: 'How is the weather?' }])
    expect(JSON.stringify(bodies)).not.toMatch(/h\.example|X-Tool/)
  })

  it('27, 37: the call and its result go back, the result as a message of the role tool', async () => {
    const { bodies, text } = await turnOf([[['c1', { city: 'Oslo' }]], 'It is sunny.'])
    expect(bodies[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { arguments: '{"city":"Oslo"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny in Oslo' },
    ])
    expect(text).toBe('It is sunny.')
  })

  it('D32: calls of a round run side by side, and go back in their order', async () => {
    const calls: Round = [
      ['c1', { city: 'slow' }],
      ['c2', { city: '..' }],
      ['c3', { city: 'fast' }],
    ]
    const { bodies, paths } = await turnOf([calls, 'Done.'], {
      delayOf: (path) => (path === '/slow' ? 50 : 0),
    })
    expect(paths).toEqual(['/fast', '/slow'])
    expect(bodies[1]?.messages.slice(2)).toMatchObject([
      { tool_call_id: 'c1', content: 'sunny in slow' },
      { tool_call_id: 'c2', content: expect.stringMatching(/^Error: .*'city' is not allowed/) },
      { tool_call_id: 'c3', content: 'sunny in fast' },
    ])
  })

  it('D24, D25, 40, 41: a call written as text runs, typed by its schema, and is not shown', async () => {
    const call =
      '<tool_call>\n<function=get_weather>\n<parameter=city>\n75001\n</parameter>\n' +
      '<parameter=days>\n3\n</parameter>\n'
    // Not closed at the end of the answer.
    const { bodies, deltas, text } = await turnOf([`I look. ${call}`, 'It is sunny.'])
    expect(bodies[1]?.messages[1]?.tool_calls).toMatchObject([
      { function: { name: 'get_weather', arguments: '{"city":"75001","days":3}' } },
    ])
    expect(text.replace(/\s+/g, ' ')).toBe('I look. It is sunny.')
    expect(deltas.join('|')).not.toMatch(/[<>]|75001/)
  })

  it('D37: without tools a text about such calls stays as it is', async () => {
    const text = 'It writes <tool_call><function=f></function></tool_call>.'
    expect((await turnOf([text], { definitions: [] })).text).toBe(text)
  })

  it('39, D31: an empty round is asked again once, without streaming, and counts as none', async () => {
    const { bodies, paths, text } = await turnOf(['', [['c1', { city: 'Oslo' }]], 'It is sunny.'])
    expect(bodies.map(({ stream }) => stream)).toEqual([true, false, true])
    expect(bodies[1]?.messages).toEqual(bodies[0]?.messages)
    expect(bodies[1]?.tools).toEqual(bodies[0]?.tools)
    expect(paths).toEqual(['/Oslo'])
    expect(text).toBe('It is sunny.')
  })

  it('39, D31: the text of the second try is what is said; a round that is not empty has none', async () => {
    expect(await turnOf([' \n', 'It is sunny.'])).toMatchObject({ bodies: { length: 2 } })
    expect((await turnOf(['Hello.'])).bodies).toHaveLength(1)
    expect((await turnOf([''], { definitions: [] })).bodies).toHaveLength(1)
  })

  it('38, D30: N rounds run, one more answer is asked for, and its calls do not run', async () => {
    const call: Round = [['c1', { city: 'Oslo' }]]
    const { bodies, paths } = await turnOf(Array.from({ length: 9 }, () => call))
    expect([bodies.length, paths.length]).toEqual([6, 5])
  })
})
