// Prints where the requests of our providers differ from those of other clients, field by field,
// each difference with its reason. A difference without a reason fails, and so does a reason
// without a difference. Started by run.mjs.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { conversations } from './conversations.ts'
import { reasons } from './reasons.mjs'
import { clients } from './sdks.mjs'
import { sendOurs, wires } from './wires.ts'

// Its warnings are of models that it does not know.
globalThis.AI_SDK_LOG_WARNINGS = false

/** What came last. */
let seen
const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  // An SDK may have asked twice: the first is what it meant.
  seen ??= { path: request.url, ...JSON.parse(text) }
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end('{"error":{"message":"recorded"}}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${server.address().port}`

async function record(send) {
  seen = undefined
  let thrown
  await Promise.resolve(send()).catch((error) => (thrown = error))
  return seen ?? { failed: `${thrown?.message}`.split('\n')[0] }
}

const isTree = (value) => typeof value === 'object' && value !== null
const short = (text = '—') => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Where two bodies differ; what is on one side only is one difference. */
function differences(ours, theirs, path = '') {
  if (isTree(ours) && isTree(theirs) && Array.isArray(ours) === Array.isArray(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${path}/${key}`))
  }
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)]
  return a === b ? [] : [{ path, ours: a, theirs: b }]
}

const used = new Set()
const rows = []
let equal = 0
for (const [name, wire] of Object.entries(wires)) {
  for (const [what, conversation] of Object.entries(conversations)) {
    if (conversation.only?.includes(name) === false || conversation.not?.includes(name)) continue
    const baseURL = origin + wire.path
    const ours = await record(() => sendOurs(wire, conversation, { baseURL }))
    for (const [client, ask] of Object.entries(clients[name])) {
      const theirs = await record(() => ask(baseURL, wire.model, conversation))
      const found = theirs.failed
        ? [{ path: '/', ours: 'sent', theirs: theirs.failed }]
        : differences(ours, theirs)
      if (!found.length) equal++
      for (const one of found) {
        const reason = reasons.find(
          ({ at, ours: mine = /^/ }) =>
            at.test(`${name} ${client} ${one.path}`) && mine.test(`${one.ours}`),
        )
        used.add(reason)
        rows.push({ name, client, what, ...one, why: reason?.why })
      }
    }
  }
}
server.close()

// Many conversations differ in the same way: one row each.
const table = new Map()
for (const { name, client, what, path, ours, theirs, why } of rows) {
  const key = [name, client, path.replace(/\d+/g, '*'), short(ours), short(theirs), why].join('\0')
  table.set(key, [...(table.get(key) ?? []), what])
}
for (const [key, whats] of table) {
  const [name, client, path, ours, theirs, why] = key.split('\0')
  console.log(`${name} · ${client} · ${path}`)
  console.log(`  in      ${[...new Set(whats)].join(', ')}`)
  console.log(`  ours    ${ours}`)
  console.log(`  theirs  ${theirs}`)
  console.log(`  why     ${why || 'NO REASON'}`)
}
const unexplained = rows.filter(({ why }) => !why)
const stale = reasons.filter((reason) => !used.has(reason))
console.log(
  `\n${equal} requests are equal; ${rows.length} differences of ${table.size} kinds, ` +
    `${unexplained.length} without a reason.`,
)
for (const { why } of stale) console.error(`Nothing differs any more for: ${why}`)
if (unexplained.length || stale.length) process.exitCode = 1
