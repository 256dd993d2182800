// Loads vue-llm-serve: chats at once, half over SSE and half over WebSockets, each with a tool call and its own words,
// and idle sockets. Prints figures; fails where an answer is lost or another's, or where memory stays.
//   node scripts/soak.mjs [--chats=1000] [--waves=3] [--idle=1000]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'

const { values } = parseArgs({
  options: {
    chats: { type: 'string', default: '1000' },
    waves: { type: 'string', default: '3' },
    idle: { type: 'string', default: '1000' },
  },
})
const [chats, waves, idle] = [values.chats, values.waves, values.idle].map(Number)

const child = fork(new URL('soakServer.mjs', import.meta.url), { execArgv: ['--expose-gc'] })
const [{ url }] = await once(child, 'message')
const memory = async () => {
  child.send('memory')
  return (await once(child, 'message'))[0]
}
const cityOf = (index) => `City${index.toString(36).replace(/\d/g, (digit) => 'ghijklmnop'[digit])}`
const question = (city) => `What's the weather in ${city}?`

async function overSSE(city) {
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: question(city) }] }),
  })
  const events = (await response.text()).split('\n\n').flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1]
    return data && data !== '[DONE]' ? JSON.parse(data) : []
  })
  const call = events.find(({ type }) => type === 'tool-result')
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  return { result: call?.result, text }
}

async function overSocket(city) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const events = []
  const ended = new Promise((resolve, reject) => {
    ws.on('error', reject)
    ws.on('close', () => reject(new Error('closed')))
    ws.on('message', (data) => {
      events.push(JSON.parse(data.toString()))
      if (events.at(-1).type === 'assistant_end') resolve()
    })
  })
  ws.on('open', () => ws.send(JSON.stringify({ type: 'user_text', text: question(city) })))
  await ended
  ws.close()
  const result = events.find(({ type }) => type === 'tool_result')?.result
  return { result, text: events.map(({ text = '' }) => text).join('') }
}

const problems = []
async function chat(index) {
  const city = cityOf(index)
  try {
    const { result, text } = await (index % 2 ? overSocket : overSSE)(city)
    const others = text.match(/City[a-z]+/g) ?? []
    if (!`${result}`.startsWith(`${city}:`)) problems.push(`${city}: result ${result}`)
    if (!others.length || others.some((name) => name !== city)) problems.push(`${city}: ${text}`)
  } catch (error) {
    problems.push(`${city}: ${error}`)
  }
}

const round = (number) => Math.round(number * 10) / 10
const mega = (bytes) => `${round(bytes / 2 ** 20)} MiB`

await Promise.all(Array.from({ length: 50 }, (_, index) => chat(index)))
const start = await memory()
for (let wave = 0; wave < waves; wave++) {
  const from = performance.now()
  await Promise.all(Array.from({ length: chats }, (_, index) => chat(wave * chats + index)))
  const seconds = (performance.now() - from) / 1000
  console.log(
    `wave ${wave + 1}: ${chats} chats in ${round(seconds)} s (${round(chats / seconds)} a second)`,
  )
}
await new Promise((resolve) => setTimeout(resolve, 500))
const end = await memory()
console.log(
  `heap after a forced collection: ${mega(start.heapUsed)} before, ${mega(end.heapUsed)} after`,
)

const sockets = Array.from({ length: idle }, () => new WebSocket(`${url.replace('http', 'ws')}/ws`))
await Promise.all(sockets.map((socket) => once(socket, 'open')))
const full = await memory()
console.log(
  `${idle} idle sockets: ${round((full.heapUsed - end.heapUsed) / idle / 1024)} KiB of heap each, ` +
    `${round((full.rss - end.rss) / idle / 1024)} KiB of memory each`,
)
for (const socket of sockets) socket.terminate()
child.send('stop')

if (end.heapUsed > start.heapUsed * 1.1) problems.push('the heap has grown by more than 10 %')
console.log(
  problems.length
    ? `${problems.length} problems, such as ${problems[0]}`
    : 'nothing lost, nothing mixed up',
)
process.exit(problems.length ? 1 : 0)
