import { describe, expect, it } from 'vitest'
import { effect, isProxy, reactive } from 'vue'
import { applyChunk } from './applyChunk'
import { callsOf, closingText } from './calls'
import { createMessage } from './message'
import type { Chunk, FinishReason, Message, Part, TextPart, ToolCallPart } from './types'

const kinds: [string, (message: Message) => Message][] = [
  ['a plain object', (message) => message],
  ["Vue's reactive()", (message) => reactive(message)],
]

const delta = (value: string, more: object = {}): Chunk => ({
  type: 'text-delta',
  text: value,
  ...more,
})
const thought = (value: string, more: object = {}): Chunk => ({
  type: 'reasoning-delta',
  text: value,
  ...more,
})
const begin = (toolCallId = 'a', more: object = {}): Chunk => ({
  type: 'tool-call-start',
  toolCallId,
  toolName: 't',
  ...more,
})
const grow = (argsText: string, toolCallId = 'a'): Chunk => ({
  type: 'tool-call-delta',
  toolCallId,
  argsText,
})
const end = (more: object = {}): Chunk => ({ type: 'tool-call-end', toolCallId: 'a', ...more })
const whole = (args: unknown = {}, toolCallId = 'a', more: object = {}): Chunk => ({
  type: 'tool-call-end',
  toolCallId,
  toolName: 't',
  args,
  ...more,
})
const of = (type: string, more: object = {}): Chunk => ({ type, toolCallId: 'a', ...more }) as Chunk
const ask = of('tool-approval-request')
const allow = (more: object = {}) => of('tool-approval-response', { approved: true, ...more })
const decline = (more: object = {}) => of('tool-approval-response', { approved: false, ...more })
const run = of('tool-start')
const answer = (...[result = 1, more]: [unknown?, object?]) =>
  of('tool-result', { result, ...more })
const failure = (more: object = {}) => of('tool-error', { error: 'no', ...more })
const close = (finishReason: FinishReason = 'stop', more: object = {}): Chunk => ({
  type: 'step-end',
  finishReason,
  ...more,
})

const text = (value: string, more: Partial<TextPart> = {}) =>
  ({ type: 'text', text: value, state: 'streaming', step: 0, ...more }) as const
const call = (more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: 'a',
  toolName: 't',
  args: {},
  argsText: '{}',
  state: 'pending',
  step: 0,
  ...more,
})

const empty = () => createMessage('assistant', { id: 'm', createdAt: 1 })

interface Rule {
  rule: string
  chunks: Chunk[]
  /** What the message then is, field by field. */
  is: Partial<Message>
}

const parts = (rule: string, chunks: Chunk[], list: Part[]): Rule => ({
  rule,
  chunks,
  is: { parts: list },
})

const rules: Rule[] = [
  {
    rule: 'message-start puts runId into metadata.runId, and takes createdAt and metadata',
    chunks: [{ type: 'message-start', runId: 'r', createdAt: 5, metadata: { x: 1 } }],
    is: { createdAt: 5, metadata: { x: 1, runId: 'r' } },
  },
  {
    rule: 'message-start never changes an id',
    chunks: [{ type: 'message-start', runId: 'r', id: 'other' } as Chunk],
    is: { id: 'm', metadata: { runId: 'r' } },
  },
  {
    rule: 'a second message-start keeps createdAt, also before there is any part',
    chunks: [
      { type: 'message-start', runId: 'r', createdAt: 5 },
      { type: 'message-start', runId: 's', createdAt: 6 },
    ],
    is: { createdAt: 5, metadata: { runId: 's' } },
  },
  {
    rule: 'a second message-start keeps createdAt, also after an empty round without runId',
    chunks: [
      { type: 'message-start', createdAt: 5 },
      close(),
      { type: 'message-start', createdAt: 6 },
    ],
    is: { createdAt: 5 },
  },
  {
    rule: 'message-start of a follow-up keeps createdAt',
    chunks: [delta('a'), { type: 'message-start', createdAt: 6 }],
    is: { createdAt: 1 },
  },
  {
    rule: 'metadata merges shallowly',
    chunks: [
      { type: 'metadata', metadata: { a: { x: 1 }, b: 1 } },
      { type: 'metadata', metadata: { a: { y: 2 } } },
    ],
    is: { metadata: { a: { y: 2 }, b: 1 } },
  },
  {
    rule: 'error writes nothing',
    chunks: [delta('a'), { type: 'error', code: 'provider', message: 'no' }],
    is: { parts: [text('a')], steps: [] },
  },

  parts('a delta joins the last part', [delta('a'), delta('b')], [text('ab')]),
  parts(
    'a delta of another type starts a part',
    [delta('a'), thought('b'), delta('c')],
    [
      text('a', { state: 'done' }),
      { type: 'reasoning', text: 'b', state: 'done', step: 0 },
      text('c'),
    ],
  ),
  parts(
    'reasoning joins as well',
    [thought('a'), thought('b')],
    [{ type: 'reasoning', text: 'ab', state: 'streaming', step: 0 }],
  ),
  parts(
    'a delta with another id starts a part',
    [delta('a', { id: '1' }), delta('b', { id: '1' }), delta('c', { id: '2' }), delta('d')],
    [text('ab', { id: '1', state: 'done' }), text('c', { id: '2', state: 'done' }), text('d')],
  ),
  parts(
    'a delta of another step starts a part',
    [delta('a'), close(), delta('b')],
    [text('a', { state: 'done' }), text('b', { step: 1 })],
  ),
  parts('an empty delta starts no part', [delta(''), thought('')], []),
  parts('an empty delta closes no part', [delta('a'), thought(''), delta('b')], [text('ab')]),
  parts(
    'an empty delta may carry providerMetadata: a signature without words',
    [thought('', { providerMetadata: { anthropic: 's' } })],
    [
      {
        type: 'reasoning',
        text: '',
        state: 'streaming',
        step: 0,
        providerMetadata: { anthropic: 's' },
      },
    ],
  ),
  parts(
    'providerMetadata of content merges by wire format',
    [delta('a', { providerMetadata: { x: 1, y: 1 } }), delta('b', { providerMetadata: { y: 2 } })],
    [text('ab', { providerMetadata: { x: 1, y: 2 } })],
  ),
  ...(
    [
      ['reasoning', thought('x')],
      ['a call', begin()],
      ['a whole call', whole()],
      ['a file', { type: 'file', mediaType: 'image/png', url: 'u' }],
      ['a source', { type: 'source', url: 'u' }],
      ['data', { type: 'data', name: 'n', data: 1 }],
    ] as [string, Chunk][]
  ).map(([what, chunk]) => ({
    rule: `a text part is done when another part starts: ${what}`,
    chunks: [delta('a'), chunk],
    is: { parts: [text('a', { state: 'done' }), expect.anything()] },
  })),
  parts('a text part is done at step-end', [delta('a'), close()], [text('a', { state: 'done' })]),
  parts(
    'a done text does not grow again where the call after it is cancelled',
    [delta('a'), begin(), of('tool-call-cancel'), delta('b')],
    [text('a', { state: 'done' }), text('b')],
  ),

  parts(
    'a file part keeps its fields',
    [{ type: 'file', mediaType: 'a/b', data: 'x', filename: 'f' }],
    [{ type: 'file', mediaType: 'a/b', data: 'x', filename: 'f', step: 0 }],
  ),
  parts(
    'a source part keeps its fields, and the step is the current one',
    [close(), { type: 'source', url: 'u', title: 't', providerMetadata: { x: 1 } }],
    [{ type: 'source', url: 'u', title: 't', step: 1, providerMetadata: { x: 1 } }],
  ),
  parts(
    'data with the same name and id replaces in its place',
    [
      { type: 'data', name: 'n', id: '1', data: { a: 1 } },
      delta('x'),
      { type: 'data', name: 'n', id: '1', data: { b: 2 } },
    ],
    [{ type: 'data', name: 'n', id: '1', data: { b: 2 }, step: 0 }, text('x')],
  ),
  parts(
    'data that replaces merges its providerMetadata',
    [
      { type: 'data', name: 'n', id: '1', data: 1, providerMetadata: { x: 1 } },
      { type: 'data', name: 'n', id: '1', data: 2, providerMetadata: { y: 2 } },
    ],
    [{ type: 'data', name: 'n', id: '1', data: 2, step: 0, providerMetadata: { x: 1, y: 2 } }],
  ),
  parts(
    'data with another name, another id, or no id is a part of its own',
    [
      { type: 'data', name: 'n', id: '1', data: 1 },
      { type: 'data', name: 'n', id: '2', data: 2 },
      { type: 'data', name: 'o', id: '1', data: 3 },
      { type: 'data', name: 'n', data: 4 },
      { type: 'data', name: 'n', data: 5 },
    ],
    [
      { type: 'data', name: 'n', id: '1', data: 1, step: 0 },
      { type: 'data', name: 'n', id: '2', data: 2, step: 0 },
      { type: 'data', name: 'o', id: '1', data: 3, step: 0 },
      { type: 'data', name: 'n', data: 4, step: 0 },
      { type: 'data', name: 'n', data: 5, step: 0 },
    ],
  ),

  parts('a call starts without arguments', [begin()], [call({ state: 'streaming', argsText: '' })]),
  parts(
    'args holds what could be parsed so far while streaming',
    [begin(), grow('{"city":"Os'), grow('lo","days":1')],
    [call({ state: 'streaming', argsText: '{"city":"Oslo","days":1', args: { city: 'Oslo' } })],
  ),
  parts(
    'args is whole from pending on',
    [begin(), grow('{"city":"Os'), grow('lo","days":1}'), end()],
    [call({ argsText: '{"city":"Oslo","days":1}', args: { city: 'Oslo', days: 1 } })],
  ),
  parts(
    'two calls may stream side by side',
    [begin('a'), begin('b'), grow('{"x":', 'a'), grow('{"y":2}', 'b'), grow('1}', 'a'), end()],
    [
      call({ argsText: '{"x":1}', args: { x: 1 } }),
      call({ toolCallId: 'b', state: 'streaming', argsText: '{"y":2}', args: { y: 2 } }),
    ],
  ),
  parts(
    'a tool-call-end with toolName and args alone is a whole call',
    [whole({ a: 1 })],
    [call({ args: { a: 1 }, argsText: '{"a":1}' })],
  ),
  parts(
    'a tool-call-end may bring name, arguments and who runs it',
    [begin('a', { toolName: '?' }), whole({ a: 1 }, 'a', { providerExecuted: true })],
    [call({ args: { a: 1 }, argsText: '{"a":1}', providerExecuted: true })],
  ),
  parts('a tool-call-end without a name starts no call', [end({ args: {} })], []),
  parts(
    'arguments given at the end count, the text stays as the model wrote it',
    [begin(), grow('{"a": 1}'), end({ args: { a: 2 } })],
    [call({ args: { a: 2 }, argsText: '{"a": 1}' })],
  ),
  parts(
    'a start of an id that the message already holds is ignored',
    [begin(), grow('{"a":1}'), begin('a', { toolName: 'u' })],
    [call({ state: 'streaming', args: { a: 1 }, argsText: '{"a":1}' })],
  ),
  parts(
    'a whole call of an id that the message already holds is ignored',
    [whole({ a: 1 }), whole({ a: 2 }, 'a', { toolName: 'u' })],
    [call({ args: { a: 1 }, argsText: '{"a":1}' })],
  ),
  parts(
    'providerMetadata of call chunks merges',
    [
      begin('a', { providerMetadata: { w: 1 } }),
      { ...grow('{}'), providerMetadata: { x: 1 } } as Chunk,
      end({ providerMetadata: { y: 1 } }),
      answer(1, { providerMetadata: { z: 1 } }),
    ],
    [
      call({
        state: 'result',
        result: 1,
        providerMetadata: { w: 1, x: 1, y: 1, z: 1 },
      }),
    ],
  ),
  parts(
    'providerExecuted is kept',
    [begin('a', { providerExecuted: true })],
    [call({ state: 'streaming', argsText: '', providerExecuted: true })],
  ),
  parts(
    'tool-call-cancel removes the part',
    [begin('a'), begin('b'), of('tool-call-cancel')],
    [call({ toolCallId: 'b', state: 'streaming', argsText: '' })],
  ),
  parts(
    'a tool-result on a streaming call ends it first',
    [begin(), grow('{"a":1}'), answer()],
    [call({ state: 'result', result: 1, args: { a: 1 }, argsText: '{"a":1}' })],
  ),
  parts(
    'unparsable arguments stay as read when a result comes',
    [begin(), grow('{"a":1,"b":"x'), answer()],
    [call({ state: 'result', result: 1, args: { a: 1, b: 'x' }, argsText: '{"a":1,"b":"x' })],
  ),

  parts('tool-approval-request asks', [whole(), ask], [call({ approval: { state: 'requested' } })]),
  parts(
    'an allowed call waits to run, with the reason',
    [whole(), ask, allow({ reason: 'ok' })],
    [call({ approval: { state: 'approved', reason: 'ok' } })],
  ),
  parts(
    'edited arguments replace the old ones, also as text',
    [whole({ a: 1 }), ask, allow({ args: { a: 2 } })],
    [call({ approval: { state: 'approved' }, args: { a: 2 }, argsText: '{"a":2}' })],
  ),
  parts(
    'a declined call ends in error with the reason, as a person’s answer',
    [whole(), ask, decline({ reason: 'too dear', args: { a: 2 } })],
    [
      call({
        state: 'error',
        error: 'too dear',
        errorCode: 'declined',
        answeredBy: 'person',
        approval: { state: 'declined', reason: 'too dear' },
      }),
    ],
  ),
  parts(
    'a call declined without a reason says who declined it',
    [whole(), ask, decline()],
    [
      call({
        state: 'error',
        error: closingText.declined,
        errorCode: 'declined',
        answeredBy: 'person',
        approval: { state: 'declined' },
      }),
    ],
  ),
  parts('a call that was not asked about cannot be allowed', [whole(), allow()], [call()]),
  parts(
    'a call that was allowed cannot be declined',
    [whole(), ask, allow(), decline()],
    [call({ approval: { state: 'approved' } })],
  ),
  parts(
    'a result takes an open request for approval away',
    [whole(), ask, answer()],
    [call({ state: 'result', result: 1 })],
  ),
  parts(
    'an approval that was given stays',
    [whole(), ask, allow(), run, answer()],
    [call({ state: 'result', result: 1, approval: { state: 'approved' } })],
  ),
  parts(
    'tool-wait removes approval and progress of a running call',
    [whole(), ask, allow(), run, of('tool-progress', { progress: 1 }), of('tool-wait')],
    [call()],
  ),
  parts(
    'tool-wait removes approval also from a pending call',
    [whole(), ask, of('tool-wait')],
    [call()],
  ),
  parts(
    'progress is what the running tool reported last',
    [whole(), run, of('tool-progress', { progress: 1 }), of('tool-progress', { progress: 2 })],
    [call({ state: 'running', progress: 2 })],
  ),
  parts(
    'a result without a value is null',
    [whole(), of('tool-result')],
    [call({ state: 'result', result: null })],
  ),
  parts(
    'a person’s result is marked',
    [whole(), answer(1, { answeredBy: 'person' })],
    [call({ state: 'result', result: 1, answeredBy: 'person' })],
  ),
  parts(
    'an error keeps its text, code and who gave it',
    [whole(), failure({ errorCode: 'timeout', answeredBy: 'person' })],
    [call({ state: 'error', error: 'no', errorCode: 'timeout', answeredBy: 'person' })],
  ),
  parts(
    'an error that a tool threw has no code',
    [whole(), failure()],
    [call({ state: 'error', error: 'no' })],
  ),

  {
    rule: 'step-end closes the round with all it knows',
    chunks: [
      close('stop', {
        rawFinishReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 2 },
        error: { code: 'provider', message: 'x' },
      }),
    ],
    is: {
      steps: [
        {
          finishReason: 'stop',
          rawFinishReason: 'end_turn',
          usage: { inputTokens: 1, outputTokens: 2 },
          error: { code: 'provider', message: 'x' },
        },
      ],
    },
  },
  {
    rule: 'step-end closes a streaming call as cut, and leaves the others open',
    chunks: [
      whole({}, 'a'),
      whole({}, 'b'),
      of('tool-start', { toolCallId: 'b' }),
      begin('c'),
      close(),
    ],
    is: {
      parts: [
        call(),
        call({ toolCallId: 'b', state: 'running' }),
        call({
          toolCallId: 'c',
          argsText: '',
          state: 'error',
          errorCode: 'cut',
          error: closingText.cut,
        }),
      ],
    },
  },
  ...(['length', 'error', 'truncated', 'stopped'] as const).map((reason) => {
    const errorCode = reason === 'stopped' ? ('stopped' as const) : ('cut' as const)
    const closed = { state: 'error', errorCode, error: closingText[errorCode] } as const
    return {
      rule: `step-end with ${reason} closes every open call of the message as ${errorCode}`,
      chunks: [
        whole({}, 'a'),
        whole({}, 'd'),
        of('tool-result', { toolCallId: 'd', result: 1 }),
        close('tool-calls'),
        whole({}, 'b'),
        of('tool-start', { toolCallId: 'b' }),
        begin('c'),
        close(reason),
      ],
      is: {
        parts: [
          call(closed),
          call({ toolCallId: 'd', state: 'result', result: 1 }),
          call({ ...closed, toolCallId: 'b', step: 1 }),
          call({ ...closed, toolCallId: 'c', step: 1, argsText: '' }),
        ],
      },
    }
  }),
  {
    rule: 'step-reset removes the parts of the open round',
    chunks: [delta('a'), close(), delta('b'), whole(), { type: 'step-reset' }],
    is: { parts: [text('a', { state: 'done' })], steps: [{ finishReason: 'stop' }] },
  },
  {
    rule: 'step-reset removes the last step and its parts where no round is open',
    chunks: [delta('a'), close(), delta('b'), close('error'), { type: 'step-reset' }],
    is: { parts: [text('a', { state: 'done' })], steps: [{ finishReason: 'stop' }] },
  },
  {
    rule: 'step-reset removes a step without parts',
    chunks: [delta('a'), close(), close('error'), { type: 'step-reset' }],
    is: { parts: [text('a', { state: 'done' })], steps: [{ finishReason: 'stop' }] },
  },
  {
    rule: 'step-reset of an empty message does nothing',
    chunks: [{ type: 'step-reset' }],
    is: { parts: [], steps: [] },
  },
  ...['someday', 'constructor', '__proto__', 'toString'].map((type) => ({
    rule: `an unknown type is ignored: ${type}`,
    chunks: [delta('a'), { type } as unknown as Chunk],
    is: { parts: [text('a')], steps: [] },
  })),
]

/** Chunks that bring call `a` there. */
const roads: Record<string, Chunk[]> = {
  streaming: [begin()],
  pending: [whole()],
  requested: [whole(), ask],
  approved: [whole(), ask, allow()],
  running: [whole(), run],
  result: [whole(), answer()],
  error: [whole(), failure()],
}
const trips: Record<string, Chunk> = {
  start: begin(),
  delta: grow('{'),
  end: end({ args: {} }),
  whole: whole(),
  cancel: of('tool-call-cancel'),
  request: ask,
  approve: allow(),
  decline: decline(),
  run,
  wait: of('tool-wait'),
  progress: of('tool-progress', { progress: 1 }),
  result: answer(),
  error: failure(),
}
/** Where a chunk brings a call; what is not named leaves its state as it is. */
const edges: Record<string, Record<string, string>> = {
  streaming: { end: 'pending', whole: 'pending', cancel: 'gone', result: 'result', error: 'error' },
  pending: { cancel: 'gone', run: 'running', result: 'result', error: 'error' },
  requested: {
    cancel: 'gone',
    decline: 'error',
    run: 'running',
    result: 'result',
    error: 'error',
  },
  approved: { cancel: 'gone', run: 'running', result: 'result', error: 'error' },
  running: { cancel: 'gone', wait: 'pending', result: 'result', error: 'error' },
  result: {},
  error: {},
}
const moves = Object.keys(roads).flatMap((from) =>
  Object.keys(trips).map((trip) => ({ from, trip, to: edges[from]?.[trip] ?? 'as it was' })),
)

const badArguments = [[1], 1, 0, true, false, 'x', '{"a":1}', '{}', ' ']
const emptyArguments = [{}, null, '']

describe.each(kinds)('applyChunk on %s', (_kind, wrap) => {
  /** Applies chunks; gives the raw message, whatever it was written through. */
  function play(chunks: readonly Chunk[], message = empty()): Message {
    const target = wrap(message)
    for (const chunk of chunks) applyChunk(target, chunk)
    expect(holdsProxy(message)).toBe(false)
    return message
  }
  const callAfter = (chunks: readonly Chunk[]) => callsOf(play(chunks))[0]

  it.each(rules)('$rule', ({ chunks, is }) => {
    const message = play(chunks)
    for (const key of Object.keys(is) as (keyof Message)[]) expect(message[key]).toEqual(is[key])
  })

  it.each(moves)('a call that is $from: $trip leaves it $to', ({ from, trip, to }) => {
    const road = roads[from] ?? []
    const before = callAfter(road)
    const after = callAfter([...road, trips[trip] as Chunk])
    expect(after?.state ?? 'gone').toBe(to === 'as it was' ? before?.state : to)
  })

  it.each(['result', 'error'])('nothing changes a call that is closed as %s', (from) => {
    const road = roads[from] ?? []
    expect(callAfter([...road, ...Object.values(trips)])).toEqual(callAfter(road))
  })

  it.each(Object.keys(trips).filter((trip) => trip !== 'start' && trip !== 'whole'))(
    'a chunk for an unknown call is ignored: %s',
    (trip) => {
      const message = play([delta('a'), trips[trip] as Chunk])
      expect(message).toEqual(play([delta('a')]))
    },
  )

  it.each(emptyArguments)('arguments given as %j are {}', (args) => {
    expect(callAfter([whole(args)])).toEqual(call({ argsText: expect.any(String) }))
  })

  it.each(['', 'null', ' {} ', ' '])('arguments read as %j are {}', (argsText) => {
    const read = callAfter([begin(), grow(argsText), end()])
    expect(read).toEqual(call({ argsText }))
  })

  it.each(badArguments.map((args) => ({ args })))(
    'arguments given as $args are an error',
    ({ args }) => {
      expect(callAfter([whole(args)])).toMatchObject({
        state: 'error',
        errorCode: 'invalid-args',
        args: {},
        error: "invalid arguments for tool 't': expected a JSON object",
      })
    },
  )

  it.each([
    ...['[1]', '1', '"x"', 'true'].map((one) => [one, 'expected a JSON object']),
    ...['{"a":', '{"a":1', '{a:1}', '{} x'].map((one) => [one, 'not valid JSON']),
  ])('arguments read as %j are an error: %s', (argsText, what) => {
    expect(callAfter([begin(), grow(argsText), end()])).toMatchObject({
      state: 'error',
      errorCode: 'invalid-args',
      argsText,
      error: `invalid arguments for tool 't': ${what}`,
    })
  })

  it('takes a delta without text that brings what the wire wants back', () => {
    const providerMetadata = { anthropic: { signature: 's' } }
    const signed = { type: 'reasoning-delta', providerMetadata } as unknown as Chunk
    expect(play([signed, delta('a')]).parts).toMatchObject([
      { type: 'reasoning', text: '', state: 'done', providerMetadata },
      { type: 'text', text: 'a' },
    ])
  })

  it('shows arguments as values that never change later', () => {
    const message = empty()
    const target = wrap(message)
    const seen: unknown[] = []
    const texts: string[] = []
    applyChunk(target, begin())
    for (const piece of '{"a":{"b":[1,2]},"c":"xy"}') {
      applyChunk(target, grow(piece))
      const args = callsOf(message)[0]?.args
      seen.push(args)
      texts.push(JSON.stringify(args))
      expect(Object.isFrozen(args)).toBe(true)
    }
    applyChunk(target, end())
    expect(seen.map((args) => JSON.stringify(args))).toEqual(texts)
    expect(callsOf(message)[0]?.args).toEqual({ a: { b: [1, 2] }, c: 'xy' })
  })

  it('keeps frozen copies of payloads and never freezes the caller’s own', () => {
    const given = () => ({ list: [1] })
    const payload = [given(), given(), given(), given(), given()] as const
    const message = play([
      whole(payload[0]),
      run,
      of('tool-progress', { progress: payload[1] }),
      answer(payload[2]),
      { type: 'data', name: 'n', data: payload[3] },
      { type: 'metadata', metadata: payload[4] },
    ])
    const kept = callsOf(message)[0]
    const data = message.parts[1]
    const copies = [
      kept?.args,
      kept?.progress,
      kept?.result,
      data?.type === 'data' && data.data,
      message.metadata,
    ]
    for (const copy of copies) {
      expect(copy).toEqual(given())
      expect(Object.isFrozen(copy)).toBe(true)
    }
    for (const own of payload) expect(Object.isFrozen(own)).toBe(false)
    expect(copies.some((copy) => payload.includes(copy as never))).toBe(false)
  })

  it('takes frozen chunks, and changes none', () => {
    const chunks = [...rules.flatMap((rule) => rule.chunks), ...Object.values(trips)]
    const before = JSON.stringify(chunks)
    for (const chunk of chunks) play([Object.freeze(chunk)])
    play(chunks)
    expect(JSON.stringify(chunks)).toBe(before)
  })
})

describe('applyChunk on a reactive message', () => {
  it('is the reactive update: each reader sees each change at once', () => {
    const message = reactive(empty())
    const seen: string[] = []
    effect(() => {
      seen.push(message.parts.map((part) => ('text' in part ? part.text : part.type)).join())
    })
    for (const chunk of [delta('a'), delta('b'), begin(), of('tool-call-cancel')]) {
      applyChunk(message, chunk)
    }
    expect(seen.filter((value, i) => value !== seen[i - 1])).toEqual([
      '',
      'a',
      'ab',
      'ab,tool-call',
      'ab',
    ])
  })
})

function holdsProxy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isProxy(value) || Object.values(value).some(holdsProxy)
}
