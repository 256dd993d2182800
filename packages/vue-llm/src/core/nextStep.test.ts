import { describe, expect, it } from 'vitest'
import { nextStep } from './nextStep'
import { createMessage, normaliseMessages } from './message'
import type { ChatLimits, FinishReason, Message, Step, ToolCallPart } from './types'

const user = () => createMessage('user', { content: 'hi' })
const call = (more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: 'a',
  toolName: 't',
  args: {},
  argsText: '{}',
  state: 'result',
  step: 0,
  ...more,
})
const steps = (...reasons: FinishReason[]): Step[] =>
  reasons.map((finishReason) => ({ finishReason }))
const answer = (list: Step[], ...parts: Message['parts']): Message => ({
  ...createMessage('assistant'),
  parts,
  steps: list,
})
const text = (step = 0) => ({ type: 'text', text: 'x', state: 'done', step }) as const

const once = steps('tool-calls')
/** An assistant message of that many rounds with one answered call each. */
const rounds = (count: number): Message =>
  answer(
    Array.from({ length: count }, () => ({ finishReason: 'tool-calls' })),
    ...Array.from({ length: count }, (_, step) => call({ toolCallId: `${step}`, step })),
  )

type Case = [rule: string, is: string, messages: Message[], limits?: ChatLimits]

const cases: Case[] = [
  ['an empty chat', 'done', []],
  ['a user message last', 'request', [user()]],
  ['a user message after a failed answer', 'request', [user(), answer(steps('error')), user()]],
  ['an answer without a closed round', 'done', [user(), answer([], text())]],
  ['an answer of text', 'done', [user(), answer(steps('stop'), text())]],
  ['an empty answer', 'done', [user(), answer(steps('stop'))]],
  ['a call with a result', 'request', [user(), answer(once, call())]],
  ['a call with an error', 'request', [user(), answer(once, call({ state: 'error', error: 'x' }))]],
  ['calls decide, not the reason: stop', 'request', [user(), answer(steps('stop'), call())]],
  ['calls decide, not the reason: other', 'request', [user(), answer(steps('other'), call())]],
  ['calls decide, not the reason: tool-calls', 'done', [user(), answer(once, text())]],
  [
    'a content filter does not stop answered calls',
    'request',
    [user(), answer(steps('content-filter'), call())],
  ],
  ...(['streaming', 'pending', 'running'] as const).map((state): Case => [
    `an open call: ${state}`,
    'wait',
    [user(), answer(once, call({ state }), call({ toolCallId: 'b' }))],
  ]),
  [
    'an open call of an earlier round of the message',
    'wait',
    [user(), answer(steps('tool-calls', 'stop'), call({ state: 'pending' }), text(1))],
  ],
  ...(['length', 'error', 'truncated', 'stopped'] as const).map((reason): Case => [
    `a last step that ended as ${reason}, whatever its calls`,
    'done',
    [user(), answer(steps(reason), call())],
  ]),
  [
    'an earlier step that failed',
    'request',
    [user(), answer(steps('error', 'tool-calls'), call({ step: 1 }))],
  ],
  ['calls of an earlier round only', 'done', [user(), answer(steps('tool-calls', 'stop'), call())]],
  ...(['limit', 'stopped'] as const).map((errorCode): Case => [
    `a call closed as ${errorCode}`,
    'done',
    [
      user(),
      answer(once, call(), call({ toolCallId: 'b', state: 'error', error: 'x', errorCode })),
    ],
  ]),
  ...(['limit', 'stopped'] as const).map((errorCode): Case => [
    `an own call beside one of the model’s side that was closed as ${errorCode}`,
    'done',
    [
      user(),
      answer(
        once,
        call(),
        call({ toolCallId: 'b', providerExecuted: true, state: 'error', error: 'x', errorCode }),
      ),
    ],
  ]),
  ...(['declined', 'unanswered', 'interrupted', 'unknown-tool', 'cut', 'timeout'] as const).map(
    (errorCode): Case => [
      `a call closed as ${errorCode}: the model reads why`,
      'request',
      [user(), answer(once, call({ state: 'error', error: 'x', errorCode }))],
    ],
  ),

  [
    'calls of the model’s side alone',
    'done',
    [user(), answer(once, call({ providerExecuted: true }))],
  ],
  [
    'an open call of the model’s side is not waited for',
    'done',
    [user(), answer(once, call({ providerExecuted: true, state: 'pending' }))],
  ],
  [
    'an own call beside one of the model’s side',
    'request',
    [
      user(),
      answer(once, call({ providerExecuted: true, state: 'running' }), call({ toolCallId: 'b' })),
    ],
  ],
  [
    'a call of the model’s side that asks for approval',
    'wait',
    [
      user(),
      answer(
        once,
        call({ providerExecuted: true, state: 'pending', approval: { state: 'requested' } }),
      ),
    ],
  ],
  [
    'a call of the model’s side that was allowed',
    'request',
    [
      user(),
      answer(
        once,
        call({ providerExecuted: true, state: 'pending', approval: { state: 'approved' } }),
      ),
    ],
  ],
  [
    'a call of the model’s side that was declined',
    'request',
    [
      user(),
      answer(
        once,
        call({
          providerExecuted: true,
          state: 'error',
          error: 'x',
          errorCode: 'declined',
          answeredBy: 'person',
          approval: { state: 'declined' },
        }),
      ),
    ],
  ],

  ['five rounds with calls where nothing is said', 'request', [user(), rounds(5)]],
  ['six rounds with calls where nothing is said', 'done', [user(), rounds(6)]],
  [
    'as many rounds with calls as may run',
    'request',
    [user(), rounds(2)],
    { maxToolRoundtrips: 2 },
  ],
  ['one round more than may run', 'done', [user(), rounds(3)], { maxToolRoundtrips: 2 }],
  ['no round may run', 'done', [user(), rounds(1)], { maxToolRoundtrips: 0 }],
  [
    'rounds before the last user message do not count',
    'request',
    [user(), rounds(9), user(), rounds(1)],
    { maxToolRoundtrips: 1 },
  ],
  [
    'rounds of all answers since the last user message count',
    'done',
    [user(), rounds(1), rounds(1)],
    { maxToolRoundtrips: 1 },
  ],
  [
    'a round that is still open does not count',
    'request',
    [user(), answer(once, call(), call({ toolCallId: 'b', step: 1 }))],
    { maxToolRoundtrips: 1 },
  ],
  [
    'several calls of one round are one round',
    'request',
    [user(), answer(once, call(), call({ toolCallId: 'b' }), call({ toolCallId: 'c' }))],
    { maxToolRoundtrips: 1 },
  ],
  [
    'rounds whose calls ran on the model’s side do not count',
    'request',
    [
      user(),
      answer(
        steps('tool-calls', 'tool-calls'),
        call({ providerExecuted: true }),
        call({ toolCallId: 'b', step: 1 }),
      ),
    ],
    { maxToolRoundtrips: 1 },
  ],

  [
    'a person’s answer that is only recorded',
    'wait',
    [user(), answer(once, call({ answeredBy: 'person' }), call({ toolCallId: 'b' }))],
    { autoSendToolResults: false },
  ],
  [
    'a person’s answer, sent by itself where nothing is said',
    'request',
    [user(), answer(once, call({ answeredBy: 'person' }))],
  ],
  [
    'rounds of execute alone go on although answers are only recorded',
    'request',
    [user(), answer(once, call())],
    { autoSendToolResults: false },
  ],
  [
    'an earlier round’s answer of a person',
    'request',
    [
      user(),
      answer(
        steps('stop', 'stop'),
        call({ answeredBy: 'person' }),
        call({ toolCallId: 'b', step: 1 }),
      ),
    ],
    { autoSendToolResults: false },
  ],
  [
    'an approved call that ran is not a person’s answer',
    'request',
    [user(), answer(once, call({ approval: { state: 'approved' } }))],
    { autoSendToolResults: false },
  ],
  [
    'a declined call is a person’s answer',
    'wait',
    [
      user(),
      answer(
        once,
        call({
          state: 'error',
          error: 'x',
          errorCode: 'declined',
          answeredBy: 'person',
          approval: { state: 'declined' },
        }),
      ),
    ],
    { autoSendToolResults: false },
  ],
]

describe('nextStep', () => {
  it.each(cases)('%s: %s', (_rule, is, messages, limits) => {
    expect(nextStep(messages, limits)).toBe(is)
  })

  it('reads nothing but the transcript: frozen, and the same each time', () => {
    for (const [, is, messages, limits] of cases) {
      const frozen = JSON.parse(JSON.stringify(messages), (_, value: unknown) =>
        Object.freeze(value),
      ) as Message[]
      expect([nextStep(frozen, limits), nextStep(frozen, limits)]).toEqual([is, is])
    }
  })

  it('waits for the calls of a transcript that a caller handed in without steps', () => {
    const messages = normaliseMessages([
      { role: 'user', content: 'hi' },
      { role: 'assistant', parts: [call({ state: 'pending' })] },
    ])
    expect(nextStep(messages)).toBe('wait')
  })
})
