import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { listen } from './listen'

/** A request as a vendor's server saw it. */
export interface Seen<Body> {
  url: string
  headers: IncomingMessage['headers']
  body: Body
}

/** One answer: events of a stream, or an error with its status. */
export type VendorAnswer = readonly object[] | { status: number; body: object }

/**
 * Starts a local server that plays one answer per request and ends with the test. `problemsIn` tells what the vendor
 * would refuse; whatever had to be refused fails the test.
 */
export async function startVendorServer<Body>(
  answers: readonly VendorAnswer[],
  problemsIn: (body: Body) => string[],
): Promise<{ baseURL: string; seen: Seen<Body>[] }> {
  const seen: Seen<Body>[] = []
  const refused: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const body = JSON.parse(text) as Body
    const number = seen.push({ url: `${request.url}`, headers: request.headers, body }) - 1
    const problems = problemsIn(body)
    refused.push(...problems)
    const answer: VendorAnswer = problems.length
      ? { status: 400, body: { error: { message: problems.join('; ') } } }
      : (answers[number] ?? { status: 400, body: { error: { message: 'not expected' } } })
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of answer) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`)
    response.end()
  })
  onTestFinished(() => expect(refused).toEqual([]))
  return { baseURL: `${await listen(server)}/v1`, seen }
}
