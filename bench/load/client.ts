import { fork, type ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:http'
import { now } from './pacedModel'
import type { Ask } from './server'

/** The server of `server.ts` in a process of its own, so that its time and memory can be told from ours. */
export interface LoadedServer {
  ask(what: Ask): Promise<number>
  /** Reads one answer; gives the milliseconds that each of its pieces took, where it tells when it was made. */
  stream(side: 'hand' | 'ours', path: 'demo' | 'paced', text: string): Promise<number[]>
  close(): void
}

const bodyOf = (text: string): string =>
  JSON.stringify({
    id: 'chat',
    messageId: 'answer',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text, step: 0 }], steps: [] }],
  })

/** Starts a server; `file` is `server.ts`, bundled. */
export async function startServer(file: string): Promise<LoadedServer> {
  const child: ChildProcess = fork(file, { execArgv: ['--expose-gc'] })
  const ask = (what: Ask) =>
    new Promise<number>((resolve) => {
      child.once('message', (answer: number) => resolve(answer))
      child.send(what)
    })
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const port = await ask('port')
  return {
    ask,
    stream: (side, path, asked) =>
      new Promise((resolve, reject) => {
        const latencies: number[] = []
        let text = ''
        const options = { port, host: '127.0.0.1', path: `/${side}/${path}`, method: 'POST', agent }
        const headers = { 'content-type': 'application/json' }
        const sent = request({ ...options, headers }, (response) => {
          response.setEncoding('utf8').on('data', (piece: string) => {
            const at = now()
            for (const [, made] of piece.matchAll(/"text":"(\d{10,}\.?\d*) "/g)) {
              latencies.push(at - Number(made))
            }
            text = text.slice(-50) + piece
          })
          response.on('error', reject)
          response.on('end', () => {
            if (response.statusCode === 200 && text.endsWith('data: [DONE]\n\n')) resolve(latencies)
            else reject(new Error(`${side}/${path}: ${response.statusCode} ${text}`))
          })
        })
        sent.on('error', reject)
        sent.end(bodyOf(asked))
      }),
    close() {
      agent.destroy()
      child.disconnect()
    },
  }
}
