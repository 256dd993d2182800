import { describe, expect, it } from 'vitest'
import { applyChunk, createMessage } from 'vue-llm/core'
import { createPartialArgs } from '../src/core/partialArgs'
import { allCalls, chatOn, textsOf, toolMessages } from './chatOn'
import { hasKit, readEntries, reportedCase, type ReportedCase } from './conformanceKit'
import { callEvents, finishEvent } from './strictServer'

type Args = Readonly<Record<string, unknown>>

/** What was shown after each piece, and how it ended. */
interface Outcome {
  snapshots: Args[]
  /** The snapshots as they were when they were shown. */
  copies: Args[]
  end: { args: Args } | { error: string }
}

function throughParser(pieces: string[]): Outcome {
  const parser = createPartialArgs()
  const copies: Args[] = []
  const snapshots = pieces.map((piece) => {
    parser.push(piece)
    copies.push(structuredClone(parser.value))
    return parser.value
  })
  return { snapshots, copies, end: parser.end(pieces.join('')) }
}

function throughChunks(pieces: string[]): Outcome {
  const message = createMessage('assistant')
  const call = () => allCalls({ messages: { value: [message] } })[0]
  applyChunk(message, { type: 'tool-call-start', toolCallId: 'c', toolName: 't' })
  const copies: Args[] = []
  const snapshots = pieces.map((argsText) => {
    applyChunk(message, { type: 'tool-call-delta', toolCallId: 'c', argsText })
    const args = call()?.args ?? {}
    copies.push(structuredClone(args))
    return args
  })
  applyChunk(message, { type: 'tool-call-end', toolCallId: 'c' })
  const { state, args = {}, error = '', errorCode, argsText } = call() ?? {}
  expect(argsText).toBe(pieces.join(''))
  expect([state, errorCode]).toEqual(error ? ['error', 'invalid-args'] : ['pending', undefined])
  return { snapshots, copies, end: error ? { error } : { args } }
}

const ways = [
  ['createPartialArgs', throughParser],
  ['applyChunk', throughChunks],
] as const

/** Whether `next` may be shown after `last`: nothing vanishes, no text and no list gets shorter. */
function grows(last: unknown, next: unknown): boolean {
  if (typeof last === 'string') return typeof next === 'string' && next.startsWith(last)
  if (Array.isArray(last)) {
    return Array.isArray(next) && last.every((item, index) => grows(item, next[index]))
  }
  if (typeof last !== 'object' || last === null) return last === next
  return Object.entries(last).every(([key, value]) => grows(value, (next as Args)?.[key]))
}

const cases = hasKit
  ? readEntries<ReportedCase>('reported-cases.json').filter((e) => e.format === 'partial-json')
  : []
const runs = cases.flatMap((one) =>
  ways.flatMap(([way, run]) => [
    { name: `${one.id}: ${one.about} (${way}, as reported)`, one, run, pieces: one.chunks },
    {
      name: `${one.id}: ${one.about} (${way}, by characters)`,
      one,
      run,
      pieces: [...one.chunks.join('')],
    },
  ]),
)

describe.skipIf(!hasKit)('reported cases of arguments as they stream', () => {
  it('are there', () => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['F1', 'F3', 'F6', 'F7']))
  })

  it.each(runs)('$name', ({ one, run, pieces }) => {
    const { snapshots, copies, end } = run(pieces)
    // Shown values never change later.
    expect(snapshots).toEqual(copies)
    const { final } = one.expect
    const shown = [...snapshots, ...(final ? [final] : [])]
    const shrunk = shown.slice(1).filter((next, index) => !grows(shown[index], next))
    expect(shrunk).toEqual([])
    // Where the text is no JSON, an error is one of the outcomes that are right.
    const isError = 'error' in end && end.error.includes('JSON')
    expect(isError ? 'not JSON' : end).toEqual(final ? { args: final } : 'not JSON')
  })

  const stops = cases.flatMap((one) =>
    (one.expect.snapshots ?? []).map((stop) => ({ ...stop, id: one.id, chunks: one.chunks })),
  )

  const shownBy = ({ chunks, after }: { chunks: string[]; after: number }) =>
    ways.map(([, run]) => run(chunks).copies[after - 1])

  it.each(stops.filter(({ args }) => args))('$id shows $args after $after pieces', (stop) => {
    expect(shownBy(stop)).toEqual([stop.args, stop.args])
  })

  it.each(stops.filter(({ mustContain }) => mustContain))(
    '$id shows at least $mustContain after $after pieces',
    (stop) => {
      expect(shownBy(stop)).toMatchObject([stop.mustContain, stop.mustContain])
    },
  )

  it('F1: a text that is cut inside an escape stays a text at each character', () => {
    const { chunks, expect: right } = reportedCase('F1')
    for (const [, run] of ways) {
      const { copies } = run([...chunks.join('')])
      const begun = copies.findIndex((args) => 'city' in args)
      const cities = copies.slice(begun).map(({ city }) => city)
      expect(begun).toBeGreaterThan(0)
      expect(cities.filter((city) => !`${right.final?.['city']}`.startsWith(`${city}`))).toEqual([])
    }
  })

  it('F6: the tool is not run, and the model is told', async () => {
    const { chunks } = reportedCase('F6')
    let ran = false
    const round = [...callEvents('call_1', 't', chunks), finishEvent('tool_calls')]
    const chat = await chatOn([round, ['sorry']], {
      tools: [{ name: 't', execute: () => (ran = true) }],
    })
    await chat.sendMessage('go')
    expect(ran).toBe(false)
    expect(allCalls(chat)).toMatchObject([{ state: 'error', errorCode: 'invalid-args' }])
    const [[id, said] = []] = toolMessages(chat.server.requests[1])
    expect([id, said]).toEqual(['call_1', expect.stringMatching(/^Error: .*JSON/)])
    expect(textsOf(chat)).toEqual(['go', 'sorry'])
  })
})
