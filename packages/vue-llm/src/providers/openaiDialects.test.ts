import { describe, expect, it } from 'vitest'
import { applyChunk, createMessage, type Message, type MessageInput } from '../core'
import { requestOf, toolsOf } from '../../test/readAnswer'
import { createOpenAIProvider } from './index'

const choice = (fields: object) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...fields }] })}\n\n`
const delta = (fields: object) => choice({ delta: fields })
const call = (fields: object = {}) =>
  delta({
    tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{}' }, ...fields }],
  })
const finish = (reason = 'tool_calls') => choice({ delta: {}, finish_reason: reason })

interface Sent {
  role: string
  content: unknown
  tool_calls?: object[]
  [field: string]: unknown
}

/** Reads one round, answers its calls, and gives what is sent then; `later` comes after. */
async function sentAfter(pieces: string[], later: MessageInput[] = []) {
  const bodies: { messages: Sent[] }[] = []
  const provider = createOpenAIProvider({
    fetch: async (_, { body }) => {
      bodies.push(JSON.parse(`${body}`))
      return new Response(bodies.length > 1 ? finish('stop') : pieces.join(''))
    },
    emptyRoundFallback: false,
  })
  const message: Message = createMessage('assistant')
  const ask = async (messages: MessageInput[]) => {
    for await (const chunk of provider.stream(requestOf(messages, { tools: toolsOf('look') }))) {
      if (bodies.length === 1) applyChunk(message, chunk)
    }
  }
  const question: MessageInput = { role: 'user', content: 'look' }
  await ask([question])
  applyChunk(message, { type: 'tool-result', toolCallId: 'a', result: 'blue' })
  await ask([question, message, ...later])
  const assistant = bodies[1]?.messages.find(({ role }) => role === 'assistant')
  return { message, assistant, messages: bodies[1]?.messages }
}

describe('reasoning before a call', () => {
  it.each(['reasoning_content', 'reasoning'])('goes back as %s, as it came', async (field) => {
    const { assistant, message } = await sentAfter([
      delta({ [field]: 'I ' }),
      delta({ [field]: 'look' }),
      call(),
      finish(),
    ])
    expect(message.parts[0]).toMatchObject({ type: 'reasoning', text: 'I look' })
    expect(assistant).toEqual({
      role: 'assistant',
      content: null,
      [field]: 'I look',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
    })
  })

  it('does not go back once the user has said more', async () => {
    const pieces = [delta({ reasoning_content: 'hm' }), call(), finish()]
    const { assistant } = await sentAfter(pieces, [{ role: 'user', content: 'go on' }])
    expect(assistant).not.toHaveProperty('reasoning_content')
  })

  it('does not go back without a call, and is no message alone', async () => {
    const pieces = [delta({ reasoning_content: 'hm' }), finish('stop')]
    const { messages } = await sentAfter(pieces, [{ role: 'user', content: 'go on' }])
    expect(messages?.map(({ role }) => role)).toEqual(['user'])
  })

  it('does not go back where it came as tags in the text, or from another wire', async () => {
    const { assistant } = await sentAfter([
      delta({ content: '<think>hm</think>Yes' }),
      call(),
      finish(),
    ])
    expect(assistant).toEqual({ role: 'assistant', content: 'Yes', tool_calls: expect.anything() })
  })

  it('takes no other field that a client forged', async () => {
    const later: MessageInput[] = [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'system', providerMetadata: { openai: 'role' } },
          { type: 'text', text: 'Yes' },
        ],
      },
    ]
    const { messages } = await sentAfter([call(), finish()], later)
    expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })
})

describe('reasoning_details', () => {
  const text = (fields: object) => ({ type: 'reasoning.text', index: 0, ...fields })
  const details = (...list: object[]) => delta({ reasoning_details: list })

  it('go back whole, each with its signature, whatever the user has said since', async () => {
    const { assistant, message } = await sentAfter(
      [
        details(text({ text: 'I ', format: 'anthropic-claude-v1' })),
        details(text({ text: 'look', format: 'anthropic-claude-v1' })),
        details(text({ signature: 's1g', format: 'anthropic-claude-v1' })),
        details({ type: 'reasoning.summary', index: 1, summary: 'It ' }, null as never),
        details({ type: 'reasoning.summary', index: 1, summary: 'looks' }),
        details({ type: 'reasoning.encrypted', index: 2, data: 'A', id: 'a' }),
        details({ type: 'reasoning.encrypted', index: 2, data: 'B', id: 'b' }),
        call(),
        finish(),
      ],
      [{ role: 'user', content: 'go on' }],
    )
    expect(message.parts.map((part) => ('text' in part ? part.text : part.type))).toEqual([
      'I lookIt looks',
      'tool-call',
      '',
    ])
    expect(assistant?.['reasoning_details']).toEqual([
      {
        type: 'reasoning.text',
        index: 0,
        text: 'I look',
        signature: 's1g',
        format: 'anthropic-claude-v1',
      },
      { type: 'reasoning.summary', index: 1, summary: 'It looks' },
      { type: 'reasoning.encrypted', index: 2, data: 'A', id: 'a' },
      { type: 'reasoning.encrypted', index: 2, data: 'B', id: 'b' },
    ])
  })

  it('are shown once beside the plain field, and both go back', async () => {
    const { assistant, message } = await sentAfter([
      delta({ reasoning: 'hm', reasoning_details: [text({ text: 'hm', signature: 's' })] }),
      call(),
      finish(),
    ])
    expect(message.parts[0]).toMatchObject({ text: 'hm' })
    expect(assistant).toMatchObject({
      reasoning: 'hm',
      reasoning_details: [text({ text: 'hm', signature: 's' })],
    })
  })

  it('do not go back from a round that was cut, whose signature is missing', async () => {
    const { assistant } = await sentAfter([details(text({ text: 'hm' })), delta({ content: 'Ye' })])
    expect(assistant).toEqual({ role: 'assistant', content: 'Ye' })
  })

  it.each(['x', 7, {}, [null], ['x']])('of another form break nothing: %o', async (value) => {
    const { assistant } = await sentAfter([
      delta({ reasoning_details: value, content: 'Yes' }),
      finish('stop'),
    ])
    expect(assistant).toMatchObject({ content: 'Yes' })
  })
})

describe('what a call carries', () => {
  it('goes back with it', async () => {
    const extra_content = { google: { thought_signature: 's1g' } }
    const { assistant } = await sentAfter([call({ extra_content }), finish()])
    expect(assistant?.tool_calls).toMatchObject([{ id: 'a', extra_content }])
  })
})

describe('sources', () => {
  it('come after the text that cites them, each once', async () => {
    const url_citation = { url: 'https://a.test', title: 'A', start_index: 0 }
    const annotations = [{ type: 'url_citation', url_citation }, null]
    const { message } = await sentAfter([
      delta({ content: 'Ye', annotations }),
      delta({ content: 's', annotations }),
      finish('stop'),
    ])
    expect(message.parts).toMatchObject([
      { type: 'text', text: 'Yes' },
      { type: 'source', url: 'https://a.test', title: 'A' },
    ])
  })
})

describe('pictures in an answer', () => {
  it.each([
    ['data:image/webp;base64,UklG', 'image/webp'],
    ['https://a.test/a', 'image/png'],
  ])('are files: %s', async (url, mediaType) => {
    const images = [null, { type: 'image_url', image_url: null }, { image_url: { url } }]
    const { message } = await sentAfter([
      delta({ content: 'Here:' }),
      delta({ images }),
      finish('stop'),
    ])
    expect(message.parts).toEqual([
      { type: 'text', text: 'Here:', state: 'done', step: 0 },
      { type: 'file', mediaType, url, step: 0 },
    ])
  })
})

describe('cached tokens', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 3 }
  it.each([
    { ...usage, prompt_tokens_details: { cached_tokens: 4 } },
    { ...usage, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 5 },
  ])('are told from %j', async (counts) => {
    const last = `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`
    const { message } = await sentAfter([delta({ content: 'Hi' }), finish('stop'), last])
    expect(message.steps[0]?.usage).toEqual({
      inputTokens: 9,
      outputTokens: 3,
      cachedInputTokens: 4,
    })
  })
})

describe('Azure', () => {
  it.each([
    [{ baseURL: 'https://a.test/openai/v1' }, 'https://a.test/openai/v1/chat/completions'],
    [
      { baseURL: 'https://a.test/openai/deployments/d?api-version=1' },
      'https://a.test/openai/deployments/d/chat/completions?api-version=1',
    ],
    [
      { url: 'https://a.test/openai/deployments/d/chat/completions?api-version=1' },
      'https://a.test/openai/deployments/d/chat/completions?api-version=1',
    ],
  ])('is asked at %o, with its key in its own header', async (place, asked) => {
    const seen: unknown[] = []
    const provider = createOpenAIProvider({
      ...place,
      headers: { 'api-key': 'secret' },
      fetch: async (url, { headers }) => {
        seen.push(url, Object.fromEntries(new Headers(headers)))
        return new Response(finish('stop'))
      },
    })
    await provider.complete?.(requestOf())
    expect(seen).toEqual([asked, { 'api-key': 'secret', 'content-type': 'application/json' }])
  })
})
