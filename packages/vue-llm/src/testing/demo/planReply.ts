import { longText } from './longText'
import { fillValue } from './fillArguments'
import { findIn } from './findings'
import { asksForever, pickTools, planCalls } from './planCalls'
import type { DemoCall, DemoRequest } from './readRequest'
import { introduce, reasonAbout, smallTalk } from './smallTalk'
import { speakOfResults } from './speakOfResults'

/** What the demo model says, apart from how a wire writes it. */
export interface DemoReply {
  reasoning: string
  text: string
  calls: readonly DemoCall[]
  /** The connection breaks in the middle. */
  cut: boolean
}

/** A request that fails on purpose. */
export interface DemoFailure {
  status: 429 | 500
  message: string
}

/**
 * Decides what the demo model answers: a pure function of the request. Words that ask for a failure come first, unless
 * it is asked `again`, then results to speak of, tools to call, and at last the texts it knows.
 */
export function planReply(request: DemoRequest, again = false): DemoReply | DemoFailure {
  const { text, tools, rounds, toolChoice } = request
  const picked = toolChoice === 'none' ? [] : pickTools(text, tools)
  // A client may join a new message to one that failed before it.
  const asked = text.slice(text.lastIndexOf('\n\n') + 1)
  const failure = failureFor(asked, picked.length > 0)
  const cut = /\bcut\b|оборви/iu.test(asked) && !picked.some(({ name }) => /cut/i.test(name))
  if (failure && !again) return failure

  const planned = countsTo(text) === undefined ? planCalls(request) : []
  const calls = (asksForever(text) ? planned.at(-1) : planned[rounds.length]) ?? []
  const thinks = /\b(?:think|thinking|reason|reasoning|why)\b|подума|рассужда|почему/iu.test(text)
  return {
    reasoning: thinks ? reasonAbout(request, calls) : '',
    text: calls.length ? '' : again && (failure || cut) ? recovered : textFor(request),
    calls,
    cut: cut && !again,
  }
}

const recovered =
  'This time it worked. It failed because you asked it to; asking again was all it took, and nothing of the chat was lost.'

function failureFor(text: string, toolFits: boolean): DemoFailure | undefined {
  if (/\brate.?limit/i.test(text)) {
    return { status: 429, message: 'The demo model was asked to be busy: try again in a second.' }
  }
  const asked = /\b(?:fail the request|server error)\b/i.test(text)
  if (asked || (/\berror\b|(?<!\p{L})ошибк/iu.test(text) && !toolFits)) {
    return { status: 500, message: 'The demo model was asked to fail, so it did.' }
  }
  return undefined
}

function textFor(request: DemoRequest): string {
  const { text, rounds, schema } = request
  if (schema) return structured(text, schema)
  if (rounds.length) return speakOfResults(rounds.flat())
  const last = countsTo(text)
  if (last !== undefined) return countTo(last)
  if (/\b(?:long|essay)\b|длинн|эссе/iu.test(text)) return longText
  return smallTalk(request) ?? introduce(request)
}

/** The number of `count to 20`, which asks for no tool whatever tools there are. */
function countsTo(text: string): number | undefined {
  const match = /\bcount\s+(?:up\s+)?to\s+(\d+)|считай\s+до\s+(\d+)/iu.exec(text)
  return match ? Number(match[1] ?? match[2]) : undefined
}

function countTo(last: number): string {
  return Array.from({ length: Math.min(last, 1000) }, (_, at) => at + 1).join(', ')
}

function structured(text: string, schema: Record<string, unknown>): string {
  const found = findIn(text)
  const slot = { name: '', schema, found, required: true, facts: {}, root: schema, depth: 0 }
  return JSON.stringify(fillValue(slot), undefined, 2)
}
