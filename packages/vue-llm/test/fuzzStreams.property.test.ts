import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import {
  callsOf,
  createMessage,
  isLLMError,
  runChat,
  type AnyTool,
  type Chunk,
  type Message,
  type Provider,
} from '../src/core'
import { seedsOf, type Seed } from './fuzzSeeds'
import { vendorWires, type VendorWire } from './vendorWires'

const end: Chunk[] = [
  { type: 'text-delta', text: 'The end.' },
  { type: 'step-end', finishReason: 'stop' },
]
const clean = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))

/** What a call was run on. */
interface Ran {
  toolCallId: string
  name: string
  args: unknown
}

interface Outcome {
  problems: string[]
  ran: Ran[]
}

/** Fields of chunks that are text wherever they are. */
const textFields = ['text', 'argsText', 'toolName', 'toolCallId', 'url', 'mediaType', 'message']

function chunkProblems(chunk: Chunk): string[] {
  const fields = chunk as unknown as Record<string, unknown>
  const odd = textFields.filter((key) => key in fields && typeof fields[key] !== 'string')
  if (chunk.type === 'step-end') {
    const { usage = {}, rawFinishReason: raw = '' } = chunk
    if (typeof raw !== 'string') odd.push('rawFinishReason')
    if (Object.values(usage).some((count) => !Number.isFinite(count))) odd.push('usage')
  }
  return odd.map((key) => `${key} of ${chunk.type} is ${JSON.stringify(fields[key])}`)
}

/** Looks at what a provider gives. */
function watchProvider(provider: Provider, problems: string[]): Provider {
  return {
    ...provider,
    async *stream(request) {
      const ids = new Set<string>()
      let count = 0
      try {
        for await (const chunk of provider.stream(request)) {
          count++
          problems.push(...chunkProblems(chunk))
          if (chunk.type === 'tool-call-start') {
            if (ids.has(chunk.toolCallId)) problems.push('an id twice')
            ids.add(chunk.toolCallId)
          }
          yield chunk
        }
      } catch (error) {
        if (!isLLMError(error)) problems.push(`threw ${String(error)}`)
        if (count) problems.push('rejected after its first chunk')
        throw error
      }
    },
  }
}

function messageProblems(message: Message, ran: readonly Ran[]): string[] {
  const { parts, steps } = message
  const problems: string[] = []
  for (const { toolCallId, args } of ran) {
    const call = callsOf(message).find((one) => one.toolCallId === toolCallId)
    const reason = call && steps[call.step]?.finishReason
    if (!reason || !/^(stop|tool-calls|other)$/.test(reason)) problems.push(`ran after ${reason}`)
    let whole: unknown
    try {
      whole = JSON.parse(call?.argsText || '{}') ?? {}
    } catch {
      whole = 'cut'
    }
    if (!isDeepStrictEqual(whole, args)) problems.push(`ran on ${JSON.stringify(args)}`)
  }
  for (const part of parts) {
    if ('state' in part && /streaming|running/.test(part.state))
      problems.push(`still ${part.state}`)
  }
  return problems
}

/** Reads an answer, runs its calls and sends their results; tells what was wrong, and what ran. */
async function play(
  wire: VendorWire,
  bytes: Uint8Array,
  seed: Seed,
  cut: number,
): Promise<Outcome> {
  const problems: string[] = []
  const ran: Ran[] = []
  const last = end.map(wire.startAnswer()).join('')
  let requests = 0
  const provider = wire.create({
    maxRetries: 0,
    emptyRoundFallback: false,
    fetch: async (_, { body }) => {
      problems.push(...wire.problemsIn(JSON.parse(`${body}`)))
      if (requests++) return new Response(last)
      const pieces = [bytes.slice(0, cut % bytes.length), bytes.slice(cut % bytes.length)]
      return new Response(
        new ReadableStream({
          pull(stream) {
            const piece = pieces.shift()
            if (piece) stream.enqueue(piece)
            else stream.close()
          },
        }),
      )
    },
  })
  const tools = [...new Set(seed.tools)].map((name): AnyTool => ({
    name,
    execute: (args: unknown, { toolCallId }) => void ran.push({ toolCallId, name, args }),
  }))
  const messages = [createMessage('user', { content: 'look' })]
  const run = async () => {
    const chunks = runChat({
      provider: watchProvider(provider, problems),
      messages,
      tools,
      request: { model: 'm' },
      limits: { maxToolRoundtrips: 1 },
    })
    for await (const _ of chunks);
    return 'ended'
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, 5000, 'it hangs')))
  const how = await Promise.race([run().catch((error: unknown) => `rejected: ${error}`), late])
  clearTimeout(timer)
  if (how !== 'ended') problems.push(how)
  if (JSON.stringify(Object.getOwnPropertyNames(Object.prototype)) !== clean) {
    problems.push('a changed prototype')
  }
  const answer = messages[1]
  if (answer) problems.push(...messageProblems(answer, ran))
  return { problems, ran }
}

type Mutation =
  | { kind: 'flip' | 'drop' | 'double' | 'cut'; at: number; length: number; byte: number }
  | EventMutation

interface EventMutation {
  kind: 'field' | 'swap'
  line: number
  field: number
  value: unknown
}

const junk: unknown[] = JSON.parse(
  `[null, true, 0, -1, "", "x", [], {}, [null], {"text": {}}, [[]],
  "__proto__", "constructor", {"__proto__": {"polluted": 1}}]`,
)
const place = { line: fc.nat(400), field: fc.nat(24), value: fc.constantFrom(...junk) }
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('flip' as const, 'drop' as const, 'double' as const, 'cut' as const),
    at: fc.nat(20_000),
    length: fc.integer({ min: 1, max: 200 }),
    byte: fc.nat(255),
  }),
  fc.record({
    kind: fc.constantFrom('field' as const, 'field' as const, 'swap' as const),
    ...place,
  }),
)

/** The text with one field of one event changed, or with two of its events in each other's place. */
function changeEvent(text: string, { kind, line, field, value }: EventMutation) {
  const lines = text.split('\n')
  const events = [...lines.keys()].filter((index) => lines[index]?.includes('{'))
  const at = events[line % (events.length || 1)] ?? 0
  const other = events[field % (events.length || 1)] ?? 0
  const event = lines[at] ?? ''
  if (kind === 'swap') {
    lines[at] = lines[other] ?? ''
    lines[other] = event
    return lines.join('\n')
  }
  const from = event.indexOf('{')
  let count = 0
  try {
    const changed: unknown = JSON.parse(event.slice(from), (_, old: unknown) =>
      count++ === field ? value : old,
    )
    lines[at] = event.slice(0, from) + JSON.stringify(changed)
  } catch {
    // Another mutation broke it.
  }
  return lines.join('\n')
}

function mutate(seed: Uint8Array, mutations: readonly Mutation[]): Uint8Array {
  let bytes = [...seed]
  for (const one of mutations) {
    if ('line' in one) {
      const text = new TextDecoder().decode(Uint8Array.from(bytes))
      bytes = [...new TextEncoder().encode(changeEvent(text, one))]
      continue
    }
    const { kind, at, length, byte } = one
    const from = at % (bytes.length || 1)
    if (kind === 'flip') bytes[from] = byte
    else if (kind === 'drop') bytes.splice(from, length)
    else if (kind === 'double') bytes.splice(from, 0, ...bytes.slice(from, from + length))
    else bytes = bytes.slice(0, from)
  }
  return Uint8Array.from(bytes)
}

const callOf = ({ name, args }: Ran) => JSON.stringify([name, args])
const names = Object.keys(vendorWires)
const numRuns = Math.ceil(propertyRuns(2000) / names.length)

describe('whatever a server sends', () => {
  it.each(names)('%s ends in order', { timeout: 60_000 + numRuns * 60 }, async (name) => {
    const wire = vendorWires[name]
    if (!wire) throw new Error(`no wire ${name}`)
    const seeds = seedsOf(name).map((seed) => ({
      ...seed,
      bytes: new TextEncoder().encode(seed.text),
    }))
    const good = await Promise.all(seeds.map((seed) => play(wire, seed.bytes, seed, 99)))
    expect(good.map(({ problems }) => problems)).toEqual(seeds.map(() => []))
    expect(good.flatMap(({ ran }) => ran).length).toBeGreaterThan(0)
    const picked = fc.nat(seeds.length - 1)
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(picked, mutations, fc.nat(20_000), async (index, list, cut) => {
        const seed = seeds[index]
        if (!seed) return
        const { problems, ran } = await play(wire, mutate(seed.bytes, list), seed, cut)
        expect(problems).toEqual([])
        if (list.some(({ kind }) => kind !== 'cut')) return
        // What is cut off changes no call that runs.
        expect(good[index]?.ran.map(callOf)).toEqual(expect.arrayContaining(ran.map(callOf)))
      }),
      { numRuns },
    )
  })
})
