import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventsOf, type Answer } from './wire'

/** Serves the built page, and answers as a model does. */
export interface PageServer {
  url: string
  close(): void
}

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
const writeSize = 16_384
const made = new Map<string, { head: string; body: string[]; tail: string; whole: Buffer }>()

/** The events of an answer; kept, so that making them is not measured. */
function eventsFor(key: string) {
  let events = made.get(key)
  if (!events) {
    const { head, body, tail } = eventsOf(JSON.parse(key) as Answer)
    const whole = Buffer.from([...head, ...body, ...tail].join(''))
    made.set(key, (events = { head: head.join(''), body, tail: tail.join(''), whole }))
  }
  return events
}

/** Each piece in a write of its own at its time, or all as fast as the socket takes it. */
async function answer(response: ServerResponse, key: string): Promise<void> {
  const { rate } = JSON.parse(key) as Answer
  const { head, body, tail, whole } = eventsFor(key)
  const write = async (piece: string | Buffer) => {
    if (response.write(piece)) return
    await new Promise((resolve) => {
      response.once('drain', resolve).once('close', resolve)
    })
  }
  response.setMaxListeners(0)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  if (rate) {
    await write(head)
    const start = performance.now()
    for (let sent = 0; sent < body.length && !response.destroyed; await sleep(1)) {
      const due = Math.min(body.length, 1 + ((performance.now() - start) * rate) / 1000)
      for (; sent < Math.floor(due); sent++) await write(body[sent] ?? '')
    }
    response.end(tail)
  } else {
    for (let at = 0; at < whole.length && !response.destroyed; at += writeSize) {
      await write(whole.subarray(at, at + writeSize))
    }
    response.end()
  }
}

/** Starts on a free port; `folder` holds the built page. */
export async function startPageServer(folder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    request.resume()
    if (pathname === '/answer') return void answer(response, searchParams.get('answer') ?? '')
    const file = pathname === '/' ? '/index.html' : pathname
    readFile(join(folder, file)).then(
      (content) => {
        const type = types[file.split('.').at(-1) ?? ''] ?? 'text/plain'
        response.writeHead(200, { 'content-type': type }).end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  // Each piece goes out by itself.
  server.on('connection', (socket) => socket.setNoDelay(true))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
