import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Answers one request; may leave it open. */
export type Answer = (response: ServerResponse) => unknown

/** A server that plays these answers, the last again and again, and keeps when it was asked; ends with the test. */
export async function startCountingServer(...answers: readonly Answer[]) {
  /** When each request came, by `performance.now()`. */
  const times: number[] = []
  const bodies: Record<string, unknown>[] = []
  let left = 0
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(times.push(performance.now()), answers.length) - 1]
    response.on('close', () => {
      if (!response.writableFinished) left++
    })
    let body = ''
    for await (const piece of request) body += piece
    bodies.push(JSON.parse(body) as Record<string, unknown>)
    answer?.(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    times,
    bodies,
    /** How many answers the client left before their end. */
    left: () => left,
  }
}

/** An answer with this status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('{"error":{"message":"no"}}')

/** The connection breaks without an answer. */
export const reset: Answer = (response) => response.destroy()

/** Streams these deltas of Chat Completions; `last` closes the answer. */
export const deltas =
  (pieces: readonly object[], last: Answer = done()): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    for (const delta of pieces) response.write(event({ choices: [{ index: 0, delta }] }))
    last(response)
  }

/** The end of a streamed answer. */
export const done =
  (reason = 'stop', usage?: object): Answer =>
  (response) =>
    response.end(
      `${event({ choices: [{ index: 0, delta: {}, finish_reason: reason }], usage })}data: [DONE]\n\n`,
    )

/** The answer stays open. */
export const stall: Answer = () => {}

/** A streamed answer of one text. */
export const says = (content: string): Answer => deltas([{ content }])

/** A whole answer, not streamed. */
export const whole =
  (message: object, more: object = {}): Answer =>
  (response) => {
    const choices = [{ message, finish_reason: 'stop', ...more }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices, ...more }))
  }

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
