import * as fc from 'fast-check'

/** What a person or the app does, in a few words; see `act` of the world for what each means. */
export type Action = string

/** Places inside the chat's own calls to the app from which an action may come. */
export type HookPoint =
  | 'chunk'
  | 'finish'
  | 'error'
  | 'toolCall'
  | 'execute'
  | 'needsApproval'
  | 'prepare'
  | 'stream'
  | 'pull'
  | 'watch status'
  | 'watch error'
  | 'watch queued'
  | 'watch messages'

/** One session as plain data, which prints and shrinks well. */
export interface Plan {
  setup: {
    /** Milliseconds between writes; `frame` and `hidden` use a fake `requestAnimationFrame`. */
    throttle: 0 | 7 | 'frame' | 'hidden'
    remote: boolean
    limit: number
    auto: boolean
    /** Index of a list of tools. */
    tools: number
    onToolCall: 'none' | 'sync' | 'later'
    /** Index of a transcript. */
    initial: number
    /** Watches every write, which is slow, rather than every chunk. */
    watchAll: boolean
  }
  /** What the provider does at its n-th request, item by item; afterwards it says a word and stops. */
  rounds: string[][]
  /** Actions at a time, after so many microtasks. */
  events: { at: number; hops: number; act: Action }[]
  /** Actions at the n-th time that the chat calls the app at that place. */
  hooks: { on: HookPoint; nth: number; act: Action }[]
}

/** Names of tools that the model calls; `gone` is never in the list of tools. */
export const toolNames = [
  'now',
  'ask',
  'later',
  'sure',
  'sureAsk',
  'handled',
  'fails',
  'deaf',
  'slow',
  'odd',
  'gone',
] as const

const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('send', 'go on') },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom('answer', 'answer error', 'answer twice', 'approve', 'edit', 'decline'),
        fc.nat({ max: 2 }),
      )
      .map(([what, index]) => `${what} ${index}`),
  },
  { weight: 3, arbitrary: fc.constant('stop') },
  { weight: 1, arbitrary: fc.constantFrom('answer unknown', 'answer closed', 'regenerate') },
  { weight: 1, arbitrary: fc.constantFrom('clear', 'set 0', 'set 1', 'set 2', 'set 3', 'id') },
  { weight: 1, arbitrary: fc.constantFrom('dispose', 'stop send', 'clearError', 'send send') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'model',
      'provider',
      'limit 0',
      'limit 1',
      'limit 5',
      'auto on',
      'auto off',
      'tools 0',
      'tools 1',
      'tools 2',
    ),
  },
)

const calls = fc
  .tuple(
    fc.constantFrom('call', 'call', 'call', 'streamed', 'start', 'same', 'cancel', 'confirm'),
    fc.constantFrom(...toolNames),
  )
  .map(([form, name]) => `${form} ${name}`)

const items = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('text', 'think') },
  { weight: 8, arbitrary: calls },
  { weight: 4, arbitrary: fc.constantFrom('wait 1', 'wait 3', 'wait 9') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('server ok', 'server ask', 'server open', 'server runs'),
  },
  { weight: 1, arbitrary: fc.constantFrom('begin', 'metadata', 'data', 'retry') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'end stop',
      'end tool-calls',
      'end length',
      'end truncated',
      'end error',
      'error',
      'throw',
      'hang',
      'deaf',
    ),
  },
)

const rounds = fc
  .tuple(fc.array(items, { maxLength: 6 }), fc.constantFrom('', 'end tool-calls', 'end stop'))
  .map(([list, end]) => (end ? [...list, end] : list))

const points = fc.constantFrom<HookPoint>(
  'chunk',
  'finish',
  'error',
  'toolCall',
  'execute',
  'needsApproval',
  'prepare',
  'stream',
  'pull',
  'watch status',
  'watch error',
  'watch queued',
  'watch messages',
)

/** Any session. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  setup: fc.record({
    throttle: fc.constantFrom(
      0 as const,
      0 as const,
      7 as const,
      'frame' as const,
      'hidden' as const,
    ),
    remote: fc.boolean(),
    limit: fc.constantFrom(5, 5, 2, 1, 0),
    auto: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    tools: fc.constantFrom(0, 0, 0, 1, 2),
    onToolCall: fc.constantFrom('none' as const, 'sync' as const, 'later' as const),
    initial: fc.constantFrom(0, 0, 0, 1, 2, 3),
    watchAll: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  rounds: fc.array(rounds, { maxLength: 5 }),
  events: fc.array(
    fc.record({
      at: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 60 })),
      hops: fc.oneof(fc.constant(0), fc.nat({ max: 30 }), fc.nat({ max: 150 })),
      act: actions,
    }),
    { maxLength: 8 },
  ),
  hooks: fc.array(fc.record({ on: points, nth: fc.nat({ max: 9 }), act: actions }), {
    maxLength: 3,
  }),
})

/** A session as lines to read, for the report of a failure. */
export function describePlan({ setup, rounds: list, events, hooks }: Plan): string {
  return [
    `setup ${JSON.stringify(setup)}`,
    'send at 0 ms (always)',
    ...list.map((round, index) => `round ${index}: ${round.join(', ') || 'nothing'}`),
    ...events.map(({ at, hops, act }) => `${act} at ${at} ms + ${hops} microtasks`),
    ...hooks.map(({ on, nth, act }) => `${act} inside ${on} #${nth}`),
  ].join('\n')
}
