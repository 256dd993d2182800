// long: what is sent, and what is read, of one wire
import { describe, expect, it } from 'vitest'
import {
  applyChunk,
  callsOf,
  createMessage,
  normaliseMessages,
  type ChatRequest,
  type Chunk,
  type JSONSchema,
  type MessageInput,
  type PartInput,
} from '../core'
import { createGeminiProvider, type GeminiOwnOptions } from './gemini'

interface Sent {
  [field: string]: unknown
  contents: { role: string; parts: Record<string, unknown>[] }[]
}

function requestOf(inputs: MessageInput[], more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    messages: normaliseMessages(inputs),
    tools: [],
    signal: new AbortController().signal,
    ...more,
  }
}

/** What is posted; the answer is of no interest. */
async function sentFor(
  inputs: MessageInput[],
  more: Partial<ChatRequest> = {},
  options: GeminiOwnOptions = {},
): Promise<{ url: string; body: Sent }> {
  let sent = { url: '', body: {} as Sent }
  const provider = createGeminiProvider({
    ...options,
    fetch: async (url, init) => {
      sent = { url, body: JSON.parse(`${init.body}`) as Sent }
      return new Response('data: {"candidates":[{"finishReason":"STOP"}]}\n\n')
    },
  })
  for await (const _ of provider.stream(requestOf(inputs, more)));
  return sent
}

const bodyOf = async (...given: Parameters<typeof sentFor>) => (await sentFor(...given)).body

const hi: MessageInput[] = [{ role: 'user', content: 'hi' }]
const parameters = { type: 'object', properties: { at: { type: 'string' } } }
const look = { name: 'look', description: 'Looks.', parameters }

const call = (toolCallId: string, outcome: object): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  args: { at: 'sky' },
  state: 'result',
  providerMetadata: { gemini: {} },
  ...outcome,
})

describe('the body of a generateContent request', () => {
  it('holds nothing that was not asked for', async () => {
    expect(await bodyOf(hi)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: {},
    })
  })

  it('holds the settings under the names of this wire', async () => {
    const settings = {
      temperature: 0,
      topP: 0.9,
      topK: 5,
      maxTokens: 7,
      stop: ['a', 'b'],
      seed: 1,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    }
    expect(await bodyOf(hi, { system: 'be kind', settings })).toMatchObject({
      systemInstruction: { parts: [{ text: 'be kind' }] },
      generationConfig: {
        temperature: 0,
        topP: 0.9,
        topK: 5,
        maxOutputTokens: 7,
        stopSequences: ['a', 'b'],
        seed: 1,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
    })
  })

  it.each<[ChatRequest['toolChoice'], unknown]>([
    [undefined, undefined],
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'look' }, { mode: 'ANY', allowedFunctionNames: ['look'] }],
  ])('sends tools and the choice %o', async (toolChoice, mode) => {
    const tools = [look, { name: 'now' }]
    const body = await bodyOf(hi, { tools, ...(toolChoice && { toolChoice }) })
    expect(body['tools']).toEqual([
      {
        functionDeclarations: [
          { name: 'look', description: 'Looks.', parametersJsonSchema: parameters },
          { name: 'now' },
        ],
      },
    ])
    expect(body['toolConfig']).toEqual(mode && { functionCallingConfig: mode })
  })

  it('sends tools of the server beside', async () => {
    const serverTools = [{ codeExecution: {} }]
    expect((await bodyOf(hi, {}, { serverTools }))['tools']).toEqual(serverTools)
    expect((await bodyOf(hi, { tools: [look] }, { serverTools }))['tools']).toHaveLength(2)
  })

  it('thinks at a level, or within a budget', async () => {
    const settings = { reasoningEffort: 'low' }
    const thinking = async (options?: GeminiOwnOptions) =>
      (await bodyOf(hi, { settings }, options))['generationConfig']
    expect(await thinking()).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' },
    })
    expect(await thinking({ thinkingBudgets: { low: 0 } })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
    })
  })

  it('asks for JSON, of a shape where one is given', async () => {
    const format = async (schema?: JSONSchema) =>
      (
        await bodyOf(hi, {
          settings: { responseFormat: { type: 'json', ...(schema && { schema }) } },
        })
      )['generationConfig']
    expect(await format()).toEqual({ responseMimeType: 'application/json' })
    expect(await format(parameters)).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: parameters,
    })
  })

  it('sends files inside or by URL', async () => {
    const parts: PartInput[] = [
      { type: 'text', text: 'see' },
      { type: 'file', mediaType: 'image/png', data: 'iVBO' },
      { type: 'file', mediaType: 'video/mp4', url: 'https://a.example/b.mp4' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBO' },
    ]
    const inside = { inlineData: { mimeType: 'image/png', data: 'iVBO' } }
    expect((await bodyOf([{ role: 'user', parts }])).contents[0]?.parts).toEqual([
      { text: 'see' },
      inside,
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/b.mp4' } },
      inside,
    ])
  })

  it('sends results, errors and the lack of an answer, and files of results after them', async () => {
    const long = 'x'.repeat(100_000)
    const tool = {
      ...look,
      toModelOutput: (result: unknown) =>
        result === 1
          ? [{ type: 'file' as const, mediaType: 'image/png', data: 'iVBO' }]
          : `${result}`,
    }
    const parts = [
      call('a', {
        result: long,
        providerMetadata: { gemini: { id: 'f1', thoughtSignature: 's' } },
      }),
      call('b', { state: 'error', error: 'fog' }),
      call('c', { state: 'pending' }),
      call('d', { result: 1 }),
    ]
    const inputs = [...hi, { role: 'assistant' as const, parts }, ...hi]
    const { contents } = await bodyOf(inputs, { tools: [tool] })
    const response = (output: object) => ({ functionResponse: { name: 'look', response: output } })
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'f1', name: 'look', args: { at: 'sky' } }, thoughtSignature: 's' },
          ...Array.from({ length: 3 }, () => ({
            functionCall: { name: 'look', args: { at: 'sky' } },
          })),
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'f1', name: 'look', response: { output: long } } },
          response({ error: 'Error: fog' }),
          response({ error: expect.stringMatching(/^Error: /) }),
          response({ output: 'see the files that follow' }),
        ],
      },
      {
        role: 'user',
        parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' } }, { text: 'hi' }],
      },
    ])
  })

  it.each([
    ['gemini-3-pro', 'skip_thought_signature_validator'],
    ['publishers/google/models/gemini-4', 'skip_thought_signature_validator'],
    ['gemini-2.5-flash', undefined],
    ['gemma-3-27b-it', undefined],
  ])('tells %s where the first call of a round is not signed: %s', async (model, signature) => {
    // One of an older model, which has none, and one of another provider.
    for (const providerMetadata of [{ gemini: { id: 'f1' } }, { anthropic: {} }]) {
      const parts = [call('a', { result: 1, providerMetadata }), call('b', { result: 2 })]
      const { contents } = await bodyOf([...hi, { role: 'assistant', parts }, ...hi], { model })
      expect(contents[1]?.parts.map((part) => part['thoughtSignature'])).toEqual([
        signature,
        undefined,
      ])
    }
  })

  it('sends thoughts that are signed, and files that the model made', async () => {
    const parts: PartInput[] = [
      { type: 'reasoning', text: 'unsigned' },
      { type: 'reasoning', text: 'hm', providerMetadata: { gemini: { thoughtSignature: 's' } } },
      { type: 'file', mediaType: 'image/png', data: 'iVBO', providerMetadata: { gemini: {} } },
    ]
    const { contents } = await bodyOf([...hi, { role: 'assistant', parts }, ...hi])
    expect(contents[1]?.parts).toEqual([
      { text: 'hm', thought: true, thoughtSignature: 's' },
      { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
    ])
  })

  it('goes to the model that is named, in a folder of its own or not', async () => {
    const { url } = await sentFor(hi, { model: 'tunedModels/mine' })
    expect(url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/tunedModels/mine:streamGenerateContent?alt=sse',
    )
  })
})

const part = (...parts: object[]) => ({ candidates: [{ content: { parts } }] })
const stop = (finishReason = 'STOP', more: object = {}) => ({
  candidates: [{ finishReason, ...more }],
})

async function read(events: object[], rest = ''): Promise<Chunk[]> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('') + rest
  const provider = createGeminiProvider({ maxRetries: 0, fetch: async () => new Response(body) })
  const chunks: Chunk[] = []
  for await (const chunk of provider.stream(requestOf(hi))) chunks.push(chunk)
  return chunks
}

async function callsIn(...events: object[]) {
  const message = createMessage('assistant')
  for (const chunk of await read(events)) applyChunk(message, chunk)
  return callsOf(message).map(({ toolName, args, state }) => [toolName, args, state])
}

const piece = (jsonPath: string, value: object = {}, more: object = { willContinue: true }) =>
  part({ functionCall: { partialArgs: [{ jsonPath, ...value }], ...more } })
const begin = part({ functionCall: { name: 'look', willContinue: true } })
const done = part({ functionCall: {} })

describe('arguments that come as values at paths', () => {
  it.each<[string, object[], unknown]>([
    ['nothing', [], {}],
    [
      'values of every kind',
      [
        piece('$.text', { stringValue: 'a "b"\n' }),
        piece('$.number', { numberValue: 0 }),
        piece('$.yes', { boolValue: false }),
        piece('$.none', { nullValue: 'NULL_VALUE' }),
      ],
      { text: 'a "b"\n', number: 0, yes: false, none: null },
    ],
    [
      'a string in pieces, with half a character at a cut',
      [
        piece('$.a', { stringValue: 'x\ud83d', willContinue: true }),
        piece('$.a', { stringValue: '\ude00y', willContinue: true }),
        piece('$.a', { stringValue: '' }),
        piece('$.b', { stringValue: '' }),
      ],
      { a: 'x😀y', b: '' },
    ],
    [
      'objects in lists in objects',
      [
        piece('$.steps[0].name', { stringValue: 'one' }),
        piece('$.steps[0].tags[0]', { numberValue: 1 }),
        piece('$.steps[0].tags[1]', { numberValue: 2 }),
        piece('$.steps[0].tags[]'),
        piece('$.steps[1].name', { stringValue: 'two' }),
        piece('$.more.deep.deeper', { boolValue: true }),
        piece('$.last', { numberValue: 3 }),
      ],
      {
        steps: [{ name: 'one', tags: [1, 2] }, { name: 'two' }],
        more: { deep: { deeper: true } },
        last: 3,
      },
    ],
    [
      'empty lists and objects',
      [
        piece('$.list[]'),
        piece('$.object'),
        piece('$.soon', { willContinue: true }),
        piece('$.soon', { stringValue: 'x' }),
      ],
      { list: [], object: {}, soon: 'x' },
    ],
    [
      'names in quotes, and names of the prototype',
      [
        piece(`$['a.b'].c`, { numberValue: 1 }),
        piece('$["d[0]"]', { numberValue: 2 }),
        piece('$.constructor', { numberValue: 3 }),
      ],
      { 'a.b': { c: 1 }, 'd[0]': 2, constructor: 3 },
    ],
  ])('%s', async (_, pieces, args) => {
    expect(await callsIn(begin, ...pieces, done, stop())).toEqual([['look', args, 'pending']])
  })

  it('never reach a prototype', async () => {
    await callsIn(begin, piece('$.__proto__.polluted', { boolValue: true }), done, stop())
    expect({}).not.toHaveProperty('polluted')
  })

  it('are shown as far as they came', async () => {
    const chunks = await read([
      begin,
      piece('$.at', { stringValue: 'the s' }),
      piece('$.at', { stringValue: 'ky' }),
    ])
    const text = chunks.map((chunk) => (chunk.type === 'tool-call-delta' ? chunk.argsText : ''))
    expect(text.join('')).toBe('{"at":"the sky')
  })

  it('are cut where the call never ends', async () => {
    const at = piece('$.at', { stringValue: 'sky' })
    expect(await callsIn(begin, at, stop())).toEqual([['look', { at: 'sky' }, 'error']])
  })

  it('are no arguments where they go back to what is written', async () => {
    const back = [
      piece('$.a.b', { numberValue: 1 }),
      piece('$.c', { numberValue: 2 }),
      piece('$.a.d', { numberValue: 3 }),
    ]
    const chunks = await read([begin, ...back, done, stop()])
    expect(chunks.at(-1)).toMatchObject({ type: 'error', code: 'invalid-response' })
    expect(chunks.map(({ type }) => type)).not.toContain('tool-call-end')
  })

  it('end with the call where one piece holds it all', async () => {
    const whole = { name: 'look', partialArgs: [{ jsonPath: '$.at', stringValue: 'sky' }] }
    expect(await callsIn(part({ functionCall: whole }), stop())).toEqual([
      ['look', { at: 'sky' }, 'pending'],
    ])
  })
})

describe('an answer of generateContent', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['OTHER', 'other'],
    ['SOMETHING_NEW', 'other'],
    ['FINISH_REASON_UNSPECIFIED', 'truncated'],
  ])('ends for %s as %s', async (raw, finishReason) => {
    expect((await read([part({ text: 'a' }), stop(raw)])).at(-1)).toMatchObject({ finishReason })
  })

  it('fails where the model failed to write its call', async () => {
    const more = { finishMessage: 'Malformed function call: look(' }
    const chunks = await read([part({ text: 'a' }), stop('MALFORMED_FUNCTION_CALL', more)])
    expect(chunks.slice(1)).toMatchObject([
      { type: 'error', message: 'Malformed function call: look( (MALFORMED_FUNCTION_CALL)' },
      { finishReason: 'error', rawFinishReason: 'MALFORMED_FUNCTION_CALL' },
    ])
  })

  it('goes on after a reason, and takes the last', async () => {
    const chunks = await read([part({ text: 'a' }), stop('OTHER'), part({ text: 'b' }), stop()])
    expect(chunks).toMatchObject([
      { type: 'text-delta', text: 'ab' },
      { type: 'step-end', finishReason: 'stop' },
    ])
  })

  it('may be refused before it begins', async () => {
    const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'Blocked.' }
    expect(await read([{ promptFeedback, usageMetadata: { promptTokenCount: 3 } }])).toEqual([
      { type: 'text-delta', text: 'Blocked.', id: 'refusal' },
      {
        type: 'step-end',
        finishReason: 'content-filter',
        rawFinishReason: 'SAFETY',
        usage: { inputTokens: 3, outputTokens: 0 },
      },
    ])
  })

  it('fails in the middle with the words of the API', async () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }
    expect(await read([part({ text: 'a' }), { error }])).toMatchObject([
      { type: 'text-delta' },
      { type: 'error', code: 'provider', message: 'The model is overloaded.' },
    ])
  })

  it('may repeat the name of a call with each piece of it', async () => {
    const named = (more: object) => part({ functionCall: { id: 'x', name: 'look', ...more } })
    const value = (stringValue: string, willContinue: boolean) => ({
      partialArgs: [{ jsonPath: '$.at', stringValue, willContinue }],
      willContinue,
    })
    expect(
      await callsIn(
        named({ willContinue: true }),
        named(value('s', true)),
        named(value('ky', false)),
        named({ id: 'y', args: {} }),
        stop(),
      ),
    ).toEqual([
      ['look', { at: 'sky' }, 'pending'],
      ['look', {}, 'pending'],
    ])
  })

  it('may have several tools of the server side by side', async () => {
    const toolCall = (id: string) => ({ toolCall: { id, toolType: 'SEARCH', args: { q: id } } })
    const toolResponse = (id: string) => ({ toolResponse: { id, response: { of: id } } })
    const message = createMessage('assistant')
    const events = [
      part(toolCall('a'), toolCall('b')),
      part(toolResponse('b')),
      part(toolResponse('a')),
      stop(),
    ]
    for (const chunk of await read(events)) applyChunk(message, chunk)
    expect(callsOf(message)).toMatchObject(
      ['a', 'b'].map((id) => ({
        args: { q: id },
        result: { of: id },
        providerMetadata: { gemini: { parts: [toolCall(id), toolResponse(id)] } },
      })),
    )
  })

  it.each([undefined, 2])('fails with an error that is no event: %s', async (space) => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }
    expect(await read([part({ text: 'a' })], JSON.stringify({ error }, null, space))).toMatchObject(
      [
        { type: 'text-delta' },
        { type: 'error', code: 'provider', message: 'The model is overloaded.' },
      ],
    )
  })

  it('is cut where it stops without a reason, and its calls with it', async () => {
    const functionCall = { name: 'look', args: { at: 'sky' } }
    expect(await callsIn(part({ functionCall }))).toEqual([['look', { at: 'sky' }, 'error']])
  })

  it('lets pass what it does not know', async () => {
    const chunks = await read([
      { news: 1 },
      part({ videoMetadata: {} }, { text: 'a' }, { codeExecutionResult: { output: 'of nothing' } }),
      { candidates: [{ index: 1, content: { parts: [{ text: 'another' }] } }] },
      { candidates: null },
      stop(),
    ])
    expect(chunks).toMatchObject([{ type: 'text-delta', text: 'a' }, { type: 'step-end' }])
  })

  it('holds files, and what it is grounded on as sources', async () => {
    const groundingChunks = [
      { web: { uri: 'https://a.example', title: 'A' } },
      { web: { uri: 'https://a.example', title: 'A' } },
      { retrievedContext: { uri: 'gs://bucket/file' } },
    ]
    const inlineData = { mimeType: 'image/png', data: 'iVBO' }
    const chunks = await read([
      part({ inlineData, thought: true }, { inlineData, thoughtSignature: 's' }),
      stop('STOP', { groundingMetadata: { groundingChunks } }),
    ])
    expect(chunks).toMatchObject([
      {
        type: 'file',
        mediaType: 'image/png',
        data: 'iVBO',
        providerMetadata: { gemini: { thoughtSignature: 's' } },
      },
      { type: 'source', url: 'https://a.example', title: 'A' },
      { type: 'step-end' },
    ])
  })

  it('may come whole, or as a list', async () => {
    const answer = {
      candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, cachedContentTokenCount: 1 },
    }
    for (const body of [answer, [answer]]) {
      let url = ''
      const provider = createGeminiProvider({
        fetch: async (asked) => {
          url = asked
          return Response.json(body)
        },
      })
      expect(await provider.complete?.(requestOf(hi))).toMatchObject([
        { type: 'text-delta', text: 'a' },
        { usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 } },
      ])
      expect(url).toMatch(/\/models\/m:generateContent$/)
    }
  })
})
