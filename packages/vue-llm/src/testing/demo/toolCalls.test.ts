import { describe, expect, it } from 'vitest'
import { createDemoModel, type DemoModelOptions } from '../index'

type Json = Record<string, unknown>

interface Choice {
  delta: { content?: string; reasoning_content?: string; tool_calls?: unknown[] }
  message: { content: string | null; tool_calls?: { function: Json }[] }
  finish_reason: string | null
}

interface Completion {
  model: string
  choices: Choice[]
  usage?: { completion_tokens: number } | null
}

const tool = (name: string, description: string, properties: Json): object => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties } },
})
const string = { type: 'string' }
const weather = tool('get_weather', 'Get the current weather for a city', { city: string })
const chart = tool('show_chart', 'Show a bar chart', {
  title: string,
  data: {
    type: 'array',
    items: { type: 'object', properties: { label: string, value: { type: 'number' } } },
  },
})
const time = tool('get_time', 'Tells the time', {})

const user = (content: string): Json => ({ role: 'user', content })
const twoCities = user("What's the weather in Paris and Rome?")

async function post(
  model: string,
  messages: Json[],
  more: Json = {},
  options: DemoModelOptions = {},
): Promise<Response> {
  const body = JSON.stringify({ model, messages, tools: [weather, chart, time], ...more })
  const ask = createDemoModel({ delayMs: 0, ...options })
  return ask('/v1/chat/completions', { method: 'POST', body })
}

async function stream(...[model, messages, more, options]: Parameters<typeof post>): Promise<{
  pieces: string[]
  text: string
  reasoning: string
  calls: unknown[]
  reasons: string[]
  models: Set<string>
  tokens: number | undefined
}> {
  const asked = { stream: true, stream_options: { include_usage: true }, ...more }
  const response = await post(model, messages, asked, options)
  const events = (await response.text()).split('\n\n').filter((event) => event.includes('{'))
  const chunks: Completion[] = events.map((event) => JSON.parse(event.slice(6)))
  const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta ?? [])
  const pieces = deltas.flatMap(({ content }) => content || [])
  return {
    pieces,
    text: pieces.join(''),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    calls: deltas.flatMap((delta) => delta.tool_calls ?? []),
    reasons: chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []),
    models: new Set(chunks.map((chunk) => chunk.model)),
    tokens: chunks.at(-1)?.usage?.completion_tokens,
  }
}

async function complete(...asked: Parameters<typeof post>): Promise<Choice | undefined> {
  const completion: Completion = await (await post(...asked)).json()
  return completion.choices[0]
}

/** A transcript as a client sends it back that read the calls. */
const answered = (content: string | null): Json[] => [
  twoCities,
  {
    role: 'assistant',
    content,
    tool_calls: ['Paris', 'Rome'].map((city) => ({
      id: city,
      type: 'function',
      function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
    })),
  },
  { role: 'tool', tool_call_id: 'Paris', content: '{"temperature":21,"unit":"celsius"}' },
  { role: 'tool', tool_call_id: 'Rome', content: '{"temperature":28,"unit":"celsius"}' },
]

const bothCalls = `<tool_call>
<function=get_weather>
<parameter=city>
Paris
</parameter>
</function>
</tool_call>
<tool_call>
<function=get_weather>
<parameter=city>
Rome
</parameter>
</function>
</tool_call>`

describe('calls written as text', () => {
  it('has the form of Qwen3-Coder, in the content, with the reason `stop`', async () => {
    const { text, calls, reasons, models } = await stream('vue-llm-demo-text', [twoCities])
    expect(text).toBe(bothCalls)
    expect(calls).toEqual([])
    expect(reasons).toEqual(['stop'])
    expect([...models]).toEqual(['vue-llm-demo-text'])
  })

  it('is streamed in pieces that cut every tag', async () => {
    const { pieces } = await stream('vue-llm-demo-text', [twoCities])
    for (const tag of ['<tool_call>', '<function=', '<parameter=', '</parameter>', '</function>']) {
      expect(pieces.filter((piece) => piece.includes(tag))).toEqual([])
    }
  })

  it('is the same without a stream', async () => {
    const choice = await complete('vue-llm-demo-text', [twoCities])
    expect(choice?.message).toEqual({ role: 'assistant', content: bothCalls })
    expect(choice?.finish_reason).toBe('stop')
  })

  it('writes what is no text as JSON, and a call without arguments without parameters', async () => {
    const drawn = await stream('vue-llm-demo-text', [user('Show a chart: apples 3, pears 5')])
    expect(drawn.text).toContain(
      '<parameter=data>\n[{"label":"apples","value":3},{"label":"pears","value":5}]\n</parameter>\n',
    )
    const asked = await stream('vue-llm-demo-text', [user('What time is it?')])
    expect(asked.text).toBe('<tool_call>\n<function=get_time>\n</function>\n</tool_call>')
  })

  it('thinks apart, and is cut by `length` in the middle of a call', async () => {
    const { reasoning, text } = await stream('vue-llm-demo-text', [user('Think: weather in Oslo')])
    expect(reasoning).toContain('get_weather')
    expect(text).toMatch(/^<tool_call>/)
    const cut = await stream('vue-llm-demo-text', [twoCities], { max_tokens: 9 })
    expect(bothCalls.startsWith(cut.text)).toBe(true)
    expect(cut.text).not.toContain('</tool_call>')
    expect(cut.reasons).toEqual(['length'])
  })
})

describe('calls swallowed in a stream', () => {
  it('ends empty with the reason `stop`, though the tokens are counted', async () => {
    const { text, calls, reasons, models, tokens } = await stream('vue-llm-demo-swallow', [
      twoCities,
    ])
    expect({ text, calls, reasons }).toEqual({ text: '', calls: [], reasons: ['stop'] })
    expect([...models]).toEqual(['vue-llm-demo-swallow'])
    expect(tokens).toBeGreaterThan(5)
  })

  it('shows what was thought, and nothing else', async () => {
    const thought = await stream('vue-llm-demo-swallow', [user('Think: weather in Oslo')])
    expect(thought.reasoning).toContain('get_weather')
    expect(thought).toMatchObject({ text: '', calls: [], reasons: ['stop'] })
  })

  it('gives the calls of the structured model when asked without a stream', async () => {
    const choice = await complete('vue-llm-demo-swallow', [twoCities])
    expect(choice).toEqual(await complete('vue-llm-demo', [twoCities]))
    expect(choice?.message.tool_calls).toHaveLength(2)
    expect(choice?.finish_reason).toBe('tool_calls')
  })
})

describe('in every mode', () => {
  it.each(['vue-llm-demo-text', 'vue-llm-demo-swallow'])(
    '%s streams what it says as the structured model does',
    async (model) => {
      const transcripts = [[user('Hello')], answered(null), answered(bothCalls), answered('')]
      for (const messages of transcripts) {
        const { pieces, reasons } = await stream(model, messages)
        const structured = await stream('vue-llm-demo', messages)
        expect({ pieces, reasons }).toEqual({ pieces: structured.pieces, reasons: ['stop'] })
        expect(pieces.length).toBeGreaterThan(5)
      }
      const { text } = await stream(model, answered(bothCalls))
      expect(text).toMatch(/Paris.*21.*Rome.*28/s)
    },
  )

  it.each<[string, DemoModelOptions['toolCalls'], 'text' | 'calls' | 'nothing']>([
    ['vue-llm-demo', undefined, 'calls'],
    ['vue-llm-demo', 'structured', 'calls'],
    ['vue-llm-demo', 'text', 'text'],
    ['vue-llm-demo', 'swallowed', 'nothing'],
    ['any-other', 'text', 'text'],
    ['toString', undefined, 'calls'],
    ['vue-llm-demo-text', 'swallowed', 'text'],
    ['vue-llm-demo-swallow', 'text', 'nothing'],
  ])('the name %s of the request goes before the option %s: %s', async (model, option, given) => {
    const options = option && { toolCalls: option }
    const { text, calls } = await stream(model, [twoCities], {}, options)
    expect(text ? 'text' : calls.length ? 'calls' : 'nothing').toBe(given)
  })
})
