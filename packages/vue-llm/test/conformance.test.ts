import { describe, expect, it, vi } from 'vitest'
import type { AnyTool } from 'vue-llm'
import { allCalls, chatOn, textsOf, toolMessages } from './chatOn'
import { hasKit, readEntries, readKit, reportedCase } from './conformanceKit'
import type { Answer } from './strictServer'

interface Stream {
  name: string
  file: string
  status: number
  contentType: string | null
  request: { tools?: string[] } | null
  expect: {
    text: string
    refusal?: string
    reasoning: string
    toolCalls: { id: string; name: string; args: object }[]
    incompleteToolCalls?: { id: string; name: string }[]
    finishReason: string | null
    usage: { input: number; output: number } | null
    error?: { message: string }
  }
}

/** The body of a recorded stream, in three network pieces. */
function answerOf({ file, status, contentType }: Stream): Answer {
  let body = readKit(`streams/${file}`)
  if (file.endsWith('.chunks.txt')) {
    const lines = [...body.toString().split('\n').filter(Boolean), '[DONE]']
    body = Buffer.from(lines.map((line) => `data: ${line}\n\n`).join(''))
  }
  const third = Math.ceil(body.length / 3)
  const tick = () => new Promise((resolve) => setTimeout(resolve))
  return {
    status,
    contentType: contentType ?? 'text/event-stream',
    items: [0, 1, 2].flatMap((n) => [body.subarray(n * third, (n + 1) * third), tick]),
  }
}

const names = [
  'oai-tools-parallel',
  'oai-refusal',
  'oai-http-error',
  'deepseek-reasoning-tool',
  'deepseek-tool-empty-args-length',
  'mistral-hybrid-reasoning',
  'openrouter-midstream-error',
  'llamacpp-mistral-tool',
]

const streams = hasKit
  ? readEntries<Stream>('streams.json').filter(({ name }) => names.includes(name))
  : []

/** Tools of those names that note what they were called with. */
function noting(toolNames: readonly string[]) {
  const ran: { id: string; name: string; args: object }[] = []
  const tools = [...new Set(toolNames)].map((name): AnyTool => ({
    name,
    execute(args: object, { toolCallId: id }) {
      ran.push({ id, name, args })
      return id
    },
  }))
  return { ran, tools }
}

describe.skipIf(!hasKit)('recorded streams, over HTTP into a chat', () => {
  it('are there', () => {
    expect(streams).toHaveLength(names.length)
  })

  it.each(streams)('$name', async (stream) => {
    const right = stream.expect
    const calls = [...right.toolCalls, ...(right.incompleteToolCalls ?? [])]
    const { ran, tools } = noting([
      ...(stream.request?.tools ?? []),
      ...calls.map(({ name }) => name),
    ])
    const chat = await chatOn([answerOf(stream), ['.']], { tools })
    await chat.sendMessage('go')

    expect(ran).toEqual(right.toolCalls)
    const asksAgain = right.toolCalls.length > 0
    expect(chat.server.requests).toHaveLength(asksAgain ? 2 : 1)
    expect(toolMessages(chat.server.requests[1])).toEqual(right.toolCalls.map(({ id }) => [id, id]))
    expect(textsOf(chat)[1] ?? '').toBe(right.text + (right.refusal ?? '') + (asksAgain ? '.' : ''))
    const message = chat.messages.value[1]
    const thought = message?.parts.map((part) => (part.type === 'reasoning' ? part.text : ''))
    expect(thought?.join('') ?? '').toBe(right.reasoning)
    expect(
      allCalls(chat).map(({ toolName, state, errorCode }) => [toolName, state, errorCode]),
    ).toEqual([
      ...right.toolCalls.map(({ name }) => [name, 'result', undefined]),
      ...(right.incompleteToolCalls ?? []).map(({ name }) => [name, 'error', 'cut']),
    ])
    const step = message?.steps[0]
    expect(step?.rawFinishReason ?? null).toBe(right.finishReason)
    const { inputTokens: input = 0, outputTokens: output = 0 } = step?.usage ?? {}
    expect({ input, output }).toEqual({ input, output, ...right.usage })
    // An SDK put the status before the provider's own message.
    const said = right.error?.message.replace(/^\d{3} /, '')
    expect(chat.status.value).toBe(right.error ? 'error' : 'ready')
    expect(chat.error.value?.message ?? '').toContain(said ?? '')
    expect(!chat.error.value).toBe(!right.error)
  })
})

describe.skipIf(!hasKit)('reported cases, over HTTP into a chat', () => {
  it('B11: a whole call runs although the reason is "stop"', async () => {
    const { chunks, expect: right } = reportedCase('B11')
    const { ran, tools } = noting(['get_weather'])
    const bytes = chunks.map((chunk) => Buffer.from(chunk))
    const chat = await chatOn([{ items: bytes }, ['done']], { tools })
    await chat.sendMessage('go')
    expect(ran.map(({ id }) => id)).toEqual(right.executed)
    expect(textsOf(chat)).toEqual(['go', 'done'])
  })

  it('B16: two calls with one id become two, each with a tool message of its own', async () => {
    const { chunks, expect: right } = reportedCase('B16')
    const execute = vi.fn<(args: object) => object>((args) => args)
    const bytes = chunks.map((chunk) => Buffer.from(chunk))
    const chat = await chatOn([{ items: bytes }, ['done']], {
      tools: [{ name: 'read_file', execute }],
    })
    await chat.sendMessage('go')
    const ids = allCalls(chat).map(({ toolCallId }) => toolCallId)
    expect(new Set(ids).size).toBe(2)
    expect(toolMessages(chat.server.requests[1])).toEqual(
      right.toolCalls?.map(({ args }, index) => [ids[index], JSON.stringify(args)]),
    )
    expect(textsOf(chat)).toEqual(['go', 'done'])
  })
})
