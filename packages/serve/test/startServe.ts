import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig, type ServeConfig } from '../src/config'
import { createServeServer, type ServeServer } from '../src/createServeServer'
import { createLog } from '../src/log'

/** A server that runs for the length of a test, and what it wrote to its log. */
export interface RunningServe extends ServeServer {
  url: string
  lines: string[]
}

function configOf(argv: readonly string[], env: Record<string, string> = {}): ServeConfig {
  const noFile = () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  }
  const command = readConfig({ argv, env, readFile: noFile })
  if (command.kind !== 'serve') throw new Error(`not served: ${command.kind}`)
  return command.config
}

export async function startServe(
  argv: readonly string[] = ['--demo'],
  env: Record<string, string> = {},
): Promise<RunningServe> {
  const lines: string[] = []
  const config = configOf([...argv, '--port', '0'], { DEMO_DELAY_MS: '0', ...env })
  const log = createLog((line) => lines.push(line), [config.apiKey, config.toolsToken])
  const server = await createServeServer(config, { log, readFile: (path) => readFileSync(path) })
  const url = await server.listen()
  onTestFinished(() => server.close())
  return { ...server, url, lines }
}

/** An event of the socket. */
export type Event = Record<string, unknown> & { type: string }

/** A client of `/ws`. */
export interface SocketClient {
  ws: WebSocket
  events: Event[]
  say(text: string): void
  /** Waits until so many turns have ended. */
  turns(count: number, timeoutMs?: number): Promise<void>
}

export async function openSocket(
  url: string,
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
  const events: Event[] = []
  let check = () => {}
  ws.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString()) as Event)
    check()
  })
  await new Promise<void>((resolve, reject) => {
    ws.on('open', () => resolve())
    ws.on('error', reject)
  })
  return {
    ws,
    events,
    say: (text) => ws.send(JSON.stringify({ type: 'user_text', text })),
    turns: (count, timeoutMs = 10_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no ${count} turns: ${JSON.stringify(events)}`)),
          timeoutMs,
        )
        check = () => {
          if (events.filter(({ type }) => type === 'assistant_end').length < count) return
          clearTimeout(timer)
          resolve()
        }
        check()
      }),
  }
}
