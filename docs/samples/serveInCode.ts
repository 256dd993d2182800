import { readFileSync } from 'node:fs'
import { createLog, createServeServer, readConfig } from 'vue-llm-serve'

const command = readConfig({
  argv: ['--demo', '--port', '0'],
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
})
if (command.kind !== 'serve') throw new Error('these flags start no server')

const log = createLog((line) => process.stdout.write(line))
export const server = createServeServer(command.config, { log, readFile: readFileSync })
export const url = await server.listen()
