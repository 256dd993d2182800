import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer, type LoadedServer } from './load/client'
import { ratio, type Row } from './measure'

type Side = 'hand' | 'ours'
const sides: readonly Side[] = ['hand', 'ours']

/** What the demo model is asked, how many pieces it answers with, and how often. */
const demos = [
  [14, 'count to 20', 400],
  [240, 'count to 300', 60],
  [840, 'count to 1000', 30],
] as const

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN

/** What an answer costs the server, and how many come in a second, with so many clients that never rest. */
async function measureThroughput(server: LoadedServer, side: Side, text: string, answers: number) {
  const cpu = await server.ask('cpu')
  const before = performance.now()
  let left = answers
  const client = async () => {
    while (left-- > 0) await server.stream(side, 'demo', text)
  }
  await Promise.all(Array.from({ length: 20 }, client))
  return {
    perSecond: (answers * 1000) / (performance.now() - before),
    cpu: ((await server.ask('cpu')) - cpu) / answers,
  }
}

/** How late the pieces are, and what is held, while so many answers are open at once. */
async function measureOpen(server: LoadedServer, side: Side, streams: number) {
  const before = await server.ask('memory')
  const answers = Array.from({ length: streams }, async (_, index) => {
    // Not all at once: a crowd that is in step has to wait for itself.
    await sleep((index * 500) / streams)
    return server.stream(side, 'paced', 'go on')
  })
  await sleep(1200)
  const held = (await server.ask('memory')) - before
  const latencies = (await Promise.all(answers)).flat().sort((a, b) => a - b)
  return { p99: latencies[Math.floor(latencies.length * 0.99)] ?? NaN, held: held / streams }
}

/** `createLLMHandler` on `node:http` beside the same written by hand; both ask the same models in their process. */
export async function* serverLoad(): AsyncGenerator<Row> {
  const server = await startServer(fileURLToPath(new URL('./load/server.mjs', import.meta.url)))
  try {
    for (const [size, text, answers] of demos) {
      const rates: Record<Side, number[]> = { hand: [], ours: [] }
      const costs: Record<Side, number[]> = { hand: [], ours: [] }
      for (let run = -1; run < 9; run++) {
        for (const side of sides) {
          const { perSecond, cpu } = await measureThroughput(server, side, text, answers)
          if (run < 0) continue
          rates[side].push(perSecond)
          costs[side].push(cpu)
        }
      }
      yield toRow(`answers of ${size} pieces a second, 20 clients`, '/s', rates)
      yield toRow(`CPU time of an answer of ${size} pieces`, 'ms', costs)
    }
    for (const streams of [100, 500]) {
      const late: Record<Side, number[]> = { hand: [], ours: [] }
      const held: Record<Side, number[]> = { hand: [], ours: [] }
      for (let run = -1; run < 5; run++) {
        for (const side of sides) {
          const { p99, held: bytes } = await measureOpen(server, side, streams)
          if (run < 0) continue
          late[side].push(p99)
          held[side].push(bytes / 1000)
        }
      }
      yield toRow(`99th percentile of a piece's delay, ${streams} streams`, 'ms', late)
      yield toRow(`memory of one of ${streams} open streams`, 'kB', held)
    }
  } finally {
    server.close()
  }
}

function toRow(what: string, unit: string, { hand, ours }: Record<Side, number[]>): Row {
  const base = median(hand)
  const value = median(ours)
  return { what, value, unit, against: ratio(value, base, `by hand (${base.toFixed(1)})`) }
}
