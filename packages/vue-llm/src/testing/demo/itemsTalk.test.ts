import { describe, expect, it } from 'vitest'
import example from '../../../tools.example.json'
import { createDemoModel } from '../index'

const tools = example
  .filter(({ url }) => url.includes('/api/items'))
  .map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))

interface Message {
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

const model = createDemoModel({ delayMs: 0 })

async function reply(messages: unknown[]): Promise<Message> {
  const body = JSON.stringify({ messages, tools })
  const response = await model('/v1/chat/completions', { method: 'POST', body })
  const json: { choices: { message: Message }[] } = await response.json()
  const message = json.choices[0]?.message
  if (!message) throw new Error(JSON.stringify(json))
  return message
}

const user = (content: string) => ({ role: 'user', content })

describe('tools for the same things, told apart by the words of every day', () => {
  it.each<[string, string, object]>([
    ['List the items', 'list_items', {}],
    ['Show all items', 'list_items', {}],
    ['What items are there?', 'list_items', {}],
    ['Get item 2', 'get_item', { id: '2' }],
    ['Show me item 2, please', 'get_item', { id: '2' }],
    ['What is item 3?', 'get_item', { id: '3' }],
    ['Show the details of item 12', 'get_item', { id: '12' }],
    ['Set the qty of item 1 to 5', 'update_item', { id: '1', qty: 5 }],
    ['Set the qty to 5 for item 1', 'update_item', { id: '1', qty: 5 }],
    ['Change the quantity of item 1 to 12', 'update_item', { id: '1', qty: 12 }],
    ['Update item 3 to qty 9', 'update_item', { id: '3', qty: 9 }],
    ['Is there an item 9?', 'item_exists', { id: '9' }],
    ['Does item 9 exist?', 'item_exists', { id: '9' }],
    ['Do we have an item 7?', 'item_exists', { id: '7' }],
    ['Add an item named Kettle', 'add_item', { name: 'Kettle' }],
    ['Replace item 2 with "Tent"', 'replace_item', { id: '2', name: 'Tent' }],
    ['Delete item 4', 'delete_item', { id: '4' }],
  ])('%j', async (text, name, args) => {
    const { tool_calls: calls = [] } = await reply([user(text)])
    const read = calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])
    expect(read).toEqual([[name, args]])
  })
})

describe('answers without a body, and errors of a server, in a person’s words', () => {
  it.each([
    ['Does item 2 exist?', 'HTTP 200', 'Yes, item 2 exists.'],
    ['Does item 9 exist?', 'Error: HTTP 404 — ', 'No, there is no item 9.'],
    ['Delete item 4', 'HTTP 204', 'Done: the item 4 is deleted.'],
    ['Replace item 2 with "Tent"', 'HTTP 204', 'Done: the item 2 is replaced.'],
    [
      'Get item 9',
      'Error: HTTP 404 — {"error":"there is no item 9"}',
      'I’m sorry, `get_item` 9 didn’t work: there is no item 9 (HTTP 404). ',
    ],
    ['Get item 9', 'Error: HTTP 502 — ', 'I’m sorry, `get_item` 9 didn’t work: HTTP 502. '],
    [
      'Get item 9',
      'Error: HTTP 502 — bad gateway',
      'I’m sorry, `get_item` 9 didn’t work: HTTP 502 — bad gateway. ',
    ],
  ])('%j with %j', async (text, result, expected) => {
    const called = await reply([user(text)])
    const { content } = await reply([
      user(text),
      called,
      { role: 'tool', tool_call_id: called.tool_calls?.[0]?.id, content: result },
    ])
    expect(content?.slice(0, expected.length)).toBe(expected)
  })
})
