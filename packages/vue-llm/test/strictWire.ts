import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { listen } from './listen'
import { runChat, type AnyTool, type Message, type Provider } from '../src/core'

/** What a strict server finds wrong with a request; nothing where it would take it. */
export type FindProblems<Body> = (body: Body) => string[]

/** A running server. */
export interface StrictWire<Body> {
  origin: string
  /** The bodies of all requests so far. */
  requests: Body[]
}

/**
 * Starts a local server that answers each request with the next of these texts, in pieces of a few bytes, and refuses
 * what its vendor refuses; whatever it had to refuse fails the test, with which it ends.
 */
export async function startStrictWire<Body>(
  answers: readonly string[],
  findProblems: FindProblems<Body>,
): Promise<StrictWire<Body>> {
  const requests: Body[] = []
  const refused: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      const body = JSON.parse(text) as Body
      const answer = answers[requests.push(body) - 1]
      const problems = findProblems(body)
      if (answer === undefined) problems.push(`request ${requests.length} was not expected`)
      refused.push(...problems)
      if (answer === undefined || problems.length) {
        response.writeHead(400).end(JSON.stringify({ error: { message: problems.join('; ') } }))
        return
      }
      for (let at = 0; at < answer.length; at += 7) response.write(answer.slice(at, at + 7))
      response.end()
    })
  })
  onTestFinished(() => expect(refused).toEqual([]))
  return { origin: await listen(server), requests }
}

/** A `fetch` that answers as such a server does, without a socket; what it refused is in `refused`. */
export function strictFetch<Body>(
  answers: readonly string[],
  findProblems: FindProblems<Body>,
): { fetch: (url: string, init: RequestInit) => Promise<Response>; refused: string[] } {
  const refused: string[] = []
  let next = 0
  return {
    refused,
    fetch: async (_, init) => {
      const problems = findProblems(JSON.parse(`${init.body}`) as Body)
      refused.push(...problems)
      return new Response(problems.length ? '{"error":"refused"}' : answers[next++], {
        status: problems.length ? 400 : 200,
      })
    },
  }
}

/** Runs a turn to its end, and gives the error that ended it. */
export async function runTurn(
  provider: Provider,
  messages: Message[],
  tools: readonly AnyTool[],
): Promise<string | undefined> {
  let error: string | undefined
  const chunks = runChat({
    provider,
    messages,
    tools,
    request: { model: 'm' },
    onError: ({ message }) => (error = message),
  })
  for await (const _ of chunks);
  return error
}

/** Whether a text is a JSON object. */
export function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(`${text}`)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
