// The server of scripts/soak.mjs: tells its memory when it is asked.
import { readFileSync } from 'node:fs'
import { createServeServer, readConfig } from '../dist/index.js'

const { config } = readConfig({
  argv: ['--demo', '--port', '0'],
  env: { DEMO_DELAY_MS: process.env.DEMO_DELAY_MS ?? '1' },
  readFile: (path) => readFileSync(path, 'utf8'),
})
const server = createServeServer(config, { log() {}, readFile: (path) => readFileSync(path) })
const url = await server.listen()

process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc()
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send({ heapUsed, external })
  }
  if (message === 'stop') void server.close().then(() => process.exit(0))
})
process.send({ url })
