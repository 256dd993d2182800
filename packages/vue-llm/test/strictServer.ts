import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { listen } from './listen'
import { transcriptProblems, type WireMessage } from './transcriptProblems'

/** The body of a Chat Completions request, as far as tests read it. */
export interface WireBody {
  model: string
  messages: WireMessage[]
  tools?: { type: string; function: { name: string; parameters: object } }[]
}

/**
 * One thing an answer does: a string is a piece of text, an object one event, bytes go out as they are, and a function
 * is awaited before it goes on.
 */
export type AnswerItem = string | object | Uint8Array | (() => unknown)

/** How one request is answered. */
export interface Answer {
  /** @default 200 */
  status?: number
  /** @default 'text/event-stream' */
  contentType?: string
  items: readonly AnswerItem[]
}

/** Items alone are an event stream that ends with `[DONE]`. */
export type Round = readonly AnswerItem[] | Answer

/** A running server. */
export interface StrictServer {
  /** For `createOpenAIProvider({ baseURL })`. */
  baseURL: string
  /** The bodies of all requests so far. */
  requests: WireBody[]
  /** The numbers of the requests whose client went away before the answer had ended. */
  aborted: number[]
}

/** Never goes on. */
export const hang = (): Promise<never> => new Promise(() => {})

/** An answer that is no stream, but an error as the API sends it. */
export const failure = (status: number, message: string): Answer => ({
  status,
  contentType: 'application/json',
  items: [new TextEncoder().encode(JSON.stringify({ error: { message } }))],
})

const choice = (delta: object, finish_reason: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

/** The events of a call whose arguments arrive in pieces. */
export function callEvents(id: string, name: string, pieces: readonly string[], index = 0) {
  const first = { index, id, type: 'function', function: { name, arguments: '' } }
  return [
    choice({ role: 'assistant', content: null, tool_calls: [first] }),
    ...pieces.map((piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

/** A round of whole calls, each given as `[id, name, args]`. */
export const callRound = (...calls: [id: string, name: string, args?: object][]): AnswerItem[] => [
  ...calls.flatMap(([id, name, args = {}], index) =>
    callEvents(id, name, [JSON.stringify(args)], index),
  ),
  finishEvent('tool_calls'),
]

/** The event that says why the round ended. */
export const finishEvent = (reason = 'stop') => choice({}, reason)

/**
 * Starts a local Chat Completions server that plays one round per request and ends with the test. It refuses, as
 * OpenAI does, any transcript with a call that has no tool message or a tool message that has no call; whatever it had
 * to refuse fails the test.
 */
export async function startStrictServer(rounds: readonly Round[]): Promise<StrictServer> {
  const requests: WireBody[] = []
  const aborted: number[] = []
  const refused: string[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(request)) as WireBody
    const number = requests.push(body) - 1
    response.on('close', () => {
      if (!response.writableFinished) aborted.push(number)
    })
    const round = rounds[number]
    const problems = transcriptProblems(body.messages)
    if (!round) problems.push(`request ${number + 1} was not expected`)
    refused.push(...problems)
    await (problems.length || !round
      ? play(response, failure(400, problems.join('; ')))
      : play(response, round))
  }

  const server = createServer((request, response) => {
    // A test that fails leaves its gates closed: the answer breaks off.
    answer(request, response).catch(() => response.destroy())
  })
  onTestFinished(() => expect(refused).toEqual([]))
  return { baseURL: `${await listen(server)}/v1`, requests, aborted }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text
}

async function play(response: ServerResponse, round: Round): Promise<void> {
  const { status = 200, contentType = 'text/event-stream', items } = toAnswer(round)
  response.writeHead(status, { 'content-type': contentType })
  for (const item of items) {
    if (typeof item === 'function') await item()
    else if (item instanceof Uint8Array) response.write(item)
    else response.write(toEvent(typeof item === 'string' ? choice({ content: item }) : item))
  }
  response.end()
}

const toAnswer = (round: Round): Answer =>
  'items' in round ? round : { items: [...round, new TextEncoder().encode('data: [DONE]\n\n')] }

const toEvent = (event: object) => `data: ${JSON.stringify(event)}\n\n`
