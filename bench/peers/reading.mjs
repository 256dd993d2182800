// Reads the same answers with vue-llm and with @ai-sdk/vue, without drawing them; see run.mjs.
import { useChat as useSdkChat } from '@ai-sdk/vue'
import { DefaultChatTransport } from 'ai'
import { effectScope, nextTick } from 'vue'
import { createOpenAIProvider, createProxyProvider, useChat } from 'vue-llm'

const event = (data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const tools = [{ name: 'report', parameters: { type: 'object' } }]

/** The arguments of a call, about so many bytes. */
function writeArgs(bytes) {
  const items = []
  for (let size = 0, id = 0; size < bytes; id++) {
    items.push({ id, name: `item ${id}`, price: id / 7, note: 'lorem ipsum '.repeat(4), ok: true })
    size += JSON.stringify(items[id]).length + 1
  }
  return JSON.stringify({ title: 'Report', items })
}

const cut = (text, size) => text.match(new RegExp(`.{1,${size}}`, 'gs'))

/** What is said: pieces of text, or of a call's arguments. */
const answers = {
  '5,000 pieces of text': { kind: 'text', pieces: cut('word '.repeat(4000), 4) },
  'arguments of 50 kB': { kind: 'args', pieces: cut(writeArgs(50_000), 16) },
  'arguments of 100 kB': { kind: 'args', pieces: cut(writeArgs(100_000), 16) },
}

/** How each says it on its own wire, and reads it. */
const readers = {
  'vue-llm, own wire': {
    write: ({ kind, pieces }) =>
      kind === 'text'
        ? [
            ...pieces.map((text) => event({ type: 'text-delta', text })),
            event({ type: 'step-end', finishReason: 'stop' }),
            event('[DONE]'),
          ]
        : [
            event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'report' }),
            ...pieces.map((argsText) =>
              event({ type: 'tool-call-delta', toolCallId: 'c', argsText }),
            ),
            event({ type: 'tool-call-end', toolCallId: 'c' }),
            event({ type: 'step-end', finishReason: 'tool-calls' }),
            event('[DONE]'),
          ],
    open(fetch) {
      const chat = useChat({ provider: createProxyProvider({ url: 'http://x', fetch }), tools })
      return { chat, send: () => chat.sendMessage('go') }
    },
  },
  'vue-llm, Chat Completions': {
    write({ kind, pieces }) {
      const chunk = (delta, finish_reason = null) =>
        event({
          id: 'c',
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta, finish_reason }],
        })
      const call = (part) => chunk({ tool_calls: [{ index: 0, ...part }] })
      return kind === 'text'
        ? [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), event('[DONE]')]
        : [
            call({ id: 'c', type: 'function', function: { name: 'report', arguments: '' } }),
            ...pieces.map((text) => call({ function: { arguments: text } })),
            chunk({}, 'tool_calls'),
            event('[DONE]'),
          ]
    },
    open(fetch) {
      const provider = createOpenAIProvider({ url: 'http://x', fetch })
      const chat = useChat({ provider, model: 'm', tools })
      return { chat, send: () => chat.sendMessage('go') }
    },
  },
  '@ai-sdk/vue': {
    write({ kind, pieces }) {
      const head = [event({ type: 'start' }), event({ type: 'start-step' })]
      const tail = [event({ type: 'finish-step' }), event({ type: 'finish' }), event('[DONE]')]
      const body =
        kind === 'text'
          ? [
              event({ type: 'text-start', id: 't' }),
              ...pieces.map((delta) => event({ type: 'text-delta', id: 't', delta })),
              event({ type: 'text-end', id: 't' }),
            ]
          : [
              event({ type: 'tool-input-start', toolCallId: 'c', toolName: 'report' }),
              ...pieces.map((inputTextDelta) =>
                event({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }),
              ),
              event({
                type: 'tool-input-available',
                toolCallId: 'c',
                toolName: 'report',
                input: JSON.parse(pieces.join('')),
              }),
            ]
      return [...head, ...body, ...tail]
    },
    open(fetch) {
      const chat = useSdkChat({ transport: new DefaultChatTransport({ api: 'http://x', fetch }) })
      return { chat, send: () => chat.sendMessage({ text: 'go' }) }
    },
  },
}

async function read({ write, open }, answer) {
  const bytes = new TextEncoder().encode(write(answer).join(''))
  const fetch = async () => {
    let at = 0
    const body = new ReadableStream({
      pull(out) {
        if (at >= bytes.length) return out.close()
        out.enqueue(bytes.slice(at, (at += 16_384)))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const scope = effectScope()
  const { chat, send } = scope.run(() => open(fetch))
  globalThis.gc()
  const before = process.cpuUsage()
  await send()
  await nextTick()
  const { user, system } = process.cpuUsage(before)
  const text = JSON.stringify(chat.messages.value.at(-1).parts)
  if (text.length < answer.pieces.join('').length) throw new Error('not all of it was read')
  scope.stop()
  return (user + system) / 1000
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]

for (const [name, answer] of Object.entries(answers)) {
  const times = {}
  for (let run = 0; run < 6; run++) {
    for (const [who, reader] of Object.entries(readers)) {
      const ms = await read(reader, answer)
      // The first is for the compiler.
      if (run) (times[who] ??= []).push(ms)
    }
  }
  const own = median(times['vue-llm, own wire'])
  process.stdout.write(`  ${name}\n`)
  for (const [who, list] of Object.entries(times)) {
    const ms = median(list)
    process.stdout.write(
      `    ${who.padEnd(34)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / own).toFixed(1)} ×\n`,
    )
  }
}
process.exit(0)
