import { describe, expect, it } from 'vitest'
import type { AnyTool, Chunk, FinishReason, Provider } from '../core'
import { outcomeOf, readChunks, readPieces } from './__tests__/readPieces'
import {
  deepseek,
  glm,
  harmony,
  hermes,
  kimi,
  llamaJson,
  llamaPythonic,
  mistral,
  qwen,
  withTextToolCalls,
  type ToolCallDialect,
} from './index'

const tools: AnyTool[] = [{ name: 'now' }]
const now = { name: 'now', args: {} }
const block = '<tool_call><function=now></function></tool_call>'
const text = (part: string): Chunk => ({ type: 'text-delta', text: part })
const end = (finishReason: FinishReason = 'stop'): Chunk => ({ type: 'step-end', finishReason })
const structured: Chunk[] = [
  { type: 'tool-call-start', toolCallId: 'a', toolName: 'now' },
  { type: 'tool-call-end', toolCallId: 'a' },
]
const typesOf = (chunks: Chunk[]) => chunks.map(({ type }) => type)

describe('a round with calls written as text', () => {
  it('gives them as chunks of their own, with new ids, and the text around', async () => {
    const chunks = await readChunks([text(`a${block}b${block}`), end()], { tools })
    expect(typesOf(chunks)).toEqual([
      'text-delta',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'text-delta',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'step-end',
    ])
    const ids = chunks.flatMap((chunk) => ('toolCallId' in chunk ? chunk.toolCallId : []))
    expect(new Set(ids).size).toBe(2)
    expect(ids.every((id) => /^call_[\da-f]{24}$/.test(id))).toBe(true)
  })

  it('keeps the reason that the provider gave', async () => {
    const last: Chunk = { type: 'step-end', finishReason: 'stop', rawFinishReason: 'eos' }
    expect((await readChunks([text(block), last], { tools })).at(-1)).toEqual(last)
  })

  it('shows arguments while they grow', async () => {
    const pieces = ['<tool_call><function=now><parameter=x>Os', 'lo', ' is c']
    const { chunks } = await readPieces(pieces, { tools, finishReason: 'length' })
    const { chunks: hermesChunks } = await readPieces(
      ['<tool_call>{"name":"now","arguments":{"x":"Os', 'lo', ' is c'],
      { tools, finishReason: 'length' },
    )
    for (const all of [chunks, hermesChunks]) {
      const grown = all.map((chunk) => (chunk.type === 'tool-call-delta' ? chunk.argsText : ''))
      expect(grown.filter(Boolean)).toEqual(['{"x":"Os', 'lo', ' is c'])
    }
  })

  it('holds back no more than what may be a tag', async () => {
    const whole = 'a < b, a <t> <tool_cal <func <think> \n<function=nowhere '
    const openers = ['<tool_call>', '<function=', '<think>', '<function=now>']
    let given = ''
    const provider: Provider = {
      name: 'by hand',
      async *stream() {
        for (const char of whole) {
          given += char
          yield text(char)
        }
      },
    }
    let seen = ''
    const request = { model: 'm', messages: [], tools, signal: new AbortController().signal }
    for await (const chunk of withTextToolCalls(provider).stream(request)) {
      if (chunk.type === 'text-delta') seen += chunk.text
      const held = given.slice(seen.length)
      expect(openers.some((opener) => opener.startsWith(held))).toBe(true)
    }
    expect(seen).toBe(whole)
  })

  it('gives each round of an answer a fresh start', async () => {
    const { calls, text: shown } = outcomeOf(
      await readChunks([text('a<tool_'), end(), text('<think>b</think>c<tool_call>'), end()], {
        tools,
      }),
    )
    expect([shown, calls]).toEqual(['a<tool_c<tool_call>', []])
  })

  it('keeps what the wire wants back, and the ids of texts', async () => {
    const providerMetadata = { gemini: 1 }
    const answer: Chunk[] = [
      { type: 'text-delta', text: 'a<', id: 'x' },
      { type: 'text-delta', text: 'b', id: 'x', providerMetadata },
      { type: 'text-delta', text: '<tool_call>', id: 'x', providerMetadata },
      { type: 'text-delta', text: '</tool_call>', id: 'x' },
      { type: 'text-delta', text: '', id: 'x', providerMetadata },
    ]
    expect(await readChunks(answer, { tools })).toEqual([
      { type: 'text-delta', text: 'a', id: 'x' },
      { type: 'text-delta', text: '<b', id: 'x', providerMetadata },
      { type: 'text-delta', text: '', id: 'x', providerMetadata },
      { type: 'text-delta', text: '', id: 'x', providerMetadata },
    ])
  })

  it.each<[string, Chunk[], string[]]>([
    ['before', [...structured, text(`a${block}b`)], ['a']],
    ['after', [text(`a${block}b`), ...structured], ['a']],
    [
      'between',
      [text(`a<tool_call><function=no`), ...structured, text('w></function></tool_call>b')],
      ['a'],
    ],
    [
      'within',
      [
        text(`a<tool_call><function=now><parameter=x>1`),
        ...structured,
        text('</parameter></function></tool_call>b'),
      ],
      ['a'],
    ],
    [
      'whole, after',
      [text(`a${block}b`), { type: 'tool-call-end', toolCallId: 'a', toolName: 'now', args: {} }],
      ['a'],
    ],
  ])('counts calls that the server sent apart alone, %s the text', async (_, answer, ids) => {
    const { message, text: shown } = outcomeOf(await readChunks([...answer, end()], { tools }))
    expect(shown).toBe('ab')
    expect(
      message.parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : [])),
    ).toEqual(ids)
  })

  it('leaves calls alone that the server ran by itself', async () => {
    const ran = structured.map((chunk) => ({ ...chunk, providerExecuted: true }) as Chunk)
    const { calls } = outcomeOf(await readChunks([...ran, text(block), end()], { tools }))
    expect(calls).toEqual([now, now])
  })

  it('hides calls where none are wanted', async () => {
    const outcome = await readPieces([`a${block}b`], { tools, toolChoice: 'none' })
    expect([outcome.text, outcome.calls]).toEqual(['ab', []])
  })

  it('leaves a text alone where there are no tools, but for what was thought first', async () => {
    const outcome = await readPieces([`<think>x</think>${block}<tool_call>`], { tools: [] })
    expect(outcome).toMatchObject({ text: `${block}<tool_call>`, reasoning: 'x', calls: [] })
  })

  it('does not look for calls in reasoning', async () => {
    const thought: Chunk = { type: 'reasoning-delta', text: block }
    expect(await readChunks([thought, end()], { tools })).toEqual([thought, end()])
  })

  it('takes values as text where a schema gives no JSON Schema', async () => {
    const validate = (value: unknown) => ({ value })
    const parameters = { '~standard': { version: 1, vendor: 'by hand', validate } } as const
    const { calls } = await readPieces(
      ['<tool_call><function=count><parameter=x>3</parameter></function></tool_call>'],
      { tools: [{ name: 'count', parameters }] },
    )
    expect(calls).toEqual([{ name: 'count', args: { x: '3' } }])
  })

  it('takes types from a Standard Schema', async () => {
    const parameters = {
      '~standard': {
        version: 1,
        vendor: 'by hand',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => ({ type: 'object', properties: { x: { type: 'integer' } } }) },
      },
    } as const
    const { calls } = await readPieces(
      ['<tool_call><function=count><parameter=x>3</parameter></function></tool_call>'],
      { tools: [{ name: 'count', parameters }] },
    )
    expect(calls).toEqual([{ name: 'count', args: { x: 3 } }])
  })
})

const open: [name: string, text: string][] = [
  ['qwen', '<tool_call>\n<function=now>\n<parameter=x>\nab'],
  ['qwen, between parameters', '<tool_call><function=now><parameter=x>1</parameter>'],
  ['qwen without an opener', '<function=now>\n'],
  [
    'qwen with a call in a value',
    '<tool_call><function=now><parameter=x><tool_call><function=now></function></tool_call>',
  ],
  ['hermes', '<tool_call>{"name":"now","arguments":{"x":"ab'],
  ['hermes, before its last brace', '<tool_call>{"name":"now","arguments":{}'],
  ['mistral', '[TOOL_CALLS][{"name":"now","arguments":{"x":'],
  ['mistral, named', '[TOOL_CALLS]now[ARGS]{"x":'],
  ['mistral, before its arguments', '[TOOL_CALLS]now[ARGS]'],
  ['llamaJson', '{"name":"now","parameters":{"x":'],
  ['llamaPythonic', '[now(x="a", y='],
  ['llamaPythonic, within a number', '[now(x=1'],
  ['deepseek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{"x"'],
  [
    'deepseek, V3.2',
    '<｜DSML｜tool_calls><｜DSML｜invoke name="now"><｜DSML｜parameter name="a" string="true">b',
  ],
  ['kimi', '<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{"x":1'],
  ['kimi, before its arguments', '<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>'],
  ['glm', '<tool_call>now<arg_key>x</arg_key><arg_value>1'],
  ['harmony', '<|channel|>commentary to=functions.now<|message|>{"x":1'],
]
const dialects = [qwen, hermes, glm, mistral, kimi, deepseek, harmony, llamaJson, llamaPythonic]

describe.each<FinishReason>(['length', 'truncated', 'error', 'stopped', 'content-filter'])(
  'a round that ends in %s',
  (finishReason) => {
    it.each(open)('never ends a call that is cut: %s', async (_, cut) => {
      const outcome = await readPieces(cut.split(''), { tools, dialects, finishReason })
      expect(typesOf(outcome.chunks)).not.toContain('tool-call-end')
      expect(outcome.text).toBe('')
      expect(outcome.calls).toMatchObject([
        { name: 'now', errorCode: /stopped/.exec(finishReason)?.[0] ?? 'cut' },
      ])
    })

    it('gives back what may have been the beginning of a tag', async () => {
      expect((await readPieces(['a <tool_'], { tools, finishReason })).text).toBe('a <tool_')
    })

    it('hides a tag that stands alone at its end', async () => {
      expect((await readPieces(['a <tool_call>\n'], { tools, finishReason })).text).toBe('a ')
    })
  },
)

/** Rounds with two calls each. */
const rounds: [name: string, text: string][] = [
  [
    'qwen',
    '<tool_call><function=now><parameter=x>\n1\n</parameter></function><function=now></function></tool_call>',
  ],
  [
    'hermes',
    '<tool_call>{"name":"now","arguments":{"x":[1]}}</tool_call><tool_call>{"name":"now"}</tool_call>',
  ],
  [
    'glm',
    '<tool_call>now\n<arg_key>x</arg_key>\n<arg_value>1</arg_value>\n</tool_call><tool_call>now</tool_call>',
  ],
  ['mistral', '[TOOL_CALLS][{"name":"now","arguments":{"x":1}},{"name":"now"}]'],
  ['mistral, named', '[TOOL_CALLS]now[ARGS]{"x":1}[TOOL_CALLS]now[ARGS]{}'],
  ['llamaJson', '<|python_tag|>{"name":"now","parameters":{"x":1}}; {"name":"now"}'],
  ['llamaPythonic', '<|python_start|>[now(x=1), now()]<|python_end|>'],
  [
    'deepseek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{"x":1}\n```<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'deepseek, V3.2',
    '<｜DSML｜tool_calls><｜DSML｜invoke name="now"><｜DSML｜parameter name="x" string="true">1</｜DSML｜parameter></｜DSML｜invoke><｜DSML｜invoke name="now"></｜DSML｜invoke></｜DSML｜tool_calls>',
  ],
  [
    'kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{"x":1}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    'harmony',
    '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{"x":1}<|call|><|start|>assistant<|channel|>commentary to=functions.now<|message|>{}<|call|>',
  ],
]

it.each(rounds)('nothing of a call is shown, wherever its round is cut: %s', async (_, round) => {
  const openers = dialects.flatMap((dialect) => Object.keys(dialect.open))
  const shownOf: Record<string, string> = {}
  for (let length = 1; length < round.length; length++) {
    const part = round.slice(0, length)
    const options = { tools, dialects, finishReason: 'length' } as const
    const { text: shown } = await readPieces(part.split(''), options)
    // What is no more than the beginning of a tag may be text.
    const isText = openers.some((opener) => opener.startsWith(shown) && opener !== shown)
    if (!isText || !part.endsWith(shown)) shownOf[part] = shown
  }
  expect(shownOf).toEqual({})
  expect((await readPieces([round], { tools, dialects })).calls).toHaveLength(2)
})

it.each([
  '<function=now></function>\n</tool_c',
  '<|tool_calls_section_begin|><|tool_call_be',
  '<｜DSML｜tool_calls><｜DSML｜invoke na',
  '<|python_start|>[no',
  '<tool_call>now\n<arg_k',
])('a cut tag of a call is hidden where the round was whole: %s', async (part) => {
  expect((await readPieces(part.split(''), { tools, dialects })).text).toBe('')
})

it('a call that was broken before the cut is taken back, wherever it is cut', async () => {
  const broken = '<tool_call>{"name":"now","arguments":{"x":"\n '
  for (const pieces of [[broken], broken.split('')]) {
    expect((await readPieces(pieces, { tools, finishReason: 'length' })).calls).toEqual([])
  }
})

it('an error chunk ends what was held back, and no call', async () => {
  const error: Chunk = { type: 'error', code: 'network', message: 'x' }
  const cut = '<tool_call><function=now><parameter=x>1'
  expect(typesOf(await readChunks([text(cut), error], { tools }))).toEqual([
    'tool-call-start',
    'tool-call-delta',
    'error',
  ])
  expect(await readChunks([text('a <'), error], { tools })).toEqual([text('a '), text('<'), error])
})

it.each([
  ['a <', 'a <', ['text-delta', 'text-delta']],
  [
    'a<tool_call><function=now><parameter=x>1',
    'a',
    ['text-delta', 'tool-call-start', 'tool-call-delta'],
  ],
])(
  'a provider that throws after %j ends what was held back, and no call',
  async (part, shown, types) => {
    const provider: Provider = {
      name: 'x',
      async *stream() {
        yield text(part)
        throw new Error('boom')
      },
    }
    const request = { model: 'm', messages: [], tools, signal: new AbortController().signal }
    const chunks: Chunk[] = []
    const read = async () => {
      for await (const chunk of withTextToolCalls(provider).stream(request)) chunks.push(chunk)
    }
    await expect(read()).rejects.toThrow('boom')
    expect(outcomeOf(chunks).text).toBe(shown)
    expect(typesOf(chunks)).toEqual(types)
  },
)

describe('a provider that reads calls by itself, wrapped again', () => {
  const request = { model: 'm', messages: [], tools, signal: new AbortController().signal }
  const blocks = {
    qwen: block,
    glm: '<tool_call>now</tool_call>',
    mistral: '[TOOL_CALLS]now[ARGS]{}',
  }
  const says = (content: string): Provider => ({
    name: 'x',
    async *stream() {
      for (const char of content) yield text(char)
      yield end()
    },
    complete: async () => [text(content), end()],
  })
  const both = async (provider: Provider) => {
    const chunks: Chunk[] = []
    for await (const chunk of provider.stream(request)) chunks.push(chunk)
    return [outcomeOf(chunks), outcomeOf((await provider.complete?.(request)) ?? [])]
  }

  it.each(Object.keys(blocks) as (keyof typeof blocks)[])(
    'loses no call of either, however often: %s',
    async (dialect) => {
      const content = `<think>Hm.</think>a${blocks[dialect]}b <tool_call>`
      let provider = withTextToolCalls(says(content))
      for (const outer of [[glm], [mistral], []]) {
        provider = withTextToolCalls(provider, { dialects: outer })
      }
      for (const outcome of await both(provider)) {
        expect(outcome).toMatchObject({ text: 'ab <tool_call>', reasoning: 'Hm.', calls: [now] })
      }
    },
  )

  it('tries the dialects of the outer one first', async () => {
    const any: ToolCallDialect = {
      name: 'any',
      open: { '<tool_call>': '</tool_call>' },
      *read(input) {
        while (!input.text.includes('<')) yield
        input.start('now')
        input.end()
        return true
      },
    }
    const written = '<tool_call>{"name":"then"}</tool_call>'
    const provider = withTextToolCalls(withTextToolCalls(says(written)), { dialects: [any] })
    for (const { calls } of await both(provider)) expect(calls).toEqual([now])
  })

  it('reads the text once', async () => {
    let count = 0
    const counting: ToolCallDialect = {
      name: 'counting',
      open: { '{': '' },
      // eslint-disable-next-line require-yield
      *read() {
        count++
        return undefined
      },
    }
    const options = { dialects: [counting] }
    const provider = withTextToolCalls(withTextToolCalls(says('{'), options), options)
    expect((await both(provider)).map((outcome) => outcome.text)).toEqual(['{', '{'])
    expect(count).toBe(2)
  })
})

describe('the wrapped provider', () => {
  const answer = [text(`a${block}`), end()]
  const inner: Provider = {
    name: 'inner',
    remote: true,
    async *stream(request) {
      yield* answer
      if (request.signal.aborted) return
    },
    complete: async () => answer,
  }
  const request = { model: 'm', messages: [], tools, signal: new AbortController().signal }

  it('keeps its name and what it is', () => {
    expect(withTextToolCalls(inner)).toMatchObject({ name: 'inner', remote: true })
    expect(withTextToolCalls({ name: 'x', stream: inner.stream })).not.toHaveProperty('complete')
  })

  it('reads an answer that is not streamed, too', async () => {
    const { calls, text: shown } = outcomeOf(
      (await withTextToolCalls(inner).complete?.(request)) ?? [],
    )
    expect([shown, calls]).toEqual(['a', [now]])
  })

  it('ends no call after an abort', async () => {
    const controller = new AbortController()
    const provider: Provider = {
      name: 'x',
      async *stream() {
        yield text('<tool_call><function=now>')
        controller.abort()
      },
    }
    const types: string[] = []
    const stream = withTextToolCalls(provider).stream({ ...request, signal: controller.signal })
    for await (const chunk of stream) types.push(chunk.type)
    expect(types).toEqual(['tool-call-start'])
  })
})
