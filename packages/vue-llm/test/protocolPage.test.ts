import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSSEProvider, useChat } from 'vue-llm'
import { fromJSON, runChat, type Chunk, type ChunkType, type Message } from 'vue-llm/core'
import { sseResponse } from 'vue-llm/testing'
import { allCalls, quiet, textsOf } from './chatOn'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${root}/docs/protocol.md`, 'utf8')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.log('No python3: the samples in Python of docs/protocol.md are not run.')

/** The code blocks of the page in one language. */
const blocks = (language: string): string[] =>
  page
    .split(`\n\`\`\`${language}\n`)
    .flatMap((rest, i) => (i ? [rest.split('\n```')[0] ?? ''] : []))

/** The rows of the table of chunks: the cell that names the fields, and the example. */
const rows = [...page.matchAll(/^\| (`[a-z-]+`.*?) \| .* \| `(\{"type".*\})` \|$/gm)].map(
  (row) => ({
    fields: [...`${row[1]}`.matchAll(/`([^`]+)`/g)].map((field) => `${field[1]}`),
    chunk: JSON.parse(`${row[2]}`) as Chunk,
  }),
)

/** The types that there are; the compiler holds it against the vocabulary. */
const types: { [T in ChunkType]: true } = {
  'message-start': true,
  'text-delta': true,
  'reasoning-delta': true,
  'tool-call-start': true,
  'tool-call-delta': true,
  'tool-call-end': true,
  'tool-call-cancel': true,
  'tool-start': true,
  'tool-progress': true,
  'tool-result': true,
  'tool-error': true,
  'tool-wait': true,
  'tool-approval-request': true,
  'tool-approval-response': true,
  file: true,
  source: true,
  data: true,
  metadata: true,
  error: true,
  'step-end': true,
  'step-reset': true,
}

/** A chat whose back end plays one list of chunks per request; what it posted. */
function chatOf(...answers: Chunk[][]) {
  const posted: { messages: Message[] }[] = []
  const provider = createSSEProvider({
    url: '/api/chat',
    async fetch(_, init) {
      const number = posted.push(JSON.parse(`${init.body}`)) - 1
      return sseResponse(answers[number] ?? [])
    },
  })
  const chat = useChat({ provider, model: 'm' })
  onTestFinished(chat.stop)
  return { ...chat, posted }
}

/** Runs a Python program of the page or the examples; gives the line that it prints first. */
async function startPython(args: string[]): Promise<string> {
  const child = spawn('python3', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

describe('the page of the wire', () => {
  it('has a row for each type of chunk', () => {
    expect(rows.map(({ fields }) => fields[0]).sort()).toEqual(Object.keys(types).sort())
  })

  it.each(rows)('gives an example of $chunk.type with its fields that can be read', async (row) => {
    const [type, ...fields] = row.fields
    expect(row.chunk.type).toBe(type)
    const keys = Object.keys(row.chunk).filter((key) => key !== 'type')
    expect(fields.map((field) => field.replace('?', ''))).toEqual(expect.arrayContaining(keys))
    const provider = createSSEProvider({ url: '/', fetch: async () => sseResponse([row.chunk]) })
    const request = { model: 'm', messages: [], tools: [], signal: new AbortController().signal }
    const read: Chunk[] = []
    for await (const chunk of provider.stream(request)) read.push(chunk)
    expect(read).toEqual([row.chunk])
    for (const field of fields.filter((name) => !name.endsWith('?'))) {
      if (['result', 'progress', 'data', 'code', 'message'].includes(field)) continue
      const { [field as keyof Chunk]: _, ...without } = row.chunk
      const lacking = createSSEProvider({ url: '/', fetch: async () => sseResponse([without]) })
      await expect(lacking.stream(request)[Symbol.asyncIterator]().next()).rejects.toThrow(field)
    }
  })

  it('shows messages as they are posted', () => {
    const [messages = ''] = blocks('json')
    const json = { version: 1, messages: JSON.parse(messages) as unknown }
    expect(fromJSON(json)).toEqual(json.messages)
  })

  it('is right that a round with calls that ends the stream is asked on', async () => {
    const call: Chunk = { type: 'tool-call-end', toolCallId: 'a', toolName: 'look', args: {} }
    const result: Chunk = { type: 'tool-result', toolCallId: 'a', result: 1 }
    const chat = chatOf([call, result], [{ type: 'text-delta', text: 'One.' }])
    await chat.sendMessage('go')
    expect([textsOf(chat), chat.posted.length]).toEqual([['go', 'One.'], 2])
    const marked = chatOf([{ ...call, providerExecuted: true }, result])
    await marked.sendMessage('go')
    await quiet()
    expect([allCalls(marked)[0]?.state, marked.posted.length]).toEqual(['result', 1])
  })

  it.skipIf(!hasPython)('has a back end in Python that works', async () => {
    const [sample = ''] = blocks('python')
    const url = await startPython(['-c', sample.replace('8000', '0')])
    let requests = 0
    const provider = createSSEProvider({
      url,
      fetch(input, init) {
        requests++
        return fetch(input, init)
      },
    })
    const chat = useChat({ provider, model: 'any' })
    await chat.sendMessage('lamps')
    await quiet()
    expect(allCalls(chat)).toMatchObject([
      { toolName: 'stock', args: { of: 'lamps' }, state: 'result', result: { lamps: 7 } },
    ])
    expect(textsOf(chat)).toEqual(['lamps', 'There are seven lamps.'])
    expect([chat.status.value, chat.error.value, requests]).toEqual(['ready', undefined, 1])
  })

  it.skipIf(!hasPython)('shows what curl gets of the example', async () => {
    const [transcript = ''] = blocks('console')
    const url = await startPython(['examples/python/server.py', '--port', '0', '--delay', '0'])
    const [, body = ''] = /-d '(.*?)'\n/s.exec(transcript) ?? []
    const response = await fetch(url, { method: 'POST', body })
    const stream = transcript.slice(transcript.indexOf('\nid: 1\n') + 1)
    const same = (text: string) => {
      const ids = new Map<string, number>()
      return text.trim().replace(/(run|call)_[0-9a-f]+/g, (id) => {
        if (!ids.has(id)) ids.set(id, ids.size)
        return `id-${ids.get(id)}`
      })
    }
    expect(same(await response.text())).toBe(same(stream))
    const messages: Message[] = []
    const provider = createSSEProvider({
      url: '/',
      fetch: async () => new Response(`${stream}\n\n`),
    })
    for await (const _ of runChat({ provider, messages, request: { model: 'm' }, goOn: true }));
    expect(messages[0]?.parts).toMatchObject([
      { toolName: 'stock_level', state: 'result' },
      { type: 'text' },
      { toolName: 'confirm_order', state: 'pending' },
    ])
  })
})
