import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { callsOf, createMessage, type AnyTool } from '../src/core'
import { createOpenAIResponsesProvider } from '../src/providers'
import { responsesProblems } from './strictVendors'
import { runTurn, startStrictWire, strictFetch } from './strictWire'

const toEvents = (items: object[], end: string): string =>
  [
    { type: 'response.created', response: { status: 'in_progress' } },
    ...items.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: { ...item, content: [], arguments: '' },
      },
      { type: 'response.output_item.done', output_index, item },
    ]),
    ...(end ? [{ type: `response.${end}`, response: { status: end, output: items } }] : []),
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

const message = (id: string, text: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const reasoning = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: `secret of ${id}`,
})
const call = (id: string, name: string, call_id = `call_${id}`) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id,
  name,
  arguments: '{"at":"sky"}',
})

const tools: AnyTool[] = [
  { name: 'look', execute: () => ({ sees: 1 }) },
  {
    name: 'fail',
    execute() {
      throw new Error('dark')
    },
  },
]

describe('rounds of the Responses API', () => {
  it('go on with all that the server needs again, over a real socket', async () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} }
    const rounds = [
      [
        reasoning('rs_1'),
        search,
        reasoning('rs_2'),
        message('msg_1', 'I look.'),
        call('1', 'look'),
        call('2', 'fail'),
      ],
      [reasoning('rs_3'), call('3', 'look')],
      [reasoning('rs_4'), message('msg_2', 'It is blue.')],
      [message('msg_3', 'Welcome.')],
    ]
    const { origin, requests } = await startStrictWire(
      rounds.map((items) => toEvents(items, 'completed')),
      responsesProblems,
    )
    const provider = createOpenAIResponsesProvider({ baseURL: origin, maxRetries: 0 })
    const messages = [createMessage('user', { content: 'look' })]
    expect(await runTurn(provider, messages, tools)).toBeUndefined()
    messages.push(createMessage('user', { content: 'thanks' }))
    expect(await runTurn(provider, messages, tools)).toBeUndefined()
    expect(
      requests
        .at(-1)
        ?.input.map(({ type, role }) => type ?? role)
        .join(' '),
    ).toBe(
      'user reasoning web_search_call reasoning assistant function_call function_call ' +
        'function_call_output function_call_output reasoning function_call function_call_output ' +
        'reasoning assistant user',
    )
    expect(requests[1]?.input).toContainEqual(reasoning('rs_2'))
    expect(requests[1]?.input).toContainEqual(search)
  })

  it('are never refused, whatever came and however it ended', async () => {
    const kind = fc.constantFrom('reasoning', 'message', 'look', 'fail', 'client', 'same', 'search')
    const round = fc.record({
      kinds: fc.array(kind, { maxLength: 5 }),
      end: fc.constantFrom('completed', 'completed', 'completed', 'incomplete', ''),
    })
    let calls = 0
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
        let number = 0
        const toItem = (name: string) => {
          const id = `${number++}`
          if (name === 'reasoning') return reasoning(`rs_${id}`)
          if (name === 'message') return message(`msg_${id}`, 'Yes')
          if (name === 'search') return { type: 'web_search_call', id: `ws_${id}`, action: {} }
          return call(
            id,
            name === 'same' ? 'look' : name,
            name === 'same' ? 'call_same' : undefined,
          )
        }
        const answers = rounds.map(({ kinds, end }) => toEvents(kinds.map(toItem), end))
        const { fetch, refused } = strictFetch(
          [
            ...answers,
            ...Array.from({ length: 12 }, () => toEvents([message('last', 'End')], 'completed')),
          ],
          responsesProblems,
        )
        const provider = createOpenAIResponsesProvider({ fetch, maxRetries: 0 })
        const messages = []
        for (const content of ['look', 'go on', 'and now?']) {
          messages.push(createMessage('user', { content }))
          await runTurn(provider, messages, [...tools, { name: 'client' }])
        }
        expect(refused).toEqual([])
        calls += messages.flatMap((one) => callsOf(one)).length
      }),
      { numRuns: propertyRuns(100) },
    )
    expect(calls).toBeGreaterThan(0)
  })
})
