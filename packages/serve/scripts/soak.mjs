// Loads vue-llm-serve: chats at once, half over SSE and half over WebSockets, each with a tool call and its own words,
// and idle sockets. Prints figures; fails where an answer is lost or another's, or where memory stays.
//   node scripts/soak.mjs [--chats=1000] [--waves=3] [--idle=1000]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
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

/** Posts by `node:http`, which waits for its turn however busy the machine is. */
const post = (path, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(url + path, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (data) => (text += data))
      response.on('error', reject)
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })

async function overSSE(city) {
  const text = await post('/api/chat', { messages: [{ role: 'user', content: question(city) }] })
  const events = text.split('\n\n').flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1]
    return data && data !== '[DONE]' ? JSON.parse(data) : []
  })
  const call = events.find(({ type }) => type === 'tool-result')
  const said = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  return { result: call?.result, text: said }
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

/** Until the connections that are kept alive are closed. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 6000))

// The first wave is what compiled code and caches cost.
let start
for (let wave = 0; wave <= waves; wave++) {
  if (wave === 1) {
    await rest()
    start = await memory()
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: chats }, (_, index) => chat(wave * chats + index)))
  const seconds = (performance.now() - from) / 1000
  console.log(
    `wave ${wave}: ${chats} chats in ${round(seconds)} s (${round(chats / seconds)} a second)`,
  )
}
await rest()
const end = await memory()
console.log(
  `heap after a forced collection: ${mega(start.heapUsed)} before, ${mega(end.heapUsed)} after`,
)

const sockets = Array.from({ length: idle }, () => new WebSocket(`${url.replace('http', 'ws')}/ws`))
await Promise.all(sockets.map((socket) => once(socket, 'open')))
const full = await memory()
const cost = full.heapUsed + full.external - end.heapUsed - end.external
console.log(`${idle} idle sockets: ${round(cost / idle / 1024)} KiB each`)
for (const socket of sockets) socket.terminate()
child.send('stop')

if (end.heapUsed > start.heapUsed * 1.1) problems.push('the heap has grown by more than 10 %')
console.log(
  problems.length
    ? `${problems.length} problems, such as ${problems[0]}`
    : 'nothing lost, nothing mixed up',
)
process.exit(problems.length ? 1 : 0)
